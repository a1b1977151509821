extension Document {
  /// Lays out new records for a list, with ids, and with values for what is not given.
  ///
  /// - Returns: their text, and the highest item id given out with them.
  /// - Throws: `taken` with every id that is in use or given twice, `noFreeID`, `invalidValue`.
  func text(
    of drafts: [Draft], in layout: ListLayout, _ schema: Schema, highestID: Int
  ) throws(StoreError) -> (text: [UInt8], highestID: Int) {
    var highest = highestID
    try checkIDs(of: drafts, schema, &highest)
    var writer = RecordWriter(layout)
    // One array serves all records: a batch may have very many.
    var members: [Member] = []
    for draft in drafts {
      members.removeAll(keepingCapacity: true)
      if !draft.members.contains(where: { $0.name == schema.key.name }) {
        members.append(try newKey(schema, &highest))
      }
      members += draft.members
      for field in schema.fields.dropFirst()
      where !members.contains(where: { $0.name == field.name }) {
        guard let value = field.initial?() else {
          throw .invalidValue(
            .missing(field: field.name, noun: "the \(schema.noun)"), origin: draft.origin)
        }
        members.append(value)
      }
      writer.append(members)
    }
    return (writer.text, highest)
  }

  private func newKey(_ schema: Schema, _ highestID: inout Int) throws(StoreError) -> Member {
    if case .uuid = schema.key.kind { return Member(schema.key.name, text: Key.random().uuid) }
    let (next, overflow) = highestID.addingReportingOverflow(1)
    if overflow { throw .noFreeID }
    highestID = next
    return Member(schema.key.name, number: next)
  }

  /// Checks that the ids that drafts bring are free, and raises `highestID` to them.
  private func checkIDs(
    of drafts: [Draft], _ schema: Schema, _ highestID: inout Int
  ) throws(StoreError) {
    var brought: [Key: StoreError.Mention] = [:]
    var taken: [StoreError.Mention] = []
    for draft in drafts {
      guard let member = draft.members.first(where: { $0.name == schema.key.name }) else {
        continue
      }
      let json = Bytes(Array(member.value))
      let key = schema.key(at: 0, in: json)
      let id = if case .uuid = schema.key.kind { key.uuid } else { String(key.number) }
      let mention = StoreError.Mention(noun: schema.noun, id: id, origin: draft.origin)
      if brought.updateValue(mention, forKey: key) != nil { taken.append(mention) }
      if case .wholeNumber = schema.key.kind { highestID = max(highestID, key.number) }
    }
    if brought.isEmpty { return }
    let list = list(schema)
    for record in 0..<list.count {
      if let mention = brought[list.key(of: record, in: bytes)] { taken.append(mention) }
    }
    if !taken.isEmpty {
      throw .taken(taken.sorted { ($0.origin ?? 0) < ($1.origin ?? 0) })
    }
  }
}
