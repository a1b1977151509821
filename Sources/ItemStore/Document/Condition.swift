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
  package func matches(_ record: StoredRecord) -> Bool {
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
