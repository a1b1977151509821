/// Where the records of one list lie, and the values of their known fields.
///
///     [{"id": 1, "title": "a", "number": 7}, …
///      0       7           19            32      offsets, then those of the next record
package struct RecordList: Sendable {
  package let schema: Schema
  /// The name of the list, quotes included; nil where the document has no such list.
  let name: Range<Int>?
  /// From the opening bracket to behind the closing one.
  let brackets: Range<Int>
  /// For each record where it begins, and where the value of each field does.
  @usableFromInline let offsets: [UInt32]
  /// The highest key; 0 where there is none above, or keys are no numbers.
  let highestID: Int
  /// Whether the keys are numbers, each higher than the one before.
  let hasAscendingKeys: Bool

  /// Reads the list at the scanner's position.
  init(
    _ schema: Schema, name: Range<Int>, scanner: inout JSONScanner, faults: inout [Fault]
  ) throws(Fault) {
    let start = scanner.position
    var index = RecordIndex(schema, bytes: scanner.bytes, faults: faults)
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
    offsets = index.offsets
    stride = schema.fields.count + 1
    highestID = max(0, index.highestID)
    hasAscendingKeys = index.hasAscendingKeys
  }

  /// A list that is not there.
  init(missing schema: Schema) {
    self.schema = schema
    name = nil
    brackets = 0..<0
    offsets = []
    stride = schema.fields.count + 1
    highestID = 0
    hasAscendingKeys = false
  }

  @usableFromInline let stride: Int

  package var count: Int { offsets.count / stride }

  /// Where a record begins.
  package func start(of record: Int) -> Int { Int(offsets[record * stride]) }

  /// Where the value of a known field begins.
  @inlinable package func value(of field: Int, in record: Int) -> Int {
    Int(offsets[record * stride + 1 + field])
  }

  package func key(of record: Int, in bytes: Bytes) -> Key {
    schema.key(at: value(of: 0, in: record), in: bytes)
  }
}

extension Schema {
  /// The key whose value, which has been checked, begins at `position`.
  func key(at position: Int, in bytes: Bytes) -> Key {
    var scanner = JSONScanner(bytes, at: position)
    if case .wholeNumber = key.kind {
      if let number = scanner.skipPlainInteger() { return Key(number: number) }
      try? scanner.skipNumber()
      let number = JSONNumber(position..<scanner.position, in: bytes)
      return Key(number: number.integer ?? 0)
    }
    try? scanner.skipString()
    return Key(uuidAt: position..<scanner.position, in: bytes) ?? Key(low: 0)
  }
}

/// Reads records one after another, checks them and notes where they lie.
///
/// Neighbours mostly look alike, so what lies between the values of a record is first compared with
/// the record before, eight bytes at a time. The same bytes in the same place of the grammar mean the
/// same, so a match needs no second check; the number that pays for it: 1.7 GB/s instead of 0.16.
private struct RecordIndex {
  let schema: Schema
  let bytes: Bytes
  var offsets: [UInt32] = []
  var faults: [Fault]
  var highestID = Int.min

  /// The members of the last record read by `takeRecord`, in their order.
  private var shape: [Step] = []
  /// From the end of the record before it to its first brace.
  private var gapBeforeShape = 0..<0
  /// From behind its last value to behind its last brace.
  private var seamAfterShape = 0..<0
  private var lastEnd: Int?
  /// Where the values of the record at hand begin; -1 for a field not seen.
  private var values: [Int]
  /// All keys so far, from the moment on when they are not ascending numbers.
  private var keys: Set<Key>?
  var hasAscendingKeys: Bool { keys == nil }

  private struct Step {
    /// The bytes before the value, from the end of the value before or from the brace.
    let seam: Range<Int>
    let field: Int?
    let kind: Schema.Kind?
  }

  init(_ schema: Schema, bytes: Bytes, faults: [Fault]) {
    (self.schema, self.bytes, self.faults) = (schema, bytes, faults)
    values = Array(repeating: -1, count: schema.fields.count)
    if case .uuid = schema.key.kind { keys = [] }
  }

  mutating func report(_ fault: Fault) {
    if faults.count < StoreError.faultLimit { faults.append(fault) }
  }

  /// Takes any record.
  mutating func takeRecord(_ scanner: inout JSONScanner) throws(Fault) {
    let start = scanner.position
    guard scanner.current == UInt8(ascii: "{") else {
      try scanner.skipValue()
      return report(Fault(.notAnObject(noun: "each \(schema.noun)"), at: start))
    }
    gapBeforeShape = (lastEnd ?? start)..<start
    shape.removeAll(keepingCapacity: true)
    for field in values.indices { values[field] = -1 }
    var end = start
    var hasValidKey = false
    try scanner.skipObject { (scanner, name) throws(Fault) in
      let value = scanner.position
      let field = schema.field(named: name, in: bytes)
      shape.append(
        Step(seam: end..<value, field: field, kind: field.map { schema.fields[$0].kind }))
      if let field {
        if values[field] >= 0 {
          report(Fault(.repeated(field: schema.fields[field].name), at: name.lowerBound))
        }
        values[field] = value
        let reason = try schema.fields[field].check(&scanner)
        if field == 0 { hasValidKey = reason == nil }
        if let reason { report(Fault(reason, at: value)) }
      } else {
        try scanner.skipValue()
      }
      end = scanner.position
    }
    seamAfterShape = end..<scanner.position
    lastEnd = scanner.position
    for (field, value) in values.enumerated() where value < 0 {
      report(
        Fault(.missing(field: schema.fields[field].name, noun: "the \(schema.noun)"), at: start))
    }
    guard hasValidKey else { return }
    if offsets.isEmpty {
      // Room for as many records of this length as the file can have; memory not used costs nothing.
      let most = (bytes.count - start) / (scanner.position - start) + 1
      offsets.reserveCapacity(stride * most)
      keys?.reserveCapacity(most)
    }
    offsets.append(UInt32(start))
    for value in values { offsets.append(UInt32(truncatingIfNeeded: value)) }
    note(schema.key(at: values[0], in: bytes))
  }

  /// Takes the next records, with what parts them, as long as each is like the last one read by
  /// `takeRecord` and what stood before that.
  @inline(never)
  mutating func takeRecordsLikeTheLast(_ scanner: inout JSONScanner) throws(Fault) {
    guard !gapBeforeShape.isEmpty, faults.isEmpty else { return }
    // Copies, so that the loop works in registers. Around the values are document, list and record.
    var cursor = JSONScanner(bytes, at: scanner.position, depth: 3)
    let gap = gapBeforeShape
    while bytes.isEqual(gap, at: cursor.position) {
      let start = cursor.position &+ gap.count
      cursor.position = start
      guard let key = try takesValuesLikeTheLast(&cursor) else { break }
      scanner.position = cursor.position
      offsets.append(UInt32(truncatingIfNeeded: start))
      for field in 0..<values.count { offsets.append(UInt32(truncatingIfNeeded: values[field])) }
      if keys == nil && key.number > highestID {
        highestID = key.number
      } else {
        note(key)
      }
    }
    lastEnd = scanner.position
  }

  /// Takes a record from its brace on and returns its key, or nil where it is not like the last.
  @inline(__always)
  private mutating func takesValuesLikeTheLast(
    _ cursor: inout JSONScanner
  ) throws(Fault) -> Key? {
    var key = Key(low: 0)
    for i in 0..<shape.count {
      let step = shape[i]
      guard bytes.isEqual(step.seam, at: cursor.position) else { return nil }
      cursor.position &+= step.seam.count
      let value = cursor.position
      if let field = step.field { values[field] = value }
      switch step.kind {
      case .wholeNumber?:
        guard let integer = cursor.skipPlainInteger() else { return nil }
        if step.field == 0 { key = Key(number: integer) }
      case .text?:
        guard cursor.current == UInt8(ascii: "\"") else { return nil }
        try cursor.skipString()
      case .uuid?:
        guard cursor.current == UInt8(ascii: "\"") else { return nil }
        try cursor.skipString()
        guard let uuid = Key(uuidAt: value..<cursor.position, in: bytes) else { return nil }
        if step.field == 0 { key = uuid }
      case nil:
        // Which the record before may have less of.
        cursor.skipWhitespace()
        try cursor.skipValue()
      }
    }
    guard bytes.isEqual(seamAfterShape, at: cursor.position) else { return nil }
    cursor.position &+= seamAfterShape.count
    return key
  }

  /// Remembers the key of the record noted last, and reports one that was there before.
  private mutating func note(_ key: Key) {
    if keys == nil {
      if key.number > highestID {
        highestID = key.number
        return
      }
      keys = Set((0..<count - 1).map(self.key))
    }
    if keys?.insert(key).inserted == false,
      let first = (0..<count).first(where: { self.key($0) == key })
    {
      let id = if case .uuid = schema.key.kind { key.uuid } else { String(key.number) }
      let line = Position(offset: keyOffset(first), in: bytes).line
      report(Fault(.usedID(id, line: line), at: keyOffset(count - 1)))
    }
    if case .wholeNumber = schema.key.kind { highestID = max(highestID, key.number) }
  }

  private var stride: Int { schema.fields.count + 1 }
  private var count: Int { offsets.count / stride }

  private func keyOffset(_ record: Int) -> Int { Int(offsets[record * stride + 1]) }
  private func key(_ record: Int) -> Key { schema.key(at: keyOffset(record), in: bytes) }
}
