/// A test of one field: `number>=12`, `title~milk`.
package struct Condition: Sendable {
  package let field: String
  package let comparison: Comparison
  /// All characters of operators that follow the field: `<>` of `id<>2`, although `<` is the comparison.
  private let operators: String
  package let value: String
  private var test: Test

  package enum Comparison: String, CaseIterable, Sendable {
    // The longer ones come first, as they are looked for in this order.
    case notEqual = "!="
    case notContains = "!~"
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case equal = "="
    case less = "<"
    case greater = ">"
    case contains = "~"
  }

  /// Why a text is no condition.
  package enum Problem: Error {
    /// It is not FIELD OP VALUE.
    case malformed
    case unknownOperator(String)
    /// The field is a whole number, and the value is none of 64 bits.
    case notAWholeNumber(field: String, value: String)
    /// The field is a whole number, which contains nothing.
    case noText(field: String, comparison: Comparison)
  }

  private enum Test {
    case value(FieldValue)
    /// The field is a UUID, which is compared ignoring case.
    case lowercased(FieldValue)
    /// The index of a known field that is a whole number, and what it is compared with.
    case wholeNumber(Int, Int)
    case search(FoldedSearch)
  }

  /// FIELD OP VALUE; the field ends where the first operator begins. Blanks before the operator are
  /// dropped, and then those after it too.
  package init(_ text: String) throws(Problem) {
    // Not by characters: an operator and a combining mark that begins the value are one character.
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: Self.isOperator), start > scalars.startIndex
    else { throw .malformed }
    let run = scalars[start...].prefix(while: Self.isOperator)
    operators = String(run)
    guard
      let comparison = Comparison.allCases.first(where: {
        run.starts(with: $0.rawValue.unicodeScalars)
      })
    else { throw .malformed }
    var field = scalars[..<start]
    var value = scalars[start...].dropFirst(comparison.rawValue.utf8.count)
    if field.last?.properties.isWhitespace == true {
      while field.last?.properties.isWhitespace == true { field.removeLast() }
      value = value.drop { $0.properties.isWhitespace }
    }
    guard !field.isEmpty else { throw .malformed }
    if comparison != .equal && comparison != .contains, let first = value.first,
      Self.isOperator(first)
    {
      throw .unknownOperator(operators)
    }
    (self.field, self.comparison, self.value) = (String(field), comparison, String(value))
    test =
      comparison == .contains || comparison == .notContains
      ? .search(FoldedSearch(self.value))
      : .value(FieldValue(text: self.value, number: JSONNumber(lenient: self.value)))
  }

  private static func isOperator(_ scalar: Unicode.Scalar) -> Bool {
    "!<>=~".unicodeScalars.contains(scalar)
  }

  /// The condition for records of one type, whose known fields have their kinds.
  package func of(_ schema: Schema) throws(Problem) -> Condition {
    guard let index = schema.fields.firstIndex(where: { $0.name == field }) else { return self }
    var condition = self
    switch (schema.kinds[index], test) {
    case (.wholeNumber, _):
      guard let number = Int(value.trimmed) else {
        if operators != comparison.rawValue { throw .unknownOperator(operators) }
        throw .notAWholeNumber(field: field, value: value)
      }
      if case .search = test { throw .noText(field: field, comparison: comparison) }
      condition.test = .wholeNumber(index, number)
    case (.uuid, .value):
      condition.test = .lowercased(FieldValue(text: value.lowercased(), number: nil))
    default: break
    }
    return condition
  }

  /// Whether the value has double quotes around it, which were meant for a shell, perhaps.
  package var isQuoted: Bool {
    value.utf8.count > 1 && value.utf8.first == UInt8(ascii: "\"")
      && value.utf8.last == UInt8(ascii: "\"")
  }

  /// Whether the field of a record passes. A record without the field never does.
  package func matches(_ record: StoredRecord) -> Bool {
    if case .wholeNumber(let index, let number) = test {
      return comparison.holds(forOrder: order(record.integer(index), number))
    }
    guard let found = FieldValue(record, field) else { return false }
    switch test {
    case .value(let value): return comparison.holds(forOrder: found.order(before: value))
    case .lowercased(let value):
      let lowercased = FieldValue(text: found.text.lowercased(), number: nil)
      return comparison.holds(forOrder: lowercased.order(before: value))
    case .search(let search):
      return search.finds(in: found.text) == (comparison == .contains)
    case .wholeNumber: return false
    }
  }
}

extension Condition.Comparison {
  /// Whether it holds for two values of which the first is less (below zero), equal or greater.
  fileprivate func holds(forOrder order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    case .contains, .notContains: false
    }
  }
}

/// Below zero, zero or above, as `a` is less than `b`, equal to it or greater.
func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }
