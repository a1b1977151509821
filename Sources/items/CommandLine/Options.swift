import ItemStore

/// Every option, one row each.
extension Option {
  static let all =
    [
      format, input, number, title, set, unset, condition, sort, columns, watch, yes,
    ] + everywhere

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
    details: ["It has 64 bits and is written as 7, -7, +7 or 007."]
  ) { (invocation, value) throws(UsageError) in
    invocation.number = try wholeNumber(value, "number")
  }

  static let title = Option(
    short: "t", long: "title", value: "TITLE", summary: "the new title",
    details: ["It must not be blank."]
  ) { (invocation, value) throws(UsageError) in
    invocation.title = try text(value, "title")
  }

  static let condition = Option(
    short: "w", long: "where", value: "COND",
    summary: "records with FIELD OP VALUE; OP: = != < <= > >= ~ !~",
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
    values: .sortKey
  ) { (invocation, value) throws(UsageError) in
    let isDescending = value.hasPrefix("-")
    let field = String(isDescending ? value.dropFirst() : value[...])
    guard !field.isEmpty, !field.hasPrefix("=") else {
      throw UsageError("option '--sort' needs the name of a field, not '\(value)'")
    }
    invocation.sortKey = Invocation.SortKey(field: field, isDescending: isDescending)
  }

  static let set = Option(
    short: nil, long: "set", value: "FIELD=TEXT",
    summary: "give a field a text, or with FIELD:=JSON a JSON value",
    details: [
      "The text is taken as it is; ':=' is followed by a JSON value. It may be repeated for other fields:"
        + " see YOUR OWN FIELDS."
    ],
    values: .assignment
  ) { (invocation, value) throws(UsageError) in
    // By code points: a mark that combines with the '=' is a part of the value.
    let scalars = value.unicodeScalars
    guard let equals = scalars.firstIndex(of: "=") else {
      throw UsageError(
        "option '--set' needs FIELD=TEXT or FIELD:=JSON, not '\(value)'",
        hint: "For instance: --set shelf=top --set done:=true")
    }
    let isJSON = scalars[..<equals].last == ":"
    let field = String(isJSON ? scalars[..<equals].dropLast() : scalars[..<equals])
    let given = String(scalars[equals...].dropFirst())
    invocation.fieldChanges.append(
      .init(field: try name(field, "set"), value: isJSON ? .json(given) : .text(given)))
  }

  static let unset = Option(
    short: nil, long: "unset", value: "FIELD", summary: "remove a field of your own",
    details: [
      "A record that does not have it stays as it is. It may be repeated for other fields."
    ],
    values: .ownField
  ) { (invocation, value) throws(UsageError) in
    invocation.fieldChanges.append(.init(field: try name(value, "unset"), value: .removal))
  }

  static let columns = Option(
    short: "c", long: "columns", value: "FIELDS",
    summary: "the fields that are printed, in this order: FIELD,...",
    details: [
      "For tables, tab-separated values and CSV, and for the members of JSON that is printed.",
      "Tab-separated values that are read have these columns too.",
    ],
    values: .fields
  ) { (invocation, value) throws(UsageError) in
    let fields = value.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false)
      .map(String.init)
    for (place, field) in fields.enumerated() {
      if fields[..<place].contains(where: { $0.utf8.elementsEqual(field.utf8) }) {
        throw UsageError("column '\(field)' is given twice")
      }
      _ = try name(field, "columns")
    }
    invocation.columns = fields
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

  /// A sign, perhaps, and decimal digits.
  static func wholeNumber(_ value: String, _ what: String) throws(UsageError) -> Int {
    guard let number = Int(value) else {
      throw UsageError(
        "the \(what) must be a whole number of 64 bits, not '\(value)'")
    }
    return number
  }

  private static func name(_ field: String, _ option: String) throws(UsageError) -> String {
    guard !field.isEmpty else {
      throw UsageError("option '--\(option)' needs the name of a field")
    }
    return field
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
