import CItems

/// The manual page in mdoc(7): the file `items.1`, in which the table of commands fills three places.
enum ManualPage {
  static var text: String {
    let file = unsafe String(cString: items_manual())
    return file.split(separator: "\n").map { line in
      switch line {
      case #".\" table: commands"#: Command.Group.allCases.map(section).joined()
      case #".\" table: options"#: options(Option.all.filter { !$0.isEverywhere })
      case #".\" table: options everywhere"#: options(Option.everywhere)
      // What is for those who edit the file.
      case _ where line.hasPrefix(#".\""#): ""
      default: line + "\n"
      }
    }.joined()
  }

  private static func section(_ group: Command.Group) -> String {
    let commands = Commands.all.filter { $0.group == group }
    // Compact, so that the forms of a command are together.
    return ".Ss \(group.rawValue)\n.Bl -tag -width Ds -compact\n"
      + commands.map(entry).joined(separator: ".Pp\n") + ".El\n"
  }

  private static func entry(_ command: Command) -> String {
    // All forms but the last have no text of their own.
    let forms = command.forms.map { form in
      ".It Cm \(command.name)\(form.isEmpty ? "" : " ")\(macros(form))\n"
    }
    let options = command.options.map { "Fl " + ($0.short.map { "\($0)" } ?? "-\($0.long)") }
    return forms.joined()
      + prose(([sentence(command.summary)] + command.details).joined(separator: " "))
      + command.recipes.map(recipe).joined()
      + (options.isEmpty ? "" : "Options:\n.\(options.joined(separator: " , ")) .\n")
  }

  private static func recipe(_ recipe: (purpose: String, commands: String)) -> String {
    // Literal, as a line that is broken could not be pasted.
    prose(recipe.purpose) + ".Bd -literal -offset 2n -compact\n"
      + recipe.commands.split(separator: "\n").map { escaped($0) + "\n" }.joined() + ".Ed\n"
  }

  private static func options(_ options: [Option]) -> String {
    ".Bl -tag -width Ds\n"
      + options.map { option in
        let names = (option.short.map { "Fl \($0) , " } ?? "") + "Fl -\(option.long)"
        let value = option.value.map { " Ar \($0)" } ?? ""
        return ".It \(names)\(value)\n" + prose(sentence(option.summary))
          + option.details.map(prose).joined()
      }.joined() + ".El\n"
  }

  private static func sentence(_ summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }

  /// A form as macros: `[-n NUMBER]` is `Oo Fl n Ar NUMBER Oc`.
  private static func macros(_ form: String) -> String {
    var text = form
    for mark in ["[", "]", "|", "..."] {
      text = text.split(separator: mark, omittingEmptySubsequences: false)
        .joined(separator: " \(mark) ")
    }
    return text.split(separator: " ").map { word in
      switch word {
      case "[": "Oo"
      case "]": "Oc"
      case "|", "...": String(word)
      case "-": "Cm \\-"
      case _ where word.hasPrefix("-"): "Fl \(escaped(word.dropFirst()))"
      case _ where word.allSatisfy { $0.isUppercase }: "Ar \(word)"
      default: "Cm \(escaped(word))"
      }
    }.joined(separator: " ")
  }

  /// Lines of running text, each sentence on a line of its own as mdoc has it.
  private static func prose(_ text: String) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let word = escaped(word)
      if line.utf8.count + word.utf8.count > 76 || line.hasSuffix(".") || line.hasSuffix(":") {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return (lines + [line]).map { $0 + "\n" }.joined()
  }

  /// Text with the characters that a reader must be able to copy as roff keeps them. Macros take a quote
  /// for their own.
  private static func escaped(_ text: some StringProtocol) -> String {
    String(
      text.flatMap { character -> String in
        switch character {
        case "\\": "\\e"
        case "-": "\\-"
        case "'": "\\(aq"
        case "\"": "\\(dq"
        case "`": "\\(ga"
        case "^": "\\(ha"
        case "~": "\\(ti"
        default: String(character)
        }
      })
  }
}
