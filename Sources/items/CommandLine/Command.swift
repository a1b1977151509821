import ItemStore

/// One row of the table in `Commands.swift`: all that parsing, help, suggestions, completions and the
/// manual page know of a command.
struct Command: Sendable {
  /// `["tasks", "add"]`
  let words: [String]
  /// What may follow the words, one text for each form.
  let forms: [String]
  /// What it does, in one line.
  let summary: String
  /// More that a user may have to know, in whole sentences.
  var details: [String] = []
  /// Lines for a shell that set up or use what it prints.
  var recipes: [(purpose: String, commands: String)] = []
  var options: [Option] = []
  var operands: Operands = .none
  /// The records that it works on.
  var kind: RecordKind?
  let group: Group
  let run: @Sendable (Invocation) throws -> ExitCode

  var name: String { words.joined(separator: " ") }

  var allOptions: [Option] { options + Option.everywhere }

  func has(_ option: Option) -> Bool { allOptions.contains { $0.long == option.long } }

  enum Group: String, CaseIterable, Sendable {
    case items = "Items"
    case tasks = "To-do tasks"
    case file = "The data file"
    case help = "Help"
  }
}
