extension Document {
  /// Lays out new records for a list, with ids, and with values for what is not given.
  ///
  /// - Returns: the highest item id given out, with them or before.
  /// - Throws: `Rejection` with every id that is in use or given twice, or a record that lacks a field;
  ///   `StoreError.noFreeID`.
  func layOut(
    _ batch: Batch, _ schema: Schema, highestID: Int, with writer: inout RecordWriter
  ) throws -> Int {
    let values = Bytes(batch.values)
    var highest = highestID
    try checkIDs(of: batch, values, schema, &highest)
    for record in 0..<batch.count {
      writer.beginRecord()
      if !batch.isGiven(0, in: record) {
        switch schema.key.kind {
        case .uuid: writer.append(0) { $0 += "\"\(RecordKey.random().uuid)\"".utf8 }
        case .wholeNumber, .text:
          let (next, overflow) = highest.addingReportingOverflow(1)
          if overflow { throw StoreError.noFreeID }
          highest = next
          writer.append(0) { $0 += String(next).utf8 }
        }
      }
      batch.forEachField(of: record) { writer.append($0, $1, of: values) }
      for field in 1..<schema.kinds.count where !batch.isGiven(field, in: record) {
        guard let initial = schema.fields[field].initial else {
          let name = schema.fields[field].name
          let reason = Fault.Reason.missing(field: name, noun: "the \(schema.noun)")
          throw Rejection([
            .init(.invalid(reason), noun: schema.noun, origin: batch.origin(of: record))
          ])
        }
        writer.append(field) { $0 += initial().value }
      }
      writer.endRecord()
      if record == 0 {
        writer.reserveCapacity(forRecords: batch.count, valueBytes: values.count)
      }
    }
    return highest
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
          let id = if case .uuid = schema.key.kind { key.uuid } else { String(key.number) }
          return .init(.taken, noun: schema.noun, id: id, origin: batch.origin(of: record))
        }
      })
  }
}
