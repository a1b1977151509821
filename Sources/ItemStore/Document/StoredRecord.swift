/// The fields of one stored record.
package struct StoredRecord {
  let document: Document
  let list: RecordList
  let record: Int

  package init(_ document: Document, _ list: RecordList, _ record: Int) {
    (self.document, self.list, self.record) = (document, list, record)
  }

  /// The text of a known field.
  package func text(_ field: String) -> String {
    guard let range = knownRange(field) else { return "" }
    return JSONString.decode(range, in: document.bytes)
  }

  /// The value of a known field that is a whole number.
  package func number(_ field: String) -> Int {
    guard let range = knownRange(field) else { return 0 }
    return JSONNumber.integer(range, in: document.bytes) ?? 0
  }

  /// The value of the known field with this index, a whole number.
  func integer(_ field: Int) -> Int {
    let start = list.value(of: field, in: record)
    var scanner = JSONScanner(document.bytes, at: start)
    if let integer = scanner.skipPlainInteger() { return integer }
    return JSONNumber.integer(start..<document.end(ofValueAt: start), in: document.bytes) ?? 0
  }

  func knownRange(_ field: String) -> Range<Int>? {
    list.schema.fields.firstIndex { $0.name == field }.map { index in
      let start = list.value(of: index, in: record)
      return start..<document.end(ofValueAt: start)
    }
  }

  /// The whole record as it stands in the file.
  package var range: Range<Int> { list.range(of: record, in: document.bytes) }

  /// Where the value of any field lies, known or not; of a name that stands twice, the last.
  package func range(of field: String) -> Range<Int>? {
    if let known = knownRange(field) { return known }
    var found: Range<Int>?
    forEachMember { name, value in
      // By bytes, as to `==` two spellings of a character are the same.
      if JSONString.decode(name, in: document.bytes).utf8.elementsEqual(field.utf8) {
        found = value
      }
    }
    return found
  }

  /// Where the values of each field lie, in their order; a name, by its bytes, may stand several times.
  var ranges: [[UInt8]: [Range<Int>]] {
    var found: [[UInt8]: [Range<Int>]] = [:]
    forEachMember { name, value in
      var text: [UInt8] = []
      JSONString.appendDecoded(name, in: document.bytes, to: &text)
      found[text, default: []].append(value)
    }
    return found
  }

  /// Calls `body` with the ranges of each name, quotes included, and its value.
  package func forEachMember(_ body: (Range<Int>, Range<Int>) -> Void) {
    var scanner = JSONScanner(document.bytes, at: list.start(of: record))
    try? scanner.skipObject { (scanner, name) throws(Fault) in
      let start = scanner.position
      try scanner.skipValue()
      body(name, start..<scanner.position)
    }
  }

  /// Appends the whole record as it is stored, on one line without white space.
  package func appendCompactJSON(to json: inout [UInt8]) {
    JSONString.appendCompact(range, of: document.bytes, to: &json)
  }
}
