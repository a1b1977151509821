#compdef items

# Tab completion of items for zsh. items itself reads the line and prints what fits.

_items() {
  local -a before=("${(@Q)words[2,CURRENT-1]}") after=("${(@Q)words[CURRENT+1,-1]}") lines
  lines=("${(@f)$(command items __complete -- zsh $#before \
    "${before[@]}" "${(Q)PREFIX}" "${after[@]}" 2> /dev/null)}")
  local kind=$lines[1]
  shift lines
  # _describe takes what follows the first colon for the description.
  lines=("${(@)${(@)lines//\\/\\\\}//:/\\:}")
  lines=("${(@)lines/$'\t'/:}")
  case $kind in
    files)
      [[ $PREFIX == --*=* ]] && compset -P 1 '*='
      _files
      ;;
    # The word is not finished.
    parts) _describe -V items lines -S '' ;;
    words) _describe -V items lines ;;
  esac
}

if [[ ${funcstack[1]} == _items ]]; then
  _items "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _items items
fi
