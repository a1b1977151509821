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
    let last = StoredFields(document, list, list.count - 1)
    record = RecordLayout(of: last)
    lead = bytes[list.brackets.lowerBound + 1..<list.start(of: 0)]
    tail = bytes[last.range.upperBound..<list.brackets.upperBound - 1]
    if list.count > 1 {
      let previous = StoredFields(document, list, list.count - 2)
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

  init(of record: StoredFields) {
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
    appendValue(of: member, to: &json)
  }

  fileprivate func appendValue(of member: Member, to json: inout [UInt8]) {
    if colon.count > 1,
      member.value.first == UInt8(ascii: "[") || member.value.first == UInt8(ascii: "{")
    {
      let value = Bytes(Array(member.value))
      JSONString.appendCompact(
        valueAt: 0, in: value, keepingEscapes: true, spaced: true, to: &json)
    } else {
      json += member.value
    }
  }
}

/// Writes records one after another, with what parts them.
struct RecordWriter {
  private(set) var text: [UInt8] = []
  private let layout: ListLayout
  /// Records of one batch mostly have the same names in the same places, so what stands before the
  /// value is kept for each place.
  private var seams: [(name: String, bytes: [UInt8])] = []

  init(_ layout: ListLayout) { self.layout = layout }

  mutating func append(_ members: [Member]) {
    let record = layout.record
    if !text.isEmpty { text += layout.between }
    text.append(UInt8(ascii: "{"))
    for (place, member) in members.enumerated() {
      if place == seams.count { seams.append(("", [])) }
      if seams[place].name != member.name || seams[place].bytes.isEmpty {
        var seam = place > 0 ? record.between : record.lead
        JSONString.appendEncoded(member.name, to: &seam)
        seams[place] = (member.name, seam + record.colon)
      }
      text += seams[place].bytes
      record.appendValue(of: member, to: &text)
    }
    text += record.tail
    text.append(UInt8(ascii: "}"))
  }
}

/// What parts two values where no two show it: a comma and the white space that stands before the
/// first, or a blank where there is none and one follows each colon.
private func comma(before gap: [UInt8], colon: [UInt8]) -> [UInt8] {
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
