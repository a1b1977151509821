/// The value of a field as it is compared: two numbers by value, all else as text by code point.
package struct Value: Sendable {
  let text: String
  let number: JSONNumber?

  init(text: String, number: JSONNumber?) { (self.text, self.number) = (text, number) }

  /// The value of a field of any name; nil where the record has no such field.
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

  func isEqual(to other: Value) -> Bool {
    if let number, let otherNumber = other.number { return number == otherNumber }
    return text.utf8.elementsEqual(other.text.utf8)
  }

  func precedes(_ other: Value) -> Bool {
    if let number, let otherNumber = other.number { return number < otherNumber }
    // UTF-8 sorts as the code points do; `<` of String would compare by canonical equivalence.
    return text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  /// The order for sorting: numbers first, so that there is one order of numbers and text.
  package func sortsBefore(_ other: Value) -> Bool {
    if (number == nil) != (other.number == nil) { return number != nil }
    return precedes(other)
  }
}
