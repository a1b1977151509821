/// Reads records one after another, checks them and notes where they lie.
///
/// Neighbours mostly look alike, so what lies between the values of a record is first compared with
/// the record before, eight bytes at a time. The same bytes in the same place of the grammar mean the
/// same, so a match needs no second check; the numbers that pay for it: 2.0 GB/s instead of 0.7.
struct RecordReader {
  let schema: Schema
  let bytes: Bytes
  var rows: [RecordList.Row] = []
  var faults: [Fault]
  private(set) var keys: UniqueKeys

  /// The members of the last record read by `takeRecord`, in their order.
  private var shape: [Step] = []
  /// From the end of the record before it to its first brace.
  private var gapBeforeShape = 0..<0
  /// From behind its last value to behind its last brace.
  private var seamAfterShape = 0..<0
  private var lastEnd: Int?

  private struct Step {
    /// The bytes before the value, from the end of the value before or from the brace.
    let seam: Range<Int>
    /// The field of the schema; -1 for any other.
    let field: Int
    let kind: Schema.Kind
  }

  init(_ schema: Schema, bytes: Bytes, faults: [Fault]) {
    (self.schema, self.bytes, self.faults) = (schema, bytes, faults)
    keys = UniqueKeys(schema, bytes)
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
    // A value begins behind the first byte of the file.
    var row = RecordList.Row(start: start)
    var end = start
    var key: RecordKey?
    try scanner.skipObject { (scanner, name) throws(Fault) in
      let value = scanner.position
      guard let field = schema.field(named: name, in: bytes) else {
        shape.append(Step(seam: end..<value, field: -1, kind: .text))
        try scanner.skipValue()
        end = scanner.position
        return
      }
      let kind = schema.kinds[field]
      shape.append(Step(seam: end..<value, field: field, kind: kind))
      if row[1 + field] == 0 {
        row.note(value, of: field)
      } else {
        report(Fault(.repeated(field: schema.fields[field].name), at: name.lowerBound))
      }
      var found = try scanner.skipPlainValue(of: kind)
      if found == nil {
        scanner.position = value
        if let reason = try schema.fields[field].check(&scanner) {
          report(Fault(reason, at: value))
        } else if field == 0 {
          found = schema.key(at: value, in: bytes)
        }
      }
      if field == 0 && row[1] == value { key = found }
      end = scanner.position
    }
    seamAfterShape = end..<scanner.position
    lastEnd = scanner.position
    for field in schema.kinds.indices where row[1 + field] == 0 {
      report(
        Fault(.missing(field: schema.fields[field].name, noun: "the \(schema.noun)"), at: start))
    }
    guard let key else { return }
    if rows.isEmpty {
      // Room for as many records of this length as the file can have; memory not used costs nothing.
      let most = (bytes.count - start) / (scanner.position - start) + 1
      rows.reserveCapacity(most)
      keys.reserveCapacity(most)
    }
    rows.append(row)
    if !keys.insert(key, ofLast: rows) { reportRepeatedKey(key) }
  }

  /// Takes the next records, with what parts them, as long as each is like the last one read by
  /// `takeRecord` and what stood before that.
  @inline(never)
  mutating func takeRecordsLikeTheLast(_ scanner: inout JSONScanner) throws(Fault) {
    guard !gapBeforeShape.isEmpty, faults.isEmpty else { return }
    // Copies, so that the loop works in registers. Around the values are document, list and record.
    let (bytes, gap, shape, end) = (bytes, gapBeforeShape, shape, seamAfterShape)
    var cursor = JSONScanner(bytes, at: scanner.position, depth: 3)
    likeTheLast: while bytes.isEqual(gap, at: cursor.position) {
      cursor.position &+= gap.count
      var row = RecordList.Row(start: cursor.position)
      var key = RecordKey(low: 0)
      for step in shape {
        guard bytes.isEqual(step.seam, at: cursor.position) else { break likeTheLast }
        cursor.position &+= step.seam.count
        if step.field < 0 {
          // White space, which the record before may have less of.
          cursor.skipWhitespace()
          try cursor.skipValue()
          continue
        }
        row.note(cursor.position, of: step.field)
        switch step.kind {
        case .wholeNumber:
          guard let number = cursor.skipPlainInteger() else { break likeTheLast }
          if step.field == 0 { key = RecordKey(number: number) }
        case .text:
          guard cursor.current == UInt8(ascii: "\"") else { break likeTheLast }
          try cursor.skipString()
        case .uuid:
          let start = cursor.position
          guard cursor.current == UInt8(ascii: "\"") else { break likeTheLast }
          try cursor.skipString()
          guard let uuid = RecordKey(uuidAt: start..<cursor.position, in: bytes) else {
            break likeTheLast
          }
          key = uuid
        }
      }
      guard bytes.isEqual(end, at: cursor.position) else { break }
      cursor.position &+= end.count
      scanner.position = cursor.position
      rows.append(row)
      if !keys.insert(key, ofLast: rows) { reportRepeatedKey(key) }
    }
    lastEnd = scanner.position
  }

  /// Reports that the key of the last record was there before.
  private mutating func reportRepeatedKey(_ key: RecordKey) {
    guard let last = rows.last,
      let first = rows.first(where: { schema.key(at: $0[1], in: bytes) == key })
    else { return }
    let id = if case .uuid = schema.key.kind { key.uuid } else { String(key.number) }
    let line = Position(offset: first[1], in: bytes).line
    report(Fault(.usedID(id, line: line), at: last[1]))
  }
}

/// The keys of a list: numbers, each higher than the one before, as long as that holds; then a set.
struct UniqueKeys {
  private(set) var highest = Int.min
  private let schema: Schema
  private let bytes: Bytes
  private let areNumbers: Bool
  private var seen: Set<RecordKey>?

  init(_ schema: Schema, _ bytes: Bytes) {
    (self.schema, self.bytes) = (schema, bytes)
    areNumbers = if case .wholeNumber = schema.key.kind { true } else { false }
    if !areNumbers { seen = [] }
  }

  var areAscending: Bool { seen == nil }

  mutating func reserveCapacity(_ count: Int) { seen?.reserveCapacity(count) }

  /// Adds the key of the last of some rows, and returns whether none before has it.
  @inline(__always)
  mutating func insert(_ key: RecordKey, ofLast rows: [RecordList.Row]) -> Bool {
    if seen == nil && key.number > highest {
      highest = key.number
      return true
    }
    return insertIntoSet(key, rows)
  }

  @inline(never)
  private mutating func insertIntoSet(_ key: RecordKey, _ rows: [RecordList.Row]) -> Bool {
    if seen == nil { seen = Set(rows.dropLast().map { schema.key(at: $0[1], in: bytes) }) }
    if areNumbers { highest = max(highest, key.number) }
    return seen?.insert(key).inserted ?? false
  }
}

extension JSONScanner {
  /// Takes a value that fits a field of this kind, in the spelling that most have; nil where there is
  /// none such.
  ///
  /// - Returns: what it is as a key; for text, which is none, anything.
  @inline(__always)
  mutating func skipPlainValue(of kind: Schema.Kind) throws(Fault) -> RecordKey? {
    switch kind {
    case .wholeNumber:
      guard let number = skipPlainInteger() else { return nil }
      return RecordKey(number: number)
    case .text:
      guard current == UInt8(ascii: "\"") else { return nil }
      try skipString()
      return RecordKey(low: 0)
    case .uuid:
      guard current == UInt8(ascii: "\"") else { return nil }
      let start = position
      try skipString()
      return RecordKey(uuidAt: start..<position, in: bytes)
    }
  }
}
