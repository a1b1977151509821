/// Help from the command table.
enum Help {
  static let version = "0.1.0"

  /// Help for the command with these words, or for all that begin with them.
  static func text(for words: [String]) -> String {
    if let command = Commands.all.first(where: { $0.words == words }) { return text(for: command) }
    return words.isEmpty ? overview : text(forThoseOf: words)
  }

  private static func text(forThoseOf words: [String]) -> String {
    let commands = Commands.all.filter { $0.words.starts(with: words) }
    let name = words.joined(separator: " ")
    return """
      Usage:
      \(synopses(commands))
      Commands:
      \(rows(commands.map { ($0.name, $0.summary) }))
      'items \(name) COMMAND --help' says more of a command.

      """
  }

  private static let overview = """
    items - keep records in one JSON file that a person can read

    Usage: items COMMAND [OPTION...]

    \(Command.Group.allCases.map(section).joined(separator: "\n"))
    Options for every command:
    \(rows(Option.everywhere.map { ($0.spelling, $0.summary) }))
    Examples:
      items add 'Buy milk' -n 2
      items list --where 'number>=2' --sort -number
      items list --format jsonl | jq -c '.number += 1' | items update -

    'items COMMAND --help' says more of a command, 'items man' says everything.

    """

  /// What is printed if no command is given.
  static let short = """
    Usage: items COMMAND [OPTION...]
    Commands: \(wrapped(Commands.all.map(\.name).joined(separator: ", "), indent: 10))
    Run 'items --help' for what they do

    """

  private static func section(_ group: Command.Group) -> String {
    let commands = Commands.all.filter { $0.group == group }
    let width = Commands.all.map(\.name.count).max() ?? 0
    return "\(group.rawValue):\n" + rows(commands.map { ($0.name, $0.summary) }, width: width)
  }

  private static func text(for command: Command) -> String {
    var text = "items \(command.name) - \(command.summary)\n\nUsage:\n" + synopses([command])
    if !command.details.isEmpty {
      text += "\n" + command.details.map { wrapped($0, indent: 0) + "\n" }.joined()
    }
    for (purpose, commands) in command.recipes {
      text +=
        "\n\(purpose)\n"
        + commands.split(separator: "\n").map { "  \($0)\n" }.joined()
    }
    return text + "\nOptions:\n" + rows(command.allOptions.map { ($0.spelling, $0.summary) })
  }

  private static func synopses(_ commands: [Command]) -> String {
    commands.flatMap { command in
      command.forms.map { form in "  items \(command.name)\(form.isEmpty ? "" : " ")\(form)\n" }
    }.joined()
  }

  /// Two columns, the first as wide as its widest text or wider.
  private static func rows(_ rows: [(String, String)], width: Int = 0) -> String {
    let width = rows.reduce(width) { max($0, $1.0.count) }
    return rows.map { left, right in
      "  " + left + String(repeating: " ", count: width - left.count + 2) + right + "\n"
    }.joined()
  }

  /// The text in lines of 80 columns, all but the first indented.
  static func wrapped(_ text: String, indent: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty && indent + line.count + 1 + word.count > 80 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return (lines + [line]).joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
