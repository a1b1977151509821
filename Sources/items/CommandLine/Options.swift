import ItemStore

/// Every option, one row each.
extension Option {
  static let all = [format, input, number, title, condition, sort, watch, yes] + everywhere

  static let everywhere = [file, help, version]

  static let format = Option(
    short: "f", long: "format", value: "FORMAT",
    summary: "print as \(Format.allCases.map(\.rawValue).joined(separator: ", "))",
    details: ["Without it that depends on what is printed, and whether on a terminal: see OUTPUT."],
    values: .oneOf(Format.allCases.map(\.rawValue))
  ) { (invocation, value) throws(UsageError) in
    invocation.format = try choice(value, "format")
  }

  static let input = Option(
    short: "i", long: "input", value: "INPUT",
    summary: "read stdin as \(InputFormat.allCases.map(\.rawValue).joined(separator: ", "))",
    details: ["Without it, auto. Only '-' reads standard input: see STANDARD INPUT."],
    values: .oneOf(InputFormat.allCases.map(\.rawValue))
  ) { (invocation, value) throws(UsageError) in
    invocation.inputFormat = try choice(value, "input")
  }

  static let number = Option(
    short: "n", long: "number", value: "NUMBER", summary: "the number, a whole one",
    details: ["It has 64 bits, may be negative, and may be spelled 2.0 or 1e2."]
  ) { (invocation, value) throws(UsageError) in
    guard let number = JSONNumber(value)?.integer ?? Int(value) else {
      throw UsageError("the number must be a whole number of 64 bits, not '\(value)'")
    }
    invocation.number = number
  }

  static let title = Option(
    short: "t", long: "title", value: "TITLE", summary: "the new title",
    details: ["A title, like a note, must not be blank."]
  ) { (invocation, value) throws(UsageError) in
    invocation.title = try text(value, "title")
  }

  static let condition = Option(
    short: "w", long: "where", value: "COND",
    summary: "those with FIELD OP VALUE; OP: = != < <= > >= ~ !~",
    details: ["Repeated, all must hold: see CONDITIONS AND ORDER."], values: .condition
  ) { (invocation, value) throws(UsageError) in
    do throws(Condition.Problem) {
      invocation.conditions.append(try Condition(value))
    } catch {
      throw error.usageError(of: value)
    }
  }

  static let sort = Option(
    short: "s", long: "sort", value: "FIELD", summary: "in the order of FIELD; -FIELD: descending",
    details: ["Without it, the order of the file or of the ids given."],
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
    short: nil, long: "watch", summary: "show changes as they are made, until Ctrl-C"
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
    details: ["It wins over everything else on the line, also over what is wrong with it."]
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
