/// What is wrong with a request of many records, each thing with the place in the input that it speaks of.
package struct Rejection: Error, Hashable {
  package var problems: [Problem]

  package init(_ problems: [Problem]) { self.problems = problems }

  package struct Problem: Hashable, Sendable {
    /// The bytes of the input before it; nil if it was not read from an input.
    package let origin: Int?
    package let noun: String
    /// As it was given; empty for a record without one.
    package let id: String
    package let reason: Reason

    package init(_ reason: Reason, noun: String, id: String = "", origin: Int? = nil) {
      (self.reason, self.noun, self.id, self.origin) = (reason, noun, id, origin)
    }
  }

  package enum Reason: Hashable, Sendable {
    case notFound
    case ambiguous(candidates: [String])
    /// The id is in use, or given twice in one batch.
    case taken
    /// Several changes of one batch are for this record.
    case givenTwice
    /// The record has this field twice, so that it is not clear which one is to be changed.
    case storedTwice(field: String)
    /// An id among edited records that was not among those shown.
    case notShown
    /// The record was changed or deleted after it was shown.
    case changedSinceShown
    /// A value that its field cannot have, or a field that must be given and is not.
    case invalid(Fault.Reason)
  }

  /// Throws the problems, in the order of the input, if there are any.
  static func throwAll(_ problems: [Problem]) throws(Rejection) {
    if problems.isEmpty { return }
    throw Rejection(problems.sorted { ($0.origin ?? 0) < ($1.origin ?? 0) })
  }
}

extension Rejection.Problem {
  /// The problem in words. Lines after the first are indented.
  package var text: String {
    switch reason {
    case .notFound: StoreError.notFound(noun: noun, ids: [id]).description
    case .ambiguous(let candidates):
      StoreError.ambiguous(noun: noun, id: id, candidates: candidates).description
    case .taken: "id \(id) is already used by another \(noun)"
    case .givenTwice: "id \(id) is given twice"
    case .storedTwice(let field):
      "\(noun) \(id) has \"\(field)\" twice, so it cannot be changed here"
    case .notShown:
      "id \(id) was not among those shown, and a new \(noun) gets its id when it is added"
    case .changedSinceShown: "\(noun) \(id) is no longer as it was shown"
    case .invalid(let reason): reason.description
    }
  }

  /// Whether the request itself is wrong, whatever the file has.
  package var isWrongRequest: Bool {
    switch reason {
    case .givenTwice, .storedTwice, .notShown, .invalid: true
    case .notFound, .ambiguous, .taken, .changedSinceShown: false
    }
  }
}

extension Rejection {
  /// The error for a client, who gives ids and values and no batches.
  var storeError: StoreError {
    for problem in problems {
      switch problem.reason {
      case .ambiguous(let candidates):
        return .ambiguous(noun: problem.noun, id: problem.id, candidates: candidates)
      case .invalid(.blank(let field)): return .blank(field: field)
      case .notFound, .taken, .givenTwice, .storedTwice, .notShown, .changedSinceShown, .invalid:
        break
      }
    }
    let missing = problems.map(\.id)
    return .notFound(noun: problems.first?.noun ?? "", ids: missing)
  }
}
