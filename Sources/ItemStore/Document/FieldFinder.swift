/// Finds the values of some fields, known or not, in one record after another.
package struct FieldFinder {
  package let names: [String]
  private let document: Document
  private let list: RecordList
  /// The index of each field that the schema knows; nil for others.
  package let known: [Int?]
  /// Where the value of each field of the user's own begins in the record looked at last.
  private var starts: [Int?]
  /// The places of the names that the schema does not know, by their bytes.
  private let own: [[UInt8]: Int]
  /// The names of the record before. Neighbours mostly have the same ones in the same places.
  private var lastNames: [(range: Range<Int>, place: Int?)] = []

  /// - Parameter names: nil for all fields that the schema knows.
  package init(_ names: [String]?, in selection: Selection) {
    (document, list) = (selection.document, selection.list)
    let fields = selection.schema.fields.map(\.name)
    self.names = names ?? fields
    let known = self.names.map { fields.firstIndex(of: $0) }
    self.known = known
    starts = Array(repeating: nil, count: self.names.count)
    own = Dictionary(
      self.names.enumerated().filter { known[$0.offset] == nil }
        .map { (Array($0.element.utf8), $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Looks for the fields of the user's own in a record.
  package mutating func find(in record: Int) {
    if own.isEmpty { return }
    for place in own.values { starts[place] = nil }
    var count = 0
    StoredRecord(document, list, record).forEachMember { name, value in
      // Of a name that is there twice, the last counts.
      if let place = place(named: name, count) { starts[place] = value.lowerBound }
      count += 1
    }
  }

  /// Where the value of a field begins in a record that `find` has looked at; nil if it has none.
  package func start(of place: Int, in record: Int) -> Int? {
    if let field = known[place] { return list.value(of: field, in: record) }
    return starts[place]
  }

  private mutating func place(named name: Range<Int>, _ index: Int) -> Int? {
    if index < lastNames.count, lastNames[index].range.count == name.count,
      document.bytes.isEqual(lastNames[index].range, at: name.lowerBound)
    {
      return lastNames[index].place
    }
    var text: [UInt8] = []
    JSONString.appendDecoded(name, in: document.bytes, to: &text)
    let place = own[text]
    if index < lastNames.count {
      lastNames[index] = (name, place)
    } else {
      lastNames.append((name, place))
    }
    return place
  }
}

// MARK: Cells

extension Bytes {
  /// Whether the value that begins at `start` is a number.
  @inline(__always) package func isNumber(at start: Int) -> Bool {
    self[start] == UInt8(ascii: "-") || isDigit(self[start])
  }

  /// The range that is printed for a value as it is: a number, if a whole one is spelled as they are
  /// printed, or the characters of a string without escapes. Nil for any other value.
  package func plainText(ofValueAt start: Int, isWholeNumber: Bool) -> Range<Int>? {
    var scanner = JSONScanner(self, at: start)
    if isWholeNumber {
      guard let number = scanner.skipPlainInteger(), number != 0 || scanner.position == start + 1
      else { return nil }
      return start..<scanner.position
    }
    if isNumber(at: start) { return (try? scanner.skipNumber()).map { start..<scanner.position } }
    guard scanner.current == UInt8(ascii: "\""), scanner.skipsPlainString() else { return nil }
    return start + 1..<scanner.position - 1
  }

  /// What is printed for a value: of a text its characters, of a whole number its digits, of any other
  /// value its compact JSON.
  package func printedText(ofValueAt start: Int, isWholeNumber: Bool = false) -> [UInt8] {
    var text: [UInt8] = []
    var scanner = JSONScanner(self, at: start)
    if isWholeNumber {
      try? scanner.skipNumber()
      text += String(JSONNumber.integer(start..<scanner.position, in: self) ?? 0).utf8
    } else if self[start] == UInt8(ascii: "\"") {
      try? scanner.skipString()
      JSONString.appendDecoded(start..<scanner.position, in: self, to: &text)
    } else {
      JSONString.appendCompact(valueAt: start, in: self, to: &text)
    }
    return text
  }
}
