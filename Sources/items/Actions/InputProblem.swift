import ItemStore

/// One thing that is wrong with a request of many records.
struct InputProblem {
  /// The bytes of standard input before it; nil for an operand.
  var origin: Int?
  /// Lines after the first are indented.
  let text: String
  /// Whether the request itself is wrong, whatever the file has.
  var isWrongRequest = true

  init(origin: Int?, text: String) { (self.origin, self.text) = (origin, text) }

  init(_ fault: InputFault) { self.init(fault.reason, at: fault.offset) }

  init(_ reason: InputFault.Reason, at offset: Int) {
    self.init(origin: offset, text: reason.description)
  }

  init(_ problem: Rejection.Problem) {
    self.init(origin: problem.origin, text: problem.text)
    isWrongRequest = problem.isWrongRequest
  }

  private static let limit = 20

  /// The error that tells all problems in the order of the input, each at its place.
  static func error(
    _ problems: [InputProblem], in input: Input?, hint: String? = nil
  ) -> UsageError {
    let place = input?.placer()
    let sorted = problems.sorted { ($0.origin ?? 0) < ($1.origin ?? 0) }
    let shown = input == nil ? sorted[...] : sorted.prefix(limit)
    var messages = shown.map { problem in
      guard let place, let origin = problem.origin else { return problem.text }
      return "\(place(origin)): \(problem.text)"
    }
    if shown.count < sorted.count {
      messages.append("\(input?.name ?? ""): \(sorted.count - shown.count) more like these")
    }
    let lines = messages.flatMap { message in
      let parts = message.split(separator: "\n  ")
      return parts.prefix(1).map(String.init) + parts.dropFirst().map { "  \($0)" }
    }
    var error = UsageError(lines, hint: hint)
    if !problems.contains(where: \.isWrongRequest) { error.exitCode = .no }
    return error
  }
}
