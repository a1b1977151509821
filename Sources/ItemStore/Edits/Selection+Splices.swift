extension Selection {
  /// The records that an edit of a file touches: as they are after it, or as they were if it takes them
  /// out.
  ///
  ///     {"id": 1},⏎  {"id": 2},⏎  {"id": 3}      a splice inside a record changes it,
  ///        ^^         ^^^^^^^^^^^                 one that covers records takes them out,
  ///                                               and the bytes of one between records are new ones
  ///
  /// - Parameter splices: of the file, in ascending order.
  init(
    touchedBy splices: [Splice], of file: Bytes, _ document: Document, _ schema: Schema
  ) throws(StoreError) {
    let list = document.list(schema)
    guard document.blank == nil, list.name != nil else {
      let edited = try Document(
        Bytes(splices.applied(to: file)), of: "", document.lists.map(\.schema))
      self.init(edited, schema, Array(0..<edited.list(schema).count))
      return
    }
    var text: [UInt8] = []
    var last = -1
    for splice in splices {
      let touched = list.records(touching: splice.range, in: document)
      if let record = touched.first, touched.count == 1,
        splice.isInside(StoredRecord(document, list, record).range)
      {
        if record == last { continue }
        last = record
        document.appendText(of: StoredRecord(document, list, record), after: splices, to: &text)
        text.append(UInt8(ascii: ","))
        continue
      }
      for record in splice.range.isEmpty ? 0..<0 : touched {
        document.bytes.append(StoredRecord(document, list, record).range, to: &text)
        text.append(UInt8(ascii: ","))
      }
      if list.brackets.contains(splice.range.lowerBound) { splice.appendRecords(to: &text) }
    }
    try self.init(ofRecords: text.dropLast(), schema)
  }

  /// Records that are not in a file.
  ///
  /// - Parameter text: objects with commas between them.
  init(ofRecords text: ArraySlice<UInt8>, _ schema: Schema) throws(StoreError) {
    let opening = [UInt8(ascii: "{")] + JSONString.encode(schema.list) + Array(":[".utf8)
    let json = Bytes(joining: [opening[...], text, Array("]}".utf8)[...]])
    let document = try Document(json, of: "", [schema])
    self.init(document, schema, Array(0..<document.list(schema).count))
  }
}

extension RecordList {
  /// The records that a range lies in, overlaps or covers.
  fileprivate func records(touching range: Range<Int>, in document: Document) -> Range<Int> {
    let end = (0..<count).partitioningIndex {
      start(of: $0) >= max(range.upperBound, range.lowerBound + 1)
    }
    let first = (0..<end).partitioningIndex {
      StoredRecord(document, self, $0).range.upperBound > range.lowerBound
    }
    return first..<end
  }
}

extension Splice {
  /// Whether it changes a part of what lies in a range.
  fileprivate func isInside(_ record: Range<Int>) -> Bool {
    record.lowerBound < range.lowerBound && range.upperBound < record.upperBound
  }

  /// Appends the new bytes without what parts them from their neighbours, and a comma.
  fileprivate func appendRecords(to text: inout [UInt8]) {
    guard let first = bytes.firstIndex(of: UInt8(ascii: "{")),
      let last = bytes.lastIndex(of: UInt8(ascii: "}")), first < last
    else { return }
    text += bytes[first...last]
    text.append(UInt8(ascii: ","))
  }
}
