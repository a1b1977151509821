/// The text of a cell, which may stand for a value that is not a text.
enum CellText {
  /// What to put in the place of a stored value that is no string: a value of the same kind, if the text
  /// can be read as one, or else the text. Nil if the text is what is printed for the stored value.
  ///
  /// - Parameter cell: a JSON string.
  static func replacement(
    of stored: Range<Int>, in bytes: Bytes, by cell: Range<Int>, of values: Bytes
  ) -> [UInt8]? {
    let content = cell.lowerBound + 1..<cell.upperBound - 1
    // A number needs no decoding, and columns of numbers are what most change.
    if bytes.isNumber(at: stored.lowerBound), values.isNumber(at: content.lowerBound) {
      if bytes.hasValue(values, content, at: stored.lowerBound) { return nil }
      var scanner = JSONScanner(values, at: content.lowerBound)
      let isNumber = (try? scanner.skipNumber()) != nil && scanner.position == content.upperBound
      return values[isNumber ? content : cell]
    }
    let text = Bytes(values.printedText(ofValueAt: cell.lowerBound))
    let given = text[0..<text.count]
    if given == bytes.printedText(ofValueAt: stored.lowerBound) { return nil }
    let kind = kind(of: bytes[stored.lowerBound])
    return kind != .other && kind == Self.kind(of: text[0]) && isValue(text) ? given : values[cell]
  }

  private enum Kind { case boolean, null, collection, other }

  /// The kind of the value that begins with a byte.
  private static func kind(of byte: UInt8) -> Kind {
    switch byte {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "["), UInt8(ascii: "{"): .collection
    default: .other
    }
  }

  /// Whether all of a text is one JSON value, which fits into a record.
  private static func isValue(_ text: Bytes) -> Bool {
    // Around the values of a stored record are document, list and record.
    var scanner = JSONScanner(text, depth: 3)
    return (try? scanner.skipValue()) != nil && scanner.isAtEnd
  }
}
