/// The text of a cell, which may stand for a value that is not a text.
struct CellText {
  private let text: Bytes

  /// - Parameter string: a JSON string with the text.
  init(_ string: Range<Int>, in bytes: Bytes) {
    var text: [UInt8] = []
    JSONString.appendDecoded(string, in: bytes, to: &text)
    self.text = Bytes(text)
  }

  /// What to put in the place of a stored value that is no string: a value of the same kind, if the text
  /// can be read as one, or else the text. Nil if the text is what is printed for the stored value.
  func replacement(of stored: Range<Int>, in bytes: Bytes) -> [UInt8]? {
    var printed: [UInt8] = []
    JSONString.appendCompact(valueAt: stored.lowerBound, in: bytes, to: &printed)
    let all = 0..<text.count
    let given = text[all]
    if given == printed { return nil }
    guard kind(of: bytes[stored.lowerBound]) == kind(of: text[0]), isValue else {
      return JSONString.encode(text.text(all))
    }
    return given
  }

  private enum Kind { case number, boolean, null, collection, none }

  /// The kind of the value that begins with a byte.
  private func kind(of byte: UInt8) -> Kind {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "["), UInt8(ascii: "{"): .collection
    default: .none
    }
  }

  /// Whether the whole text is one JSON value, which fits into a record.
  private var isValue: Bool {
    // Around the values of a stored record are document, list and record.
    var scanner = JSONScanner(text, depth: 3)
    return (try? scanner.skipValue()) != nil && scanner.isAtEnd
  }
}
