/// Where the records of one list lie, and the values of their known fields.
///
///     [{"id": 1, "title": "a", "number": 7}, …
///      0       7           19            32      one row
package struct RecordList: Sendable {
  package let schema: Schema
  /// The name of the list, quotes included; nil where the document has no such list.
  let name: Range<Int>?
  /// From the opening bracket to behind the closing one.
  let brackets: Range<Int>
  /// Where each record begins, and where the value of each field does.
  @usableFromInline let rows: [Row]
  /// The highest key; 0 where there is none above, or keys are no numbers.
  let highestID: Int
  /// Whether the keys are numbers, each higher than the one before.
  let hasAscendingKeys: Bool

  /// Reads the list at the scanner's position.
  init(
    _ schema: Schema, name: Range<Int>, scanner: inout JSONScanner, faults: inout [Fault]
  ) throws(Fault) {
    let start = scanner.position
    var index = RecordReader(schema, bytes: scanner.bytes, faults: faults)
    defer { faults = index.faults }
    if scanner.current == UInt8(ascii: "[") {
      try scanner.skipArray { (scanner) throws(Fault) in
        try index.takeRecord(&scanner)
        try index.takeRecordsLikeTheLast(&scanner)
      }
    } else {
      try scanner.skipValue()
      index.report(Fault(.notAList(schema.list), at: start))
    }
    self.schema = schema
    self.name = name
    brackets = start..<scanner.position
    rows = index.rows
    highestID = max(0, index.keys.highest)
    hasAscendingKeys = index.keys.areAscending
  }

  /// A list that is not there.
  init(missing schema: Schema) {
    self.schema = schema
    name = nil
    brackets = 0..<0
    rows = []
    highestID = 0
    hasAscendingKeys = false
  }

  /// Four offsets of 32 bits: of a record, then of its fields. They are shifted into words, as to set
  /// one by its number in an array or a vector goes through memory and takes a third of a scan.
  @usableFromInline struct Row {
    @usableFromInline var low: UInt64
    @usableFromInline var high: UInt64 = 0

    init(start: Int) { low = UInt64(truncatingIfNeeded: start) }

    @inlinable subscript(place: Int) -> Int {
      let word = place < 2 ? low : high
      return Int(truncatingIfNeeded: word &>> UInt64(32 &* (place & 1)) & 0xFFFF_FFFF)
    }

    /// Notes where the value of a field begins, which is not noted yet.
    @inline(__always) mutating func note(_ offset: Int, of field: Int) {
      let place = 1 &+ field
      let part = UInt64(truncatingIfNeeded: offset) &<< UInt64(32 &* (place & 1))
      if place < 2 { low |= part } else { high |= part }
    }
  }

  package var count: Int { rows.count }

  /// Where a record begins.
  package func start(of record: Int) -> Int { rows[record][0] }

  /// A place behind the end of a record, and not behind that of the list.
  package func end(of record: Int) -> Int {
    record + 1 < count ? start(of: record + 1) : brackets.upperBound
  }

  /// Where the value of a known field begins.
  @inlinable package func value(of field: Int, in record: Int) -> Int {
    rows[record][1 + field]
  }

  /// Whether any record has a field of this name.
  package func hasField(_ name: String, in document: Document) -> Bool {
    if schema.fields.contains(where: { $0.name == name }) { return count > 0 }
    return (0..<count).contains { StoredRecord(document, self, $0).range(of: name) != nil }
  }

  package func key(of record: Int, in bytes: Bytes) -> RecordKey {
    schema.key(at: value(of: 0, in: record), in: bytes)
  }
}

extension Schema {
  /// The key whose value, which has been checked, begins at `position`.
  func key(at position: Int, in bytes: Bytes) -> RecordKey {
    var scanner = JSONScanner(bytes, at: position)
    if case .wholeNumber = key.kind {
      if let number = scanner.skipPlainInteger() { return RecordKey(number: number) }
      try? scanner.skipNumber()
      let number = JSONNumber(position..<scanner.position, in: bytes)
      return RecordKey(number: number.integer ?? 0)
    }
    try? scanner.skipString()
    return RecordKey(uuidAt: position..<scanner.position, in: bytes) ?? RecordKey(low: 0)
  }
}
