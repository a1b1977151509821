import ItemStore

/// The scripts for bash and zsh, which share the function that reads a command line.
extension Completions {
  /// `add|update|'tasks add'`
  private static func alternatives(_ names: [String]) -> String {
    names.map { quoted([$0]) }.joined(separator: "|")
  }

  /// What follows a word is `:` and what there is to say of it.
  private static func described(_ words: [(word: String, summary: String)]) -> String {
    quoted(words.map { "\($0.word):\($0.summary.escaped(":\\"))" })
  }

  private static func pattern(_ options: [Option]) -> String {
    options.flatMap(\.names).joined(separator: "|")
  }

  private static var optionLines: String {
    Option.all.map { option in
      let words = described(option.names.map { (word: $0, summary: option.summary) })
      let line = "candidates+=(\(words))"
      guard let places = places(of: option) else { return "    \(line)\n" }
      return "    case $command in \(alternatives(places))) \(line) ;; esac\n"
    }.joined()
  }

  private static var valueCases: String {
    valueOptions.map { option in
      let body: String
      switch option.values {
      case .any: return ""
      case .path: body = "kind=files"
      case .oneOf(let words): body = "candidates=(\(quoted(words)))"
      case .field: body = fieldCases(option)
      case .condition: body = "kind=condition; " + fieldCases(option)
      }
      return "      \(pattern([option]))) \(body) ;;\n"
    }.joined()
  }

  private static func fieldCases(_ option: Option) -> String {
    let cases = Schema.all.map { schema in
      let words = quoted(fields(option, of: schema))
      return "\(alternatives(working(on: schema)))) candidates=(\(words)) ;; "
    }
    return "case $command in \(cases.joined())esac"
  }

  private static var operandCases: String {
    nodes.map { node in
      "      \(quoted([node.name]))) candidates=(\(described(node.next))) ;;\n"
    }.joined()
      + leaves.compactMap { command in
        guard case .choice(_, let words) = command.operands else { return nil }
        return "      \(quoted([command.name]))) "
          + "[[ ${#operands[@]} -eq 0 ]] && candidates=(\(quoted(words))) ;;\n"
      }.joined()
      + Schema.all.map { schema in
        "      \(alternatives(takingIDs(of: schema, onlyFirst: false)))) list=\(schema.list) ;;\n"
          + takingIDs(of: schema, onlyFirst: true).map {
            "      \(quoted([$0]))) [[ ${#operands[@]} -eq 0 ]] && list=\(schema.list) ;;\n"
          }.joined()
      }.joined()
  }

  private static var aliasLines: String {
    Commands.aliases.sorted { $0.key < $1.key }.map { alias, word in
      "          [[ $word == \(alias) ]] && word=\(word)\n"
    }.joined()
  }

  private static var pathPattern: String { pattern(pathOptions) }

  /// Reads the words before the cursor, and the one at the cursor, which is in `cur`.
  static var reader: String {
    #"""
    # Tab completion for items. Made by items itself from its table of commands.

    # Sets candidates, each with a colon and a description behind it, or kind, or the list whose ids
    # may come next; and file and operands as they stand on the line.
    _items_read() {
      local word option= literal= command=
      for word in "$@"; do
        if [[ -n $option ]]; then
          # bash takes the = of --file=PATH for a word.
          [[ $word == '=' ]] && continue
          case $option in \#(pathPattern)) file=$word ;; esac
          option=
          continue
        fi
        if [[ -z $literal ]]; then
          case $word in
            --) literal=yes; continue ;;
            --*=*)
              case ${word%%=*} in \#(pathPattern)) file=${word#*=} ;; esac
              continue ;;
            \#(pattern(valueOptions))) option=$word; continue ;;
            -[!0-9]*)
              [[ $word =~ \#(groupPattern) ]] && option=-${word#"${word%?}"}
              continue ;;
          esac
        fi
        case $command in
          \#(alternatives(leaves.map(\.name)))) operands+=("$word") ;;
          *)
    \#(aliasLines)          command=${command:+$command }$word ;;
        esac
      done

      if [[ -z $option && -z $literal && $cur == --*=* ]]; then
        option=${cur%%=*}
        prefix=$option=
        cur=${cur#*=}
      fi
      if [[ -n $option ]]; then
        case $option in
    \#(valueCases)    esac
      elif [[ -z $literal && $cur == -* && $cur != -[0-9]* ]]; then
    \#(optionLines)  else
        case $command in
    \#(operandCases)    esac
      fi
      return 0
    }

    # Prints the ids that may come next, each with a tab and the text of its record behind it.
    _items_ids() {
      case $file in '~/'*) file=$HOME/${file#'~/'} ;; esac
      command items ${file:+"--file=$file"} \#(Commands.candidates.name) -- \
        "$list" "$cur" "${operands[@]}" 2>/dev/null
    }


    """#
  }

  static let bash = #"""
    # The word without the quotes and backslashes that it was typed with; nothing in it is evaluated.
    _items_unquoted() {
      case $1 in
        \'*\' | \"*\") printf '%s' "${1:1:${#1}-2}" ;;
        *) printf '%s' "$1" | sed 's/\\\(.\)/\1/g' ;;
      esac
    }

    _items() {
      local cur=${COMP_WORDS[COMP_CWORD]} prefix= kind= list= file= word
      local candidates=() operands=()
      COMPREPLY=()
      [[ $cur == '=' ]] && cur=
      _items_read "${COMP_WORDS[@]:1:COMP_CWORD-1}"
      [[ -n $file ]] && file=$(_items_unquoted "$file")
      if [[ $kind == files ]]; then
        # Where this is not called by readline, there is nothing that could find the files for it.
        compopt -o default 2>/dev/null && return
        while IFS= read -r word; do COMPREPLY+=("$prefix$word"); done < <(compgen -f -- "$cur")
        return
      fi
      [[ $kind != condition ]] || compopt -o nospace 2>/dev/null || true
      if [[ -n $list ]]; then
        operands+=("${COMP_WORDS[@]:COMP_CWORD+1}")
        while IFS= read -r word; do COMPREPLY+=("${word%%$'\t'*}"); done < <(_items_ids)
      fi
      for word in "${candidates[@]}"; do
        word=${word%%:*}
        [[ $word == "$cur"* ]] && COMPREPLY+=("$prefix$word")
      done
      return 0
    }

    complete -F _items items

    """#

  static let zsh = #"""
    _items() {
      local cur=${(Q)PREFIX} prefix= kind= list= file= word
      local -a candidates operands ids
      _items_read "${(@Q)words[2,CURRENT-1]}"
      [[ -n $prefix ]] && compset -P 1 '*='
      if [[ $kind == files ]]; then
        _files
      elif [[ $kind == condition ]]; then
        compadd -S '' -a candidates
      elif [[ -n $list ]]; then
        operands+=("${(@Q)words[CURRENT+1,-1]}")
        # _describe takes what follows the first colon for the description.
        for word in "${(@f)$(_items_ids)}"; do
          word=${${word//\\/\\\\}//:/\\:}
          [[ -n $word ]] && ids+=("${word/$'\t'/:}")
        done
        _describe -V "$list" ids
      elif [[ $cur == -* ]]; then
        _describe -o option candidates
      else
        _describe -V word candidates
      fi
    }

    if [[ ${funcstack[1]} == _items ]]; then
      _items "$@"
    else
      (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
      compdef _items items
    fi

    """#
}
