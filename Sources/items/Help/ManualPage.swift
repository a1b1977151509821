/// The manual page in mdoc(7): what the command table says, and the sections that it cannot hold.
enum ManualPage {
  static var text: String {
    """
    .Dd \(Help.date)
    .Dt ITEMS 1
    .Os
    .Sh NAME
    .Nm items
    .Nd keep records in one JSON file that a person can read
    .Sh SYNOPSIS
    .Nm items
    .Ar COMMAND
    .Op Ar OPTION ...
    .Op Ar OPERAND ...
    \(description)
    .Sh COMMANDS
    \(Command.Group.allCases.map(section).joined())\
    .Sh OPTIONS
    Options for one command or more:
    \(options(Option.all.filter { option in !isEverywhere(option) }))\
    .Pp
    Options for every command:
    \(options(Option.everywhere))\
    \(sections)
    .Sh EXAMPLES
    \(examples.map(example).joined(separator: ".Pp\n"))\
    \(closingSections)

    """
  }

  private static func isEverywhere(_ option: Option) -> Bool {
    Option.everywhere.contains { $0.long == option.long }
  }

  // MARK: From the table

  private static func section(_ group: Command.Group) -> String {
    let commands = Commands.all.filter { $0.group == group }
    // Compact, so that the forms of a command stand together.
    return ".Ss \(group.rawValue)\n.Bl -tag -width Ds -compact\n"
      + commands.map(entry).joined(separator: ".Pp\n") + ".El\n"
  }

  private static func entry(_ command: Command) -> String {
    // All forms but the last have no text of their own.
    let forms = command.forms.map { form in
      ".It Cm \(command.name)\(form.isEmpty ? "" : " ")\(macros(form))\n"
    }
    let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."
    let options = command.options.map { "Fl " + ($0.short.map { "\($0)" } ?? "-\($0.long)") }
    return forms.joined() + prose(([summary] + command.details).joined(separator: " "))
      + command.recipes.map { purpose, commands in
        prose(purpose) + commands.split(separator: "\n").map { ".Dl \(escaped($0))\n" }.joined()
      }.joined()
      + (options.isEmpty ? "" : "Options:\n.\(options.joined(separator: " , ")) .\n")
  }

  private static func options(_ options: [Option]) -> String {
    ".Bl -tag -width Ds\n"
      + options.map { option in
        let names = (option.short.map { "Fl \($0) , " } ?? "") + "Fl -\(option.long)"
        let value = option.value.map { " Ar \($0)" } ?? ""
        let summary = option.summary.prefix(1).uppercased() + option.summary.dropFirst() + "."
        return ".It \(names)\(value)\n" + prose(summary) + option.details.map(prose).joined()
      }.joined() + ".El\n"
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

  private static func example(_ example: (purpose: String, commands: String)) -> String {
    let lines = example.commands.split(separator: "\n").map { literal($0) + "\n" }
    return "\(prose(example.purpose)).Bd -literal -offset indent\n\(lines.joined()).Ed\n"
  }

  // MARK: Text

  /// Lines of running text, each sentence on a line of its own as mdoc has it.
  static func prose(_ text: String) -> String {
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

  /// A line to be printed as it is.
  static func literal(_ line: some StringProtocol) -> String {
    let text = escaped(line)
    return text.hasPrefix(".") ? "\\&" + text : text
  }

  /// The characters that a reader has to be able to copy, as roff keeps them.
  private static func escaped(_ text: some StringProtocol) -> String {
    String(
      text.flatMap { character -> String in
        switch character {
        case "\\": "\\e"
        case "-": "\\-"
        case "'": "\\(aq"
        case "`": "\\(ga"
        case "^": "\\(ha"
        case "~": "\\(ti"
        default: String(character)
        }
      })
  }
}
