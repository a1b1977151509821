# Tab completion of items for bash 3.2 or later. items itself reads the line and prints what fits.

_items() {
  local line kind=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
  done < <(command items __complete -- bash "$1" "$2" \
    "${COMP_LINE:0:COMP_POINT}" "${COMP_LINE:COMP_POINT}" 2> /dev/null)
  case $kind in
    # The word is not finished.
    parts) compopt -o nospace 2> /dev/null || true ;;
    # Readline finds files better, but bash 3.2 cannot ask it to for one word alone.
    files)
      compopt -o default 2> /dev/null ||
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$2")
      ;;
  esac
  return 0
}

complete -F _items items
