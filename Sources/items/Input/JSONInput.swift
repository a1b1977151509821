import ItemStore

extension InputRecords {
  /// Reads objects, one after another or in arrays, up to the first fault of syntax.
  mutating func readJSON(from start: Int) {
    // As deep as the records of a data file are, so that what fits here fits there.
    var scanner = JSONScanner(bytes, at: start, depth: 1)
    do throws(Fault) {
      scanner.skipWhitespace()
      if use == .edited && scanner.current != UInt8(ascii: "[") {
        throw scanner.unexpected(expected: "'[' before the first \(schema.noun)")
      }
      while !scanner.isAtEnd {
        if use == .edited && batch.count > 0 { throw Fault(.textAfterEnd, at: scanner.position) }
        if scanner.current == UInt8(ascii: "[") {
          try scanner.skipArray { (scanner) throws(Fault) in try readRecord(&scanner) }
        } else {
          var inner = JSONScanner(bytes, at: scanner.position, depth: 2)
          try readRecord(&inner)
          scanner.position = inner.position
        }
        scanner.skipWhitespace()
      }
    } catch {
      report(error.reason, at: error.offset)
    }
  }

  private mutating func readRecord(_ scanner: inout JSONScanner) throws(Fault) {
    let start = scanner.position
    var id: String?
    if scanner.current == UInt8(ascii: "{") {
      var seen: UInt = 0
      var slips: [Slip] = []
      try scanner.skipObject { (scanner, name) throws(Fault) in
        if let field = schema.field(named: name, in: bytes) {
          if seen >> UInt(field) & 1 == 1 {
            report(.repeated(field: schema.fields[field].name), at: name.lowerBound)
          }
          seen |= 1 << UInt(field)
          try readValue(of: field, &scanner, &id)
        } else {
          try readOwnField(name, &scanner, &slips)
        }
      }
      // A record that has the known field too, as one that was listed, means another one.
      for slip in slips where seen >> UInt(slip.field) & 1 == 0 {
        let known = schema.fields[slip.field].name
        report(.unknownField(slip.name, suggestion: known), at: slip.offset)
      }
    } else if use == .ids {
      id = try readID(&scanner)
    } else {
      try scanner.skipValue()
      report(.notAnObject(noun: "each \(schema.noun)"), at: start)
    }
    endRecord(id: id, origin: start)
  }

  /// Takes the value of a field of the schema.
  private mutating func readValue(
    of field: Int, _ scanner: inout JSONScanner, _ id: inout String?
  ) throws(Fault) {
    if field == 0 && use != .new {
      id = try readID(&scanner)
      return
    }
    if use == .ids { return try scanner.skipValue() }
    let start = scanner.position
    if let reason = try schema.fields[field].check(&scanner) {
      return report(reason, at: start)
    }
    append(field, at: start) { [bytes, end = scanner.position] in
      bytes.append(start..<end, to: &$0)
    }
  }

  /// A name that may be meant for a field of the schema.
  private struct Slip {
    let name: String
    let field: Int
    let offset: Int
  }

  /// Takes the value of a field that is not of the schema.
  private mutating func readOwnField(
    _ name: Range<Int>, _ scanner: inout JSONScanner, _ slips: inout [Slip]
  ) throws(Fault) {
    let start = scanner.position
    try scanner.skipValue()
    if use == .ids { return }
    let text = JSONString.decode(name, in: bytes)
    if let known = Suggestion.slip(text, of: schema.fields.map(\.name)),
      let field = schema.fields.firstIndex(where: { $0.name == known })
    {
      slips.append(Slip(name: text, field: field, offset: name.lowerBound))
    }
    append(field(named: text), at: start) { [bytes] in
      JSONString.appendCompact(valueAt: start, in: bytes, keepingEscapes: true, to: &$0)
    }
  }

  /// A bare id, or that of a record: a number or a string.
  private mutating func readID(_ scanner: inout JSONScanner) throws(Fault) -> String? {
    let start = scanner.position
    var probe = scanner
    if try schema.key.check(&probe) == nil
      || use != .edited && scanner.current == UInt8(ascii: "\"")
    {
      try scanner.skipValue()
      return bytes.idText(start..<scanner.position)
    }
    if let reason = try schema.key.check(&scanner) { report(reason, at: start) }
    return nil
  }
}

extension Bytes {
  /// The text of an id: of a string its content, of a number its value.
  fileprivate func idText(_ range: Range<Int>) -> String {
    if self[range.lowerBound] == UInt8(ascii: "\"") { return JSONString.decode(range, in: self) }
    return JSONNumber.integer(range, in: self).map(String.init) ?? text(range)
  }
}
