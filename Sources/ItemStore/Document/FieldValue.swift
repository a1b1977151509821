/// The value of a field as it is compared: two numbers by value, all else as text by code point.
package struct FieldValue: Sendable {
  let text: String
  let number: JSONNumber?

  init(text: String, number: JSONNumber?) { (self.text, self.number) = (text, number) }

  /// The value of a field of any name; nil if the record has no such field.
  package init?(_ record: StoredRecord, _ field: String) {
    guard let range = record.range(of: field) else { return nil }
    let bytes = record.document.bytes
    let first = bytes[range.lowerBound]
    if first == UInt8(ascii: "\"") {
      self.init(text: JSONString.decode(range, in: bytes), number: nil)
    } else {
      var json: [UInt8] = []
      JSONString.appendCompact(valueAt: range.lowerBound, in: bytes, to: &json)
      let isNumber = first == UInt8(ascii: "-") || isDigit(first)
      self.init(
        text: String(decoding: json, as: UTF8.self),
        number: isNumber ? JSONNumber(range, in: bytes) : nil)
    }
  }

  /// Below zero, zero or above, as it is less than the other, equal to it or greater.
  func order(before other: FieldValue) -> Int {
    if let number, let otherNumber = other.number {
      return ItemStore.order(number, otherNumber)
    }
    if text.utf8.elementsEqual(other.text.utf8) { return 0 }
    // UTF-8 sorts as the code points do; `<` of String would compare by canonical equivalence.
    return text.utf8.lexicographicallyPrecedes(other.text.utf8) ? -1 : 1
  }

  /// The order for sorting: numbers first, so that there is one order of numbers and text.
  package func sortsBefore(_ other: FieldValue) -> Bool {
    if (number == nil) != (other.number == nil) { return number != nil }
    return order(before: other) < 0
  }
}

extension JSONNumber {
  /// A JSON number that may have a plus sign, leading zeros and blanks around it.
  init?(lenient text: String) {
    var digits = text.trimmed[...]
    let isNegative = digits.utf8.first == UInt8(ascii: "-")
    if isNegative || digits.utf8.first == UInt8(ascii: "+") { digits.removeFirst() }
    while digits.utf8.first == UInt8(ascii: "0"), let next = digits.utf8.dropFirst().first,
      isDigit(next)
    {
      digits.removeFirst()
    }
    guard let first = digits.utf8.first, isDigit(first) else { return nil }
    self.init((isNegative ? "-" : "") + digits)
  }
}

extension String {
  /// The text without white space at its ends.
  package var trimmed: String {
    // Letters and digits at both ends, as of an id, need no look at what Unicode says of them.
    if let first = utf8.first, let last = utf8.last, 0x21...0x7E ~= first, 0x21...0x7E ~= last {
      return self
    }
    let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    guard let first = unicodeScalars.firstIndex(where: { !isBlank($0) }),
      let last = unicodeScalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(unicodeScalars[first...last])
  }
}
