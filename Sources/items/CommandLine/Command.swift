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

/// An option of one or more commands.
struct Option: Sendable {
  let short: Character?
  let long: String
  /// What the help calls its value; nil for a flag.
  var value: String?
  let summary: String
  /// More than fits a line of help, for the manual page.
  var details: [String] = []
  var values = Values.any
  /// Takes the value; a flag gets "".
  let set: @Sendable (inout Invocation, String) throws(UsageError) -> Void

  /// What its value can be, as far as a shell can help with it.
  enum Values: Sendable {
    case any, path, condition
    /// A field, or one with a hyphen before it.
    case sortKey
    /// Fields with commas between them.
    case fields
    /// FIELD=TEXT
    case assignment
    case oneOf([String])
  }

  /// `-n, --number NUMBER`
  var spelling: String {
    let names = short.map { "-\($0), --\(long)" } ?? "    --\(long)"
    return value.map { "\(names) \($0)" } ?? names
  }

  /// `--number`
  var longName: String { "--\(long)" }
}

/// A command line that has been understood.
struct Invocation {
  var line = GivenLine()
  var operands: [String] = []
  /// Whether a `-` was given, for standard input.
  var readsStdin = false

  var format: Format?
  var inputFormat: InputFormat?
  var number: Int?
  var title: String?
  var conditions: [Condition] = []
  var sortKey: SortKey?
  /// The fields that are printed, and those of tab-separated values that are read.
  var columns: [String]?
  var fieldChanges: [FieldChange] = []
  var isConfirmed = false
  var isWatching = false
  var file: String?

  /// What `--set` or `--unset` says of one field.
  struct FieldChange {
    let field: String
    let value: Value

    enum Value {
      case text(String)
      /// Not checked yet.
      case json(String)
      case removal
    }
  }

  struct SortKey {
    let field: String
    let isDescending: Bool
  }
}

/// How records are printed.
enum Format: String, CaseIterable {
  case table, tsv, csv, json, jsonl, ids
}

/// How standard input is read.
enum InputFormat: String, CaseIterable {
  case auto, text, tsv, csv, json
}

enum ExitCode: CInt, Error {
  case done = 0
  /// No such record, id taken, nothing to undo, or the answer was no.
  case no = 1
  case wrongRequest = 2
  /// The data file or the output cannot be used; the data is as it was.
  case unusable = 3
  /// The change is made, but something after it failed.
  case doneButFailed = 4
}

/// A request that is wrong.
struct UsageError: Error {
  /// One line for each thing that is wrong.
  var messages: [String]
  /// The way out, if the messages do not say it.
  var hint: String?
  var exitCode = ExitCode.wrongRequest

  init(_ message: String, hint: String? = nil) { self.init([message], hint: hint) }

  init(_ messages: [String], hint: String? = nil) { (self.messages, self.hint) = (messages, hint) }
}
