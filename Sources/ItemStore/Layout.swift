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
    let value = Bytes(Array(member.value))
    append(0..<value.count, of: value, to: &json)
  }

  /// Appends a value; an array or an object on one line.
  fileprivate func append(_ value: Range<Int>, of bytes: Bytes, to json: inout [UInt8]) {
    switch bytes[value.lowerBound] {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      JSONString.appendCompact(
        valueAt: value.lowerBound, in: bytes, keepingEscapes: true, spaced: colon.count > 1,
        to: &json)
    default: bytes.append(value, to: &json)
    }
  }
}

/// Writes records one after another, with what parts them.
struct RecordWriter {
  private(set) var text: [UInt8]
  private(set) var count = 0
  private let layout: ListLayout
  /// Records of one batch mostly have the same fields in the same places, so what stands before the
  /// value is kept for each place.
  private var seams: [(field: Int, bytes: [UInt8])] = []
  private var place = 0
  private let names: [String]

  /// - Parameters:
  ///   - names: of the fields, which go by numbers.
  ///   - text: what stands before the first record.
  init(_ layout: ListLayout, names: [String], after text: [UInt8]) {
    (self.layout, self.names, self.text) = (layout, names, text)
  }

  mutating func beginRecord() {
    if count > 0 { text += layout.between }
    text.append(UInt8(ascii: "{"))
    place = 0
  }

  /// Adds a field; `write` appends its value.
  @inline(__always) mutating func append(_ field: Int, _ write: (inout [UInt8]) -> Void) {
    appendSeam(before: field)
    write(&text)
  }

  mutating func append(_ field: Int, _ value: Range<Int>, of bytes: Bytes) {
    appendSeam(before: field)
    layout.record.append(value, of: bytes, to: &text)
  }

  private mutating func appendSeam(before field: Int) {
    if place == seams.count { seams.append((-1, [])) }
    if seams[place].field != field {
      var seam = place > 0 ? layout.record.between : layout.record.lead
      JSONString.appendEncoded(names[field], to: &seam)
      seams[place] = (field, seam + layout.record.colon)
    }
    text += seams[place].bytes
    place += 1
  }

  mutating func endRecord() {
    text += layout.record.tail
    text.append(UInt8(ascii: "}"))
    count += 1
  }

  /// Makes room for `count` records like the first one, whose values have so many bytes in all. Room
  /// that is not used costs nothing.
  mutating func reserveCapacity(forRecords count: Int, valueBytes: Int) {
    let mostForID = 40
    let around = seams.reduce(layout.between.count + layout.record.tail.count + mostForID) {
      $0 + $1.bytes.count
    }
    text.reserveCapacity(text.count + count * around + valueBytes)
  }

  /// All text, with what stands behind the last record.
  consuming func finish(_ end: [UInt8]) -> [UInt8] {
    text += end
    return text
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
