/// A test of one field: `number>=12`, `title~milk`.
package struct Condition: Sendable {
  package let field: String
  package let comparison: Comparison
  private let value: Value
  private let lowercased: String

  package enum Comparison: String, CaseIterable, Sendable {
    // The longer ones first, as they are looked for in this order.
    case notEqual = "!="
    case notContains = "!~"
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case equal = "="
    case less = "<"
    case greater = ">"
    case contains = "~"
  }

  /// FIELD OP VALUE; the field ends where the first operator begins. Nil where there is none.
  package init?(_ text: String) {
    // Not by characters: an operator and a combining mark that begins the value are one character.
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { "!<>=~".unicodeScalars.contains($0) }),
      start > scalars.startIndex,
      let comparison = Comparison.allCases.first(where: {
        scalars[start...].starts(with: $0.rawValue.unicodeScalars)
      })
    else { return nil }
    let given = String(scalars[start...].dropFirst(comparison.rawValue.utf8.count))
    field = String(scalars[..<start])
    self.comparison = comparison
    value = Value(text: given, number: JSONNumber(given))
    lowercased = given.lowercased()
  }

  /// Whether the field of a record passes. A record without the field never does.
  package func matches(_ record: StoredFields) -> Bool {
    guard let found = Value(record, field) else { return false }
    switch comparison {
    case .equal: return found.isEqual(to: value)
    case .notEqual: return !found.isEqual(to: value)
    case .less: return found.precedes(value)
    case .lessOrEqual: return !value.precedes(found)
    case .greater: return value.precedes(found)
    case .greaterOrEqual: return !found.precedes(value)
    case .contains: return found.text.lowercased().containsBytes(of: lowercased)
    case .notContains: return !found.text.lowercased().containsBytes(of: lowercased)
    }
  }
}

/// The value of a field as it is compared: two numbers by value, all else as text by code point.
package struct Value: Sendable {
  let text: String
  let number: JSONNumber?

  init(text: String, number: JSONNumber?) { (self.text, self.number) = (text, number) }

  /// The value of a field of any name; nil where the record has no such field.
  package init?(_ record: StoredFields, _ field: String) {
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

extension String {
  /// Whether `other` is a part of it, byte by byte.
  fileprivate func containsBytes(of other: String) -> Bool {
    var rest = utf8[...]
    while rest.count >= other.utf8.count {
      if rest.starts(with: other.utf8) { return true }
      rest = rest.dropFirst()
    }
    return other.isEmpty
  }
}
