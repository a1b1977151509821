import ItemStore

/// Every option, one row each.
extension Option {
  static let all = [format, input, number, title, condition, sort, watch, yes] + everywhere

  static let everywhere = [file, help, version]

  /// Whether every command has it.
  var isEverywhere: Bool { Option.everywhere.contains { $0.long == long } }

  static let format = Option(
    short: "f", long: "format", value: "FORMAT",
    summary: "print as \(Format.allCases.map(\.rawValue).joined(separator: ", "))",
    details: [
      "The default depends on the command and on whether stdout is a terminal: see OUTPUT."
    ],
    values: .oneOf(Format.allCases.map(\.rawValue))
  ) { (invocation, value) throws(UsageError) in
    invocation.format = try choice(value, "format")
  }

  static let input = Option(
    short: "i", long: "input", value: "INPUT",
    summary: "read stdin as \(InputFormat.allCases.map(\.rawValue).joined(separator: ", "))",
    details: ["The default is auto. Only '-' reads standard input: see STANDARD INPUT."],
    values: .oneOf(InputFormat.allCases.map(\.rawValue))
  ) { (invocation, value) throws(UsageError) in
    invocation.inputFormat = try choice(value, "input")
  }

  static let number = Option(
    short: "n", long: "number", value: "NUMBER", summary: "a whole number",
    details: ["It has 64 bits and may be negative."]
  ) { (invocation, value) throws(UsageError) in
    guard let number = Int(value) else {
      throw UsageError("the number must be a whole number of 64 bits, not '\(value)'")
    }
    invocation.number = number
  }

  static let title = Option(
    short: "t", long: "title", value: "TITLE", summary: "the new title",
    details: ["It must not be blank."]
  ) { (invocation, value) throws(UsageError) in
    invocation.title = try text(value, "title")
  }

  static let condition = Option(
    short: "w", long: "where", value: "COND",
    summary: "only records with FIELD OP VALUE; OP: = != < <= > >= ~ !~",
    details: ["If it is repeated, all conditions must hold: see CONDITIONS AND ORDER."],
    values: .condition
  ) { (invocation, value) throws(UsageError) in
    do throws(Condition.Problem) {
      invocation.conditions.append(try Condition(value))
    } catch {
      throw error.usageError(of: value)
    }
  }

  static let sort = Option(
    short: "s", long: "sort", value: "FIELD", summary: "sort by FIELD; by -FIELD: descending",
    details: ["The default is the order of the file, or of the ids given."],
    values: .field
  ) { (invocation, value) throws(UsageError) in
    let isDescending = value.hasPrefix("-")
    let field = String(isDescending ? value.dropFirst() : value[...])
    guard !field.isEmpty, !field.hasPrefix("=") else {
      throw UsageError("option '--sort' needs the name of a field, not '\(value)'")
    }
    invocation.sortKey = Invocation.SortKey(field: field, isDescending: isDescending)
  }

  static let watch = Option(
    short: nil, long: "watch", summary: "show changes as they happen, until Ctrl-C"
  ) { (invocation, _) in invocation.isWatching = true }

  static let yes = Option(
    short: "y", long: "yes", summary: "do not ask"
  ) { (invocation, _) in invocation.isConfirmed = true }

  static let file = Option(
    short: nil, long: "file", value: "PATH", summary: "the data file for this run", values: .path
  ) { (invocation, value) throws(UsageError) in
    guard !value.isEmpty else { throw UsageError("option '--file' needs a path") }
    invocation.file = value
  }

  static let help = Option(
    short: "h", long: "help", summary: "print help",
    details: ["It wins over everything else on the line, even over errors."]
  ) { (_, _) in }

  static let version = Option(
    short: nil, long: "version", summary: "print the version"
  ) { (_, _) in }

  /// Text that is given must not be blank.
  static func text(_ value: String, _ what: String) throws(UsageError) -> String {
    guard !value.isBlank else {
      throw UsageError("the \(what) must not be empty")
    }
    return value
  }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ value: String, _ what: String
  ) throws(UsageError) -> Choice {
    if let choice = Choice(rawValue: value) { return choice }
    let known = Choice.allCases.map(\.rawValue)
    throw UsageError(
      "unknown \(what) '\(value)'\(Suggestion.value(value, among: known))",
      hint: "One of: \(known.joined(separator: ", "))")
  }
}
