/// How the records of a list are laid out, so that a new one looks like its neighbour.
///
///     [⏎····{"id": 1, "title": "a"},⏎····{"id": 2, "title": "b"}⏎··]
///      lead                        between                      tail
struct ListLayout {
  let lead: [UInt8]
  let between: [UInt8]
  let tail: [UInt8]
  let record: RecordLayout

  /// The layout of a list that has records.
  init?(of list: RecordList, in document: Document) {
    guard list.count > 0 else { return nil }
    let bytes = document.bytes
    let last = StoredRecord(document, list, list.count - 1)
    record = RecordLayout(of: last)
    lead = bytes[list.brackets.lowerBound + 1..<list.start(of: 0)]
    tail = bytes[last.range.upperBound..<list.brackets.upperBound - 1]
    if list.count > 1 {
      let previous = StoredRecord(document, list, list.count - 2)
      between = bytes[previous.range.upperBound..<last.range.lowerBound]
    } else {
      between = comma(before: lead, colon: record.colon)
    }
  }

  /// The layout for a list without records, after what stands around it.
  init(forEmptyListIn document: Document) {
    for other in document.lists {
      if let layout = ListLayout(of: other, in: document) {
        self = layout
        return
      }
    }
    let gap = document.memberGap
    let newline = UInt8(ascii: "\n")
    guard let lineEnd = gap.lastIndex(of: newline) else {
      record = RecordLayout(colon: document.colon)
      (lead, between, tail) = ([], record.between, [])
      return
    }
    // One record a line, one step further in than the name of the list.
    lead = gap + gap[(lineEnd + 1)...]
    between = [UInt8(ascii: ",")] + lead
    tail = gap
    record = RecordLayout(colon: document.colon)
  }
}

/// What stands between the parts of a record.
///
///     {"id": 1, "title": "a"}
///     lead ""  between ", "  tail ""  colon ": "
struct RecordLayout {
  let lead: [UInt8]
  let between: [UInt8]
  let tail: [UInt8]
  let colon: [UInt8]

  /// A record on one line, with blanks after the commas where there is one after the colon.
  init(colon: [UInt8]) {
    self.colon = colon
    between = comma(before: [], colon: colon)
    (lead, tail) = ([], [])
  }

  init(of record: StoredRecord) {
    let bytes = record.document.bytes
    let range = record.range
    var gaps: [Range<Int>] = []
    var colons: [Range<Int>] = []
    var end = range.lowerBound + 1
    record.forEachMember { name, value in
      gaps.append(end..<name.lowerBound)
      colons.append(name.upperBound..<value.lowerBound)
      end = value.upperBound
    }
    lead = bytes[gaps[0]]
    tail = bytes[end..<range.upperBound - 1]
    colon = bytes[colons[0]]
    between = gaps.count > 1 ? bytes[gaps[1]] : comma(before: lead, colon: colon)
  }

  func append(_ member: Member, to json: inout [UInt8]) {
    JSONString.appendEncoded(member.name, to: &json)
    json += colon
    let value = Bytes(Array(member.value))
    append(0..<value.count, of: value, to: &json)
  }

  /// Appends a value; an array or an object on one line.
  func append(_ value: Range<Int>, of bytes: Bytes, to json: inout [UInt8]) {
    switch bytes[value.lowerBound] {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      JSONString.appendCompact(
        valueAt: value.lowerBound, in: bytes, keepingEscapes: true, spaced: colon.count > 1,
        to: &json)
    default: bytes.append(value, to: &json)
    }
  }
}

/// What parts two values where no two show it: a comma and the white space that stands before the
/// first, or a blank where there is none and one follows each colon.
func comma(before gap: [UInt8], colon: [UInt8]) -> [UInt8] {
  [UInt8(ascii: ",")] + (gap.isEmpty && colon.count > 1 ? [UInt8(ascii: " ")] : gap)
}

extension Document {
  /// What parts two members at the top level.
  var memberComma: [UInt8] { comma(before: memberGap, colon: colon) }

  /// The white space before a member at the top level; where there is no member, a new line.
  var memberGap: [UInt8] {
    guard let firstMember else { return Array("\n  ".utf8) }
    return bytes[braces.lowerBound + 1..<firstMember.name]
  }

  /// What stands between a name and its value at the top level.
  var colon: [UInt8] {
    guard let firstMember else { return Array(": ".utf8) }
    return bytes[end(ofValueAt: firstMember.name)..<firstMember.value]
  }
}
