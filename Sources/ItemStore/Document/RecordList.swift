/// The records of one list: where they lie, and what is known of their keys.
package final class RecordList: Sendable {
  package let schema: Schema
  /// The name of the list, quotes included; nil if the document has no such list.
  let name: Range<Int>?
  /// From the opening bracket to behind the closing one.
  let brackets: Range<Int>
  private let rows: RecordRows
  /// The highest key; 0 where there is none above, or keys are no numbers.
  let highestID: Int
  /// Whether the keys are numbers, each higher than the one before.
  let hasAscendingKeys: Bool

  /// Reads the list at the scanner's position.
  init(
    _ schema: Schema, name: Range<Int>, scanner: inout JSONScanner, faults: inout [Fault]
  ) throws(Fault) {
    let start = scanner.position
    var reader = RecordReader(schema, bytes: scanner.bytes, faults: faults)
    defer { faults = reader.faults }
    if scanner.current == UInt8(ascii: "[") {
      try scanner.skipArray { (scanner) throws(Fault) in
        try reader.takeRecord(&scanner)
        try reader.takeRecordsLikeTheLast(&scanner)
      }
    } else {
      try scanner.skipValue()
      reader.report(Fault(.notAList(schema.list), at: start))
    }
    self.schema = schema
    self.name = name
    brackets = start..<scanner.position
    rows = reader.rows
    highestID = max(0, reader.keys.highest)
    hasAscendingKeys = reader.keys.areAscending
  }

  /// A list that is not there.
  init(missing schema: Schema) {
    self.schema = schema
    name = nil
    brackets = 0..<0
    rows = RecordRows(of: schema)
    highestID = 0
    hasAscendingKeys = false
  }

  package var count: Int { rows.count }

  /// Where a record begins.
  package func start(of record: Int) -> Int { rows.start(of: record) }

  /// From the opening brace of a record to behind the closing one.
  @inline(__always) func range(of record: Int, in bytes: Bytes) -> Range<Int> {
    // Before the next record, or the end of the list, are a comma and white space only.
    var end = record + 1 < count ? start(of: record + 1) : brackets.upperBound
    while bytes[end - 1] != UInt8(ascii: "}") { end -= 1 }
    return start(of: record)..<end
  }

  /// Where the value of a known field begins.
  package func value(of field: Int, in record: Int) -> Int { rows.value(of: field, in: record) }

  /// The names of the fields that the schema does not know, each once, as they are met.
  package func ownFieldNames(in document: Document) -> [String] {
    var names: [String] = []
    var seen = Set(schema.fields.map { Array($0.name.utf8) })
    for record in 0..<count {
      StoredRecord(document, self, record).forEachMember { name, _ in
        let text = JSONString.decode(name, in: document.bytes)
        if seen.insert(Array(text.utf8)).inserted { names.append(text) }
      }
    }
    return names
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
  /// A key as people see it.
  package func text(of key: RecordKey) -> String {
    self.key.kind == .uuid ? key.uuid : String(key.number)
  }

  /// The key whose value, which has been checked, begins at `position`.
  func key(at position: Int, in bytes: Bytes) -> RecordKey {
    var scanner = JSONScanner(bytes, at: position)
    if key.kind == .wholeNumber {
      if let number = scanner.skipPlainInteger() { return RecordKey(number: number) }
      try? scanner.skipNumber()
      let number = JSONNumber(position..<scanner.position, in: bytes)
      return RecordKey(number: number.integer ?? 0)
    }
    try? scanner.skipString()
    return RecordKey(uuidAt: position..<scanner.position, in: bytes) ?? RecordKey(low: 0)
  }
}
