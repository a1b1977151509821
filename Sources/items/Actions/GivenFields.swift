import ItemStore

/// What a command line gives for the fields of records, or takes out of them.
struct GivenFields {
  private let schema: Schema
  private(set) var members: [Member] = []
  private var removals: [String] = []
  private var names: Set<[UInt8]> = []

  /// - Parameters:
  ///   - text: the title or note that an operand gives.
  ///   - takesKey: whether the key can be given, as it can for one new record.
  init(
    _ invocation: Invocation, _ schema: Schema, text: String? = nil, takesKey: Bool = false
  ) throws(UsageError) {
    self.schema = schema
    if let text, let field = schema.fields.first(where: \.kind.isText) {
      try add(Member(field.name, text: try Option.text(text, schema.kind.textNoun)))
    }
    if let title = invocation.title { try add(Member("title", text: title)) }
    if let number = invocation.number { try add(Member("number", number: number)) }
    for change in invocation.fieldChanges {
      try schema.refuseSlip(change.field)
      let known = schema.fields.firstIndex { $0.name == change.field }
      if known == 0 && !takesKey {
        throw UsageError("'\(change.field)' cannot be set: it is the id of the \(schema.noun)")
      }
      switch change.value {
      case .removal:
        if known != nil {
          throw UsageError("'\(change.field)' cannot be taken out: every \(schema.noun) has it")
        }
        try note(change.field)
        removals.append(change.field)
      case .text(let text): try add(member(change.field, text, known))
      case .json(let json): try add(member(change.field, json: json, known))
      }
    }
  }

  var isEmpty: Bool { members.isEmpty && removals.isEmpty }

  func isGiven(_ field: String) -> Bool { names.contains(Array(field.utf8)) }

  /// One record with all of it.
  var batch: Batch {
    var batch = Batch(schema)
    for member in members { batch.append(member) }
    for name in removals { batch.appendRemoval(of: name) }
    batch.endRecord()
    return batch
  }

  private mutating func note(_ name: String) throws(UsageError) {
    guard names.insert(Array(name.utf8)).inserted else {
      throw UsageError("'\(name)' is given twice")
    }
  }

  private mutating func add(_ member: Member) throws(UsageError) {
    try note(member.name)
    members.append(member)
  }

  private func member(
    _ name: String, _ text: String, _ known: Int?
  ) throws(UsageError) -> Member {
    guard let known else { return Member(name, text: text) }
    switch schema.kinds[known] {
    case .text: return Member(name, text: try Option.text(text, name))
    case .wholeNumber: return Member(name, number: try Option.wholeNumber(text, name))
    case .uuid:
      guard RecordKey(uuid: text.utf8) != nil else {
        throw UsageError("'\(name)' must be a UUID, not '\(text)'")
      }
      return Member(name, text: text)
    }
  }

  /// A member with a JSON value that is checked.
  private func member(
    _ name: String, json: String, _ known: Int?
  ) throws(UsageError) -> Member {
    let bytes = Bytes(Array(json.utf8))
    // Around the values of a stored record are document, list and record.
    var scanner = JSONScanner(bytes, depth: 3)
    do throws(Fault) {
      scanner.skipWhitespace()
      let start = scanner.position
      let reason = try known.flatMap { (known) throws(Fault) in
        try schema.fields[known].check(&scanner)
      }
      if known == nil { try scanner.skipValue() }
      let value = bytes[start..<scanner.position]
      scanner.skipWhitespace()
      if !scanner.isAtEnd { throw Fault(.textAfterEnd, at: scanner.position) }
      if let reason = reason ?? known.flatMap({ schema.blankText(value[...], for: $0) }) {
        throw Fault(reason, at: start)
      }
      return Member(name: name, value: value[...])
    } catch {
      let column = Position(offset: error.offset, in: bytes).column
      throw UsageError(
        "the value of '\(name)', column \(column): \(error.reason)",
        hint: "For a text: --set '\(name)=TEXT'")
    }
  }
}
