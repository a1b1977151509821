import ItemStore

extension Verb {
  var name: String {
    switch self {
    case .add: "add"
    case .update: "update"
    case .delete: "delete"
    case .deleteAll: "delete-all"
    case .edit: "edit"
    }
  }

  var pastTense: String {
    switch self {
    case .add: "Added"
    case .update, .edit: "Updated"
    case .delete, .deleteAll: "Deleted"
    }
  }
}

extension Outcome {
  /// `Added item 4: Milk (3)`, `Updated 1 item, 2 as they were`
  var sentence: String {
    if verb == .edit { return sentenceOfEdit }
    let left = touched.records.count - changedCount
    guard verb == .update, left > 0 else { return "\(verb.pastTense) \(touched.inWords)" }
    let schema = touched.schema
    let were = left == 1 ? "as it was" : "as they were"
    if changedCount == 0 { return "Nothing changed: \(left) \(schema.nouns(left)) \(were)" }
    return "Updated \(changedCount) \(schema.nouns(changedCount)), \(left) \(were)"
  }

  /// `Updated 2 items, deleted 1, added 1`
  private var sentenceOfEdit: String {
    let all = [("Updated", changedCount), ("Deleted", removedCount), ("Added", addedCount)]
    let parts = all.filter { $0.1 > 0 }
    guard let (verb, count) = parts.first else { return "Nothing changed" }
    if touched.records.count == 1 { return "\(verb) \(touched.inWords)" }
    let others = parts.dropFirst().map { ", \($0.lowercased()) \($1)" }.joined()
    return "\(verb) \(count) \(touched.schema.nouns(count))\(others)"
  }
}

extension Selection {
  /// `item 4: Milk (3)`, `3 items`
  var inWords: String {
    guard records.count == 1 else { return "\(records.count) \(schema.nouns(records.count))" }
    let fields = StoredRecord(document, list, records[0])
    var words = schema.noun
    for field in schema.fields {
      switch field.kind {
      case .uuid:
        let id = RecordKey(uuid: fields.text(field.name).utf8)
        words += " \(id?.uuid(digits: idDigits?.first ?? RecordKey.digitCount) ?? ""):"
      case .wholeNumber where field.name == schema.key.name:
        words += " \(fields.number(field.name)):"
      case .wholeNumber: words += " (\(fields.number(field.name)))"
      case .text: words += " \(fields.text(field.name))"
      }
    }
    return words
  }

  /// In the order of a field, stable; records without it come last either way.
  func sorted(by key: Invocation.SortKey) -> Selection {
    let list = list
    let keyed = records.map { ($0, FieldValue(StoredRecord(document, list, $0), key.field)) }
    let sorted = keyed.sorted { a, b in
      guard let first = a.1 else { return false }
      guard let second = b.1 else { return true }
      return key.isDescending ? second.sortsBefore(first) : first.sortsBefore(second)
    }
    return Selection(document, schema, sorted.map(\.0))
  }
}

extension Schema {
  var nothingToChange: UsageError {
    UsageError(
      kind.isTextOperand
        ? "nothing to change: give the new \(kind.textNoun) or --set FIELD=TEXT"
        : "nothing to change: give -t TITLE, -n NUMBER or --set FIELD=TEXT")
  }

  func missingID(hint: String?) -> UsageError {
    UsageError("which \(noun)s? Give their ids, or '-' to read them from stdin", hint: hint)
  }

  var deleteAllHint: String { "To delete every \(noun): items \(kind.command("delete-all"))" }

  func refuseSlip(_ field: String) throws(UsageError) {
    if let known = Suggestion.slip(field, of: fields.map(\.name)) {
      throw UsageError("unknown field '\(field)'. Did you mean '\(known)'?")
    }
  }
}

extension Invocation {
  /// Refuses names that are a slip, and a choice of columns that nothing is printed or read in.
  ///
  /// - Parameter printsRows: whether records are printed in rows if no format is given.
  func checkColumns(of schema: Schema, printsRows: Bool = false) throws(UsageError) {
    guard let columns else { return }
    for column in columns { try schema.refuseSlip(column) }
    guard format == .ids || format == nil && !printsRows, !readsTSV else { return }
    throw UsageError(
      "--columns is for tables, tsv, csv, json and jsonl",
      hint: "Say which of them with --format")
  }

  private var readsTSV: Bool {
    readsStdin && (inputFormat ?? .auto == .auto || inputFormat == .tsv)
  }

  /// Refuses columns of tab-separated values that say of no record which one it is, or what it is called.
  func refuseColumnsWithoutID(_ schema: Schema, _ use: Input.Use) throws(UsageError) {
    guard let columns, readsTSV, use != .new, !columns.contains(schema.key.name) else { return }
    throw UsageError(
      "--columns names the cells of stdin too, and has no '\(schema.key.name)'",
      hint: "Add it, or name another format of stdin with --input")
  }

  func refuseInputFormat() throws(UsageError) {
    if inputFormat != nil {
      throw UsageError("--input says how to read stdin, which only '-' does")
    }
  }

  /// The operand that is the new note: the last, where another one or something else says which tasks.
  mutating func takeNote() -> String? {
    guard operands.count == 2 || readsStdin || !conditions.isEmpty else { return nil }
    return operands.popLast()
  }
}
