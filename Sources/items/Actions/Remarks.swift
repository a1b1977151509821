import ItemStore

/// What is said on stderr of a request that is no error, but perhaps a slip.
enum Remarks {
  /// Says which fields no record of the kind has, if there are records.
  static func say(ofFields fields: [String], in selection: Selection) {
    if selection.list.count == 0 { return }
    for field in fields where !selection.list.hasField(field, in: selection.document) {
      let near = Suggestion.field(like: field, of: selection.schema.fields.map(\.name))
      let hint = near.map { ". Did you mean '\($0)'?" } ?? ""
      Complaint.say("no \(selection.schema.noun) has a field '\(field)'\(hint)")
    }
  }

  /// Says why conditions may have selected nothing.
  static func say(of conditions: [Condition], thatSelectNothingOf selection: Selection) {
    if selection.list.count == 0 { return }
    say(ofFields: conditions.map(\.field), in: selection)
    for condition in conditions where condition.isQuoted {
      Complaint.say(
        "nothing was selected: the value \(condition.value) was taken with its double quotes")
    }
  }
}

extension Condition.Problem {
  /// - Parameter text: the condition.
  func usageError(of text: String) -> UsageError {
    let operators = Condition.Comparison.allCases.map(\.rawValue).joined(separator: " ")
    switch self {
    case .malformed:
      return UsageError(
        "a condition is FIELD OP VALUE, not '\(text)'", hint: "For instance: --where 'number>=12'")
    case .unknownOperator(let found):
      guard let meant = Suggestion.comparison(found) else {
        return UsageError("unknown operator '\(found)'", hint: "One of: \(operators)")
      }
      return UsageError("unknown operator '\(found)'. Did you mean '\(meant)'?")
    case .notAWholeNumber(let field, let value):
      return UsageError("'\(field)' compares with whole numbers of 64 bits, not '\(value)'")
    case .noText(let field, let comparison):
      return UsageError(
        "'\(comparison.rawValue)' looks for text, and '\(field)' is a whole number",
        hint: "One of: = != < <= > >=")
    }
  }
}
