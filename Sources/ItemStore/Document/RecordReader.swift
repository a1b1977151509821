/// Reads records one after another, checks them and notes where they lie.
struct RecordReader {
  let schema: Schema
  let bytes: Bytes
  private(set) var rows: RecordRows
  private(set) var faults: [Fault]
  private(set) var keys: UniqueKeys
  /// The layout of the last record read by `takeRecord`.
  private var shape = RecordShape()
  private var lastEnd: Int?
  /// How many records are not to be compared with the one before.
  private var pause = 0
  /// For the lines of records that share an id.
  private var positions: Positions

  init(_ schema: Schema, bytes: Bytes, faults: [Fault]) {
    (self.schema, self.bytes, self.faults) = (schema, bytes, faults)
    keys = UniqueKeys(schema, bytes)
    rows = RecordRows(of: schema)
    positions = Positions(in: bytes)
  }

  mutating func report(_ fault: Fault) {
    if faults.count < FaultList.limit { faults.append(fault) }
  }

  /// Takes any record.
  mutating func takeRecord(_ scanner: inout JSONScanner) throws(Fault) {
    let start = scanner.position
    guard scanner.current == UInt8(ascii: "{") else {
      try scanner.skipValue()
      return report(Fault(.notAnObject(noun: "each \(schema.noun)"), at: start))
    }
    shape.begin(at: start, gap: (lastEnd ?? start)..<start)
    var row = rows.begin(at: start)
    var key: RecordKey?
    try scanner.skipObject { (scanner, name) throws(Fault) in
      let found = try takeMember(named: name, of: &row, &scanner)
      key = key ?? found
    }
    shape.end(at: scanner.position)
    lastEnd = scanner.position
    for field in schema.fields.indices where !rows.isNoted(field, in: row) {
      report(
        Fault(.missing(field: schema.fields[field].name, noun: "the \(schema.noun)"), at: start))
    }
    guard let key else { return rows.takeBack() }
    if rows.count == 0 {
      // Room for as many records of this length as the file can have; memory not used costs nothing.
      let most = (bytes.count - start) / (scanner.position - start) + 1
      rows.reserveCapacity(most)
      keys.reserveCapacity(most)
    }
    add(row, key)
  }

  /// Takes the value of a member of any name.
  ///
  /// - Returns: the key, if it is that and was not taken before.
  @inline(__always) private mutating func takeMember(
    named name: Range<Int>, of row: inout RecordRows.Row, _ scanner: inout JSONScanner
  ) throws(Fault) -> RecordKey? {
    let value = scanner.position
    guard let field = schema.field(named: name, in: bytes) else {
      try scanner.skipValue()
      shape.add(value..<scanner.position, of: -1, .text)
      return nil
    }
    let isRepeated = rows.isNoted(field, in: row)
    if isRepeated {
      report(Fault(.repeated(field: schema.fields[field].name), at: name.lowerBound))
    } else {
      rows.note(value, of: field, in: &row)
    }
    let kind = schema.kinds[field]
    var key = try scanner.skipPlainValue(of: kind)
    if key == nil {
      scanner.position = value
      if let reason = try schema.fields[field].check(&scanner) {
        report(Fault(reason, at: value))
      } else if field == 0 {
        key = schema.key(at: value, in: bytes)
      }
    }
    shape.add(value..<scanner.position, of: field, kind)
    return field == 0 && !isRepeated ? key : nil
  }

  @inline(__always) private mutating func add(_ row: RecordRows.Row, _ key: RecordKey) {
    rows.append(row)
    if let first = keys.insert(key, ofLast: rows) { reportUsedKey(key, of: first) }
  }

  /// Reports that the key of the last record is that of another one, too.
  private mutating func reportUsedKey(_ key: RecordKey, of first: Int) {
    guard faults.count < FaultList.limit else { return }
    let line = positions.position(at: rows.value(of: 0, in: first)).line
    let id = schema.text(of: key)
    report(Fault(.usedID(id, line: line), at: rows.value(of: 0, in: rows.count - 1)))
  }
}

extension RecordReader {
  /// Takes the next records, with what parts them, as long as each is like the last one read by
  /// `takeRecord` and what was before that.
  ///
  /// Neighbours mostly look alike, so what lies between the values of a record is first compared with
  /// the record before, eight bytes at a time. The same bytes in the same place of the grammar mean the
  /// same, so a match needs no second check; the numbers that pay for it: 2.0 GB/s instead of 0.7.
  mutating func takeRecordsLikeTheLast(_ scanner: inout JSONScanner) throws(Fault) {
    if pause > 0 {
      pause -= 1
      return
    }
    guard faults.isEmpty, shape.prepare(forRecordAt: scanner.position, in: bytes) else { return }
    let count = rows.count
    try takeRun(&scanner)
    lastEnd = scanner.position
    // To get ready pays for a run of records only.
    if rows.count - count < 4 { pause = 8 }
  }

  /// Takes records of the shape that is prepared.
  @inline(never) private mutating func takeRun(_ scanner: inout JSONScanner) throws(Fault) {
    // Copies, so that the loop works in registers. Around the values are document, list and record.
    let (gap, steps, tail) = (shape.gap, shape.steps, shape.tail)
    var cursor = JSONScanner(bytes, at: scanner.position, depth: 3)
    while cursor.skips(gap) {
      var row = rows.begin(at: cursor.position)
      guard let key = try take(steps, &cursor, &row), cursor.skips(tail) else {
        rows.takeBack()
        break
      }
      scanner.position = cursor.position
      add(row, key)
    }
  }

  /// Takes the members of a record that looks like the last one; nil if it does not.
  @inline(__always)
  private mutating func take(
    _ steps: [RecordShape.Step], _ cursor: inout JSONScanner, _ row: inout RecordRows.Row
  ) throws(Fault) -> RecordKey? {
    var key = RecordKey(low: 0)
    for step in steps {
      guard cursor.skips(step.seam) else { return nil }
      if step.field < 0 {
        // White space, which the record before may have less of.
        cursor.skipWhitespace()
        try cursor.skipValue()
        continue
      }
      rows.note(cursor.position, of: step.field, in: &row)
      guard let found = try cursor.skipPlainValue(of: step.kind) else { return nil }
      if step.field == 0 { key = found }
    }
    return key
  }
}

extension JSONScanner {
  /// Takes a value that fits a field of this kind, in the spelling that most have; nil if it is none
  /// such.
  ///
  /// - Returns: what it is as a key; for text, which is none, anything.
  @inline(__always)
  fileprivate mutating func skipPlainValue(of kind: Schema.Kind) throws(Fault) -> RecordKey? {
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
