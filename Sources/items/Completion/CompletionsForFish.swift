import ItemStore

/// The script for fish.
extension Completions {
  private static func fishQuoted(_ text: String) -> String {
    "'\(text.escaped("\\'"))'"
  }

  private static func fishLine(at names: [String]?, _ rest: String) -> String {
    guard let names else { return "complete -c items \(rest)\n" }
    return "complete -c items -n \(fishQuoted("__items_at " + quoted(names))) \(rest)\n"
  }

  private static var fishWords: String {
    nodes.flatMap { node in
      node.next.map {
        fishLine(at: [node.name], "-a \(quoted([$0.word])) -d \(fishQuoted($0.summary))")
      }
    }.joined()
  }

  private static var fishOperands: String {
    leaves.compactMap { command in
      guard case .choice(_, let words) = command.operands else { return nil }
      return fishLine(
        at: [command.name, "--first"], "-a \(fishQuoted(words.joined(separator: " ")))")
    }.joined()
      + Schema.all.flatMap { schema in
        [false, true].compactMap { onlyFirst in
          let names = takingIDs(of: schema, onlyFirst: onlyFirst)
          if names.isEmpty { return nil }
          return fishLine(
            at: names + (onlyFirst ? ["--first"] : []), "-k -a '(__items_ids \(schema.list))'")
        }
      }.joined()
  }

  private static var fishOptions: String {
    Option.all.map { option in
      let name = (option.short.map { "-s \($0) " } ?? "") + "-l \(option.long)"
      let summary = "-d \(fishQuoted(option.summary))"
      let places = places(of: option)
      let line = { (value: String) in
        fishLine(at: places, [name, value, summary].filter { !$0.isEmpty }.joined(separator: " "))
      }
      switch option.values {
      case .any: return line(option.value == nil ? "" : "-x")
      case .path: return line("-r -F")
      case .oneOf(let words): return line("-x -a \(fishQuoted(words.joined(separator: " ")))")
      case .field, .condition:
        return Schema.all.map { schema in
          var words = fields(option, of: schema)
          // With two ways to go on, there is no blank behind the field.
          if case .condition = option.values { words += words.map { $0 + "=" } }
          return fishLine(
            at: places?.filter(working(on: schema).contains),
            "\(name) -x -a \(fishQuoted(words.joined(separator: " "))) \(summary)")
        }.joined()
      }
    }.joined()
  }

  static var fish: String {
    let paths = quoted(pathOptions.map(\.longName))
    let aliases = Commands.aliases.sorted { $0.key < $1.key }.map { alias, word in
      "            test \"$word\" = \(alias); and set word \(word)\n"
    }.joined()
    return #"""
      # Tab completion for items. Made by items itself from its table of commands.

      # Prints the data file, the command and the operands before the cursor, one a line.
      function __items_read
          set -l file
          set -l name
          set -l operands
          set -l option
          set -l literal
          set -l words (commandline -xpc 2>/dev/null; or commandline -opc)
          set -e words[1]
          for word in $words
              if test -n "$option"
                  contains -- $option \#(paths); and set file $word
                  set option
                  continue
              end
              if test -z "$literal"
                  if test "$word" = --
                      set literal yes
                      continue
                  else if string match -qr '^--[^=]*=' -- $word
                      set -l parts (string split -m 1 = -- $word)
                      contains -- $parts[1] \#(paths); and set file $parts[2]
                      continue
                  else if contains -- $word \#(quoted(valueOptions.map(\.longName)))
                      set option $word
                      continue
                  else if string match -qr '^-[^0-9]' -- $word
                      string match -qr '\#(groupPattern)' -- $word; and set option -(string sub -s -1 -- $word)
                      continue
                  end
              end
              if contains -- "$name" \#(quoted(leaves.map(\.name)))
                  set -a operands $word
              else
      \#(aliases)            set name (string trim -- "$name $word")
              end
          end
          printf '%s\n' "$file" "$name" $operands
      end

      # Whether the command before the cursor is one of these; with --first, whether no operand follows it.
      function __items_at
          set -l line (__items_read)
          contains -- --first $argv; and test (count $line) -gt 2; and return 1
          contains -- "$line[2]" $argv
      end

      # Prints the ids of a list that may come next, each with the text of its record.
      function __items_ids
          set -l line (__items_read)
          set -l option
          test -n "$line[1]"; and set option --file=(string replace -r '^~/' "$HOME/" -- $line[1])
          set -l word (commandline -ct)
          # The words behind the cursor count too.
          set -l before (commandline -opc) $word
          set -l words (commandline -op)
          set -e words[1..(count $before)]
          command items $option \#(Commands.candidates.name) -- $argv[1] "$word" $line[3..] $words 2>/dev/null
      end

      complete -c items -f
      \#(fishWords)\#(fishOperands)\#(fishOptions)
      """#
  }
}
