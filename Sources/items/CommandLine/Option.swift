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
    /// A field of the user's own.
    case ownField
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
