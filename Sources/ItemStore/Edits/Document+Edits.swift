/// The splices that make an edit, in any order; they do not overlap. All else stays as it is.
extension Document {
  /// Where new records go, behind the last of the list, and what stands before and behind their text.
  func insertion(
    into list: RecordList, _ layout: ListLayout
  ) -> (range: Range<Int>, before: [UInt8], after: [UInt8]) {
    if list.count > 0 {
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
    var splices: [Splice] = []
    var i = 0
    while i < records.count {
      let first = records[i]
      while i + 1 < records.count && records[i + 1] == records[i] + 1 { i += 1 }
      let next = records[i] + 1
      i += 1
      let range =
        if next < list.count {
          list.start(of: first)..<list.start(of: next)
        } else if first > 0 {
          StoredRecord(self, list, first - 1).range
            .upperBound..<StoredRecord(self, list, next - 1).range.upperBound
        } else {
          list.brackets.lowerBound + 1..<list.brackets.upperBound - 1
        }
      splices.append(Splice(range, []))
    }
    // The highest id may go with them; `lastID` remembers it.
    if list.highestID == highestID, highestID > 0, (lastID?.value ?? 0) < highestID,
      records.contains(where: { list.key(of: $0, in: bytes).number == highestID })
    {
      splices += raisingLastID(to: highestID)
    }
    return splices
  }

  /// Gives fields of one record new values; a value that is there already is left as it is spelled.
  /// What cannot be goes to `problems`: text that would become blank and is not, and a name that is given
  /// more often than it stands in the record.
  func update(
    _ record: Int, of list: RecordList, with members: [Member], origin: Int?,
    _ splices: inout [Splice], _ problems: inout [Rejection.Problem]
  ) {
    let fields = StoredRecord(self, list, record)
    let isKnown = { (member: Member) in
      list.schema.fields.contains { $0.name == member.name }
    }
    var foreign = members.allSatisfy(isKnown) ? nil : ForeignFields(members, in: fields)
    var added: [UInt8] = []
    var newLayout: RecordLayout?
    for member in members {
      let place: ForeignFields.Place? =
        if let known = fields.knownRange(member.name) { .stored(known) } else {
          foreign?.place(of: member)
        }
      switch place {
      case .stored(let range)?:
        if hasValue(member.value, at: range) { continue }
        if let reason = list.schema.blankText(in: member) {
          problems.append(.init(.invalid(reason), noun: list.schema.noun, origin: origin))
        } else {
          splices.append(Splice(range, Array(member.value)))
        }
      case .new?:
        let layout = newLayout ?? RecordLayout(of: fields)
        newLayout = layout
        added += layout.between
        layout.append(member, to: &added)
      case .refused?:
        let reason = Fault.Reason.repeated(field: member.name)
        problems.append(.init(.invalid(reason), noun: list.schema.noun, origin: origin))
      case nil: break
      }
    }
    if !added.isEmpty {
      var end = 0
      fields.forEachMember { end = $1.upperBound }
      splices.append(Splice(end..<end, added))
    }
  }

  func raisingLastID(to id: Int) -> [Splice] {
    let digits = Array(String(id).utf8)
    if let lastID { return lastID.value < id ? [Splice(lastID.range, digits)] : [] }
    let start = firstMember?.name ?? membersEnd
    let member = JSONString.encode(Self.lastIDField.name) + colon + digits
    return [Splice(start..<start, member + memberComma)]
  }

  /// Whether the value at `range` is the same as `value`: equal text, equal numbers, or arrays and
  /// objects that differ in nothing but white space and escapes.
  private func hasValue(_ value: ArraySlice<UInt8>, at range: Range<Int>) -> Bool {
    if bytes.isEqual(range, to: value) { return true }
    let other = Bytes(Array(value))
    let all = 0..<other.count
    let isNumber = { (byte: UInt8) in byte == UInt8(ascii: "-") || isDigit(byte) }
    if isNumber(bytes[range.lowerBound]) && isNumber(other[0]) {
      if let a = JSONNumber.integer(range, in: bytes), let b = JSONNumber.integer(all, in: other) {
        return a == b
      }
      return JSONNumber(range, in: bytes) == JSONNumber(all, in: other)
    }
    var (a, b): ([UInt8], [UInt8]) = ([], [])
    JSONString.appendCompact(valueAt: range.lowerBound, in: bytes, to: &a)
    JSONString.appendCompact(valueAt: 0, in: other, to: &b)
    return a == b
  }
}

/// Where the given fields go that are not of the schema.
///
///     stored  "x": 1, "y": 2, "x": 3
///     given   "x": 4, "z": 5              "x" to the last of its name, "z" is new
private struct ForeignFields {
  private let stored: [[UInt8]: [Range<Int>]]
  /// How many of each name are still to be placed, and how many were given.
  private var left: [[UInt8]: (count: Int, given: Int)] = [:]

  enum Place {
    case stored(Range<Int>)
    case new
    /// There are more given than stored.
    case refused
  }

  init(_ given: [Member], in fields: StoredRecord) {
    stored = fields.ranges
    for member in given {
      let name = Array(member.name.utf8)
      let count = (left[name]?.given ?? 0) + 1
      left[name] = (count, count)
    }
  }

  /// The place of the next of that name, so that the last one given goes to the last one stored; nil
  /// where one before it was refused.
  mutating func place(of member: Member) -> Place? {
    let name = Array(member.name.utf8)
    guard let (count, given) = left[name] else { return nil }
    left[name]?.count = count - 1
    let ranges = stored[name] ?? []
    if count <= ranges.count { return .stored(ranges[ranges.count - count]) }
    if count < given { return nil }
    return given == 1 ? .new : .refused
  }
}
