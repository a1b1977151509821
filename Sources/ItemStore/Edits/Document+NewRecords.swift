extension Document {
  /// The edit that adds records after the last one of a list.
  ///
  /// - Parameter emptying: whether the records of the list are taken out, too.
  func adding(
    _ batch: Batch, to schema: Schema, highestID: Int, emptying: Bool = false
  ) throws -> Edit {
    if batch.count == 0 { return Edit(splices: [], touched: .made(text: [], 0..<0, count: 0)) }
    let list = list(schema)
    let layout = ListLayout(of: list, in: self) ?? ListLayout(forEmptyListIn: self)
    let insertion = insertion(into: list, layout, emptying: emptying)
    var writer = RecordWriter(layout, names: batch.names, after: insertion.before)
    let lastID = try layOut(batch, schema, highestID: highestID, with: &writer)
    let records = insertion.before.count..<writer.text.count
    let text = writer.finish(insertion.after)
    var splices = [Splice(insertion.range, text)]
    // A file without `lastID` counts from its highest id.
    if schema.key.kind == .wholeNumber, self.lastID != nil {
      splices += raisingLastID(to: lastID)
    }
    return Edit(
      splices: splices, touched: .made(text: text, records, count: batch.count),
      highestID: schema.key.kind == .wholeNumber ? lastID : 0)
  }

  /// Lays out new records for a list, with ids, and with values for what is not given.
  ///
  /// - Returns: the highest item id given out, with them or before.
  /// - Throws: `Rejection` with every id that is in use or given twice, or a record that lacks a field;
  ///   `StoreError.noFreeID`.
  func layOut(
    _ batch: Batch, _ schema: Schema, highestID: Int, with writer: inout RecordWriter
  ) throws -> Int {
    let values = Bytes(batch.values)
    let list = list(schema)
    var highest = highestID
    try checkIDs(of: batch, values, schema, &highest)
    let order = MemberOrder(
      batch, like: list.count > 0 ? StoredRecord(self, list, list.count - 1) : nil)
    // Neighbours mostly lack the same.
    var (known, initial): (UInt?, [Int]) = (nil, [])
    for record in 0..<batch.count {
      if batch.known(in: record) != known {
        known = batch.known(in: record)
        initial = try initialFields(of: batch, record, schema)
      }
      let hasKey = batch.isGiven(0, in: record)
      if !hasKey, schema.key.kind == .wholeNumber {
        let (next, overflow) = highest.addingReportingOverflow(1)
        if overflow { throw StoreError.noFreeID }
        highest = next
      }
      func write(_ source: MemberOrder.Source) {
        switch source {
        case .newID: writer.append(0) { schema.appendNewKey(highest, to: &$0) }
        case .given(let field, let value): writer.append(field, value, of: values)
        case .initial(let field):
          writer.append(field) { $0 += schema.fields[field].initial?().value ?? [] }
        }
      }
      writer.beginRecord()
      if order.isThat(of: batch, record, initial) {
        if !hasKey { write(.newID) }
        batch.forEachField(of: record) { field, _, value in write(.given(field: field, value)) }
        for field in initial { write(.initial(field: field)) }
      } else {
        for source in order.sorted(batch, record, initial) { write(source) }
      }
      writer.endRecord()
      if record == 0 {
        writer.reserveCapacity(forRecords: batch.count, valueBytes: values.count)
      }
    }
    return highest
  }

  /// The fields that a record lacks and gets a value for.
  private func initialFields(
    of batch: Batch, _ record: Int, _ schema: Schema
  ) throws(Rejection) -> [Int] {
    var fields: [Int] = []
    for field in 1..<schema.kinds.count where !batch.isGiven(field, in: record) {
      guard schema.fields[field].initial != nil else {
        let name = schema.fields[field].name
        let reason = Fault.Reason.missing(field: name, noun: "the \(schema.noun)")
        throw Rejection([
          .init(.invalid(reason), noun: schema.noun, origin: batch.origin(of: record))
        ])
      }
      fields.append(field)
    }
    return fields
  }

  /// Checks that the ids that records bring are free, and raises `highestID` to them.
  private func checkIDs(
    of batch: Batch, _ values: Bytes, _ schema: Schema, _ highestID: inout Int
  ) throws(Rejection) {
    let list = list(schema)
    var ascending = AscendingKeys(of: list, in: bytes)
    // The record that brings each id first.
    var first: [RecordKey: Int] = [:]
    var taken: [Int] = []
    for record in 0..<batch.count {
      guard let value = batch.value(of: 0, in: record) else { continue }
      let key = schema.key(at: value.lowerBound, in: values)
      if case .wholeNumber = schema.key.kind { highestID = max(highestID, key.number) }
      let isRepeated = first[key] != nil
      if !isRepeated { first[key] = record }
      if isRepeated || ascending?.record(key.number) != nil { taken.append(record) }
    }
    if first.isEmpty { return }
    if ascending == nil {
      for record in 0..<list.count {
        if let record = first[list.key(of: record, in: bytes)] { taken.append(record) }
      }
    }
    if taken.isEmpty { return }
    try Rejection.throwAll(
      taken.sorted().compactMap { record in
        batch.value(of: 0, in: record).map { value in
          let key = schema.key(at: value.lowerBound, in: values)
          return .init(
            .taken, noun: schema.noun, id: schema.text(of: key), origin: batch.origin(of: record))
        }
      })
  }
}

extension Schema {
  /// Appends the key of a new record: this number, or a random UUID.
  fileprivate func appendNewKey(_ number: Int, to json: inout [UInt8]) {
    if key.kind == .uuid {
      json += "\"\(RecordKey.random().uuid)\"".utf8
    } else {
      json += String(number).utf8
    }
  }
}
