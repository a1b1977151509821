/// The splices that make an edit, in any order; they do not overlap. All else stays as it is.
extension Document {
  /// Where new records go, behind the last of the list, and what stands before and behind their text.
  func insertion(
    into list: RecordList, _ layout: ListLayout, emptying: Bool = false
  ) -> (range: Range<Int>, before: [UInt8], after: [UInt8]) {
    if list.count > 0 && !emptying {
      let end = StoredRecord(self, list, list.count - 1).range.upperBound
      return (end..<end, layout.between, [])
    }
    if list.name != nil {
      let inside = list.brackets.lowerBound + 1..<list.brackets.upperBound - 1
      return (inside, layout.lead, layout.tail)
    }
    let name = memberComma + JSONString.encode(list.schema.list) + colon + [UInt8(ascii: "[")]
    return (membersEnd..<membersEnd, name + layout.lead, layout.tail + [UInt8(ascii: "]")])
  }

  /// Takes out the records with these indices, which ascend, each with its comma and its line.
  func deleting(_ records: [Int], from schema: Schema) -> [Splice] {
    let list = list(schema)
    let splices = takingOut(records, of: list)
    // The highest id may go with them; `lastID` remembers it.
    if list.highestID == highestID, highestID > 0, (lastID?.value ?? 0) < highestID,
      records.contains(where: { list.key(of: $0, in: bytes).number == highestID })
    {
      return splices + raisingLastID(to: highestID)
    }
    return splices
  }

  /// As `deleting`, but the highest id may be forgotten.
  func takingOut(_ records: [Int], of list: RecordList) -> [Splice] {
    var splices: [Splice] = []
    var i = 0
    while i < records.count {
      let first = records[i]
      while i + 1 < records.count && records[i + 1] == records[i] + 1 { i += 1 }
      let next = records[i] + 1
      i += 1
      let range =
        if next < list.count {
          rangeOfDeletion(first..<next, from: list)
        } else if first > 0 {
          StoredRecord(self, list, first - 1).range
            .upperBound..<StoredRecord(self, list, next - 1).range.upperBound
        } else {
          list.brackets.lowerBound + 1..<list.brackets.upperBound - 1
        }
      splices.append(Splice(range, []))
    }
    return splices
  }

  /// What to take out of a list with records that others follow: their commas, and their lines or their
  /// part of a line. The next line stays one.
  private func rangeOfDeletion(_ records: Range<Int>, from list: RecordList) -> Range<Int> {
    let start = list.start(of: records.lowerBound)
    let next = list.start(of: records.upperBound)
    let end = StoredRecord(self, list, records.upperBound - 1).range.upperBound
    let endBefore =
      records.lowerBound > 0
      ? StoredRecord(self, list, records.lowerBound - 1).range.upperBound
      : list.brackets.lowerBound + 1
    let newline = UInt8(ascii: "\n")
    let comma = bytes.firstIndex(of: UInt8(ascii: ","), in: end..<next)
    guard bytes.firstIndex(of: newline, in: endBefore..<start) == start,
      bytes.firstIndex(of: newline, in: comma..<next) < next
    else { return start..<next }
    return records.lowerBound > 0 ? endBefore..<end : start..<comma + 1
  }

  func raisingLastID(to id: Int) -> [Splice] {
    let digits = Array(String(id).utf8)
    if let lastID { return lastID.value < id ? [Splice(lastID.range, digits)] : [] }
    let start = firstMember?.name ?? membersEnd
    let member = JSONString.encode(Self.lastIDField.name) + colon + digits
    return [Splice(start..<start, member + memberComma)]
  }
}

extension Bytes {
  /// Whether the value that begins at `start` is spelled like one in other bytes.
  func hasValue(_ other: Bytes, _ range: Range<Int>, at start: Int) -> Bool {
    guard start + range.count <= count else { return false }
    for i in 0..<range.count where self[start &+ i] != other[range.lowerBound &+ i] {
      return false
    }
    // A number may go on; every other value shows where it ends.
    guard isDigit(other[range.upperBound - 1]) else { return true }
    let next = self[start + range.count]
    return !isDigit(next) && next != UInt8(ascii: ".") && next | 0x20 != UInt8(ascii: "e")
  }

  /// Whether two values mean the same: equal text, equal numbers, arrays of such values, or objects that
  /// have such values for the same names.
  func means(_ range: Range<Int>, _ other: Bytes, _ otherRange: Range<Int>) -> Bool {
    let isText = self[range.lowerBound] == UInt8(ascii: "\"")
    guard isText == (other[otherRange.lowerBound] == UInt8(ascii: "\"")) else { return false }
    // Without escapes a text has one spelling.
    if isText, JSONString.firstBackslash(in: range, of: self) == nil,
      JSONString.firstBackslash(in: otherRange, of: other) == nil
    {
      return range.count == otherRange.count && hasValue(other, otherRange, at: range.lowerBound)
    }
    if isNumber(at: range.lowerBound) && other.isNumber(at: otherRange.lowerBound) {
      if let a = JSONNumber.integer(range, in: self),
        let b = JSONNumber.integer(otherRange, in: other)
      {
        return a == b
      }
      return JSONNumber(range, in: self) == JSONNumber(otherRange, in: other)
    }
    var (a, b): ([UInt8], [UInt8]) = ([], [])
    JSONString.appendCompact(valueAt: range.lowerBound, in: self, to: &a)
    JSONString.appendCompact(valueAt: otherRange.lowerBound, in: other, to: &b)
    if a == b { return true }
    guard self[range.lowerBound] == other[otherRange.lowerBound] else { return false }
    let (parts, otherParts) = (parts(of: range), other.parts(of: otherRange))
    return !parts.isEmpty && parts.count == otherParts.count
      && zip(parts, otherParts).allSatisfy { part, otherPart in
        part.name == otherPart.name && means(part.value, other, otherPart.value)
      }
  }

  /// The elements of an array, or the members of an object sorted by name; none of any other value.
  private func parts(of range: Range<Int>) -> [(name: [UInt8], value: Range<Int>)] {
    var parts: [(name: [UInt8], value: Range<Int>)] = []
    var scanner = JSONScanner(self, at: range.lowerBound)
    let take = { (scanner: inout JSONScanner, name: [UInt8]) throws(Fault) in
      let start = scanner.position
      try scanner.skipValue()
      parts.append((name, start..<scanner.position))
    }
    switch self[range.lowerBound] {
    case UInt8(ascii: "["):
      try? scanner.skipArray { (scanner) throws(Fault) in try take(&scanner, []) }
    case UInt8(ascii: "{"):
      try? scanner.skipObject { (scanner, name) throws(Fault) in
        var text: [UInt8] = []
        JSONString.appendDecoded(name, in: self, to: &text)
        try take(&scanner, text)
      }
      parts.sort { $0.name.lexicographicallyPrecedes($1.name) }
    default: break
    }
    return parts
  }
}
