import ItemStore

/// Between the words of a command and the store: what the command names, and what came of it.
extension Commands {
  static func store(_ invocation: Invocation) throws(UsageError) -> Store {
    var store = Store(path: try DataPath.resolve(invocation.file))
    store.onWarning = { Complaint.say($0) }
    return store
  }

  static func read(
    _ schema: Schema, use: Input.Use, _ invocation: Invocation, defaults: [Member] = []
  ) throws(UsageError) -> Input {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try Process.standardInput()
    } catch {
      throw UsageError("stdin: \(error)")
    }
    let format = invocation.inputFormat ?? .auto
    return try Input(bytes, schema, use: use, format: format, defaults: defaults)
  }

  /// The records that the operands or conditions name, one or the other.
  static func selector(
    _ schema: Schema, _ invocation: Invocation, deletes: Bool = false
  ) throws(UsageError) -> Query {
    let conditions = try conditions(schema, invocation)
    if conditions.isEmpty {
      guard !invocation.operands.isEmpty else {
        throw schema.missingID(hint: deletes ? schema.deleteAllHint : nil)
      }
      let all = deletes && invocation.operands == ["all"] ? schema.deleteAllHint : nil
      let hint = all ?? invocation.hintForIDs
      return Query(targets: try targets(schema, invocation.operands, invocation, hint: hint))
    }
    return Query(conditions: conditions)
  }

  static func conditions(
    _ schema: Schema, _ invocation: Invocation
  ) throws(UsageError) -> [Condition] {
    var conditions: [Condition] = []
    for condition in invocation.conditions {
      try schema.refuseSlip(condition.field)
      do throws(Condition.Problem) {
        conditions.append(try condition.of(schema))
      } catch {
        throw error.usageError(of: condition.field)
      }
    }
    return conditions
  }

  static func targets(
    _ schema: Schema, _ ids: [String], _ invocation: Invocation, hint: String? = nil
  ) throws(UsageError) -> [RecordReference] {
    try targets(schema, ids.map { (id: $0, origin: nil) }, invocation, input: nil, hint: hint)
  }

  static func targets(
    _ schema: Schema, _ input: Input, _ invocation: Invocation
  ) throws(UsageError) -> [RecordReference] {
    let ids = input.ids.map { (id: $0.text, origin: Int?.some($0.origin)) }
    return try targets(schema, ids, invocation, input: input, hint: input.formatHint)
  }

  private static func targets(
    _ schema: Schema, _ ids: [(id: String, origin: Int?)], _ invocation: Invocation, input: Input?,
    hint: String?
  ) throws(UsageError) -> [RecordReference] {
    var problems: [(origin: Int?, text: String)] = []
    var targets: [RecordReference] = []
    targets.reserveCapacity(ids.count)
    for (id, origin) in ids {
      do throws(RecordReference.Problem) {
        targets.append(try RecordReference(id, of: schema, origin: origin))
      } catch {
        let problem =
          switch error {
          case .notANumber: "the id must be a whole number of 64 bits, not '\(id)'"
          case .tooShort:
            "task id '\(id)' is too short, give \(RecordReference.shortestPrefix) characters or more"
          }
        problems.append((origin, problem))
      }
    }
    if problems.isEmpty { return targets }
    // What the others do not name is told at once, and not the next time.
    let store = try store(invocation)
    do {
      _ = try store.select(Query(targets: targets), of: schema)
    } catch let rejection as Rejection {
      problems += rejection.problems.map { ($0.origin, $0.text) }
    } catch {
      problems.append((nil, "\(error)"))
    }
    throw UsageError(Placed.texts(of: problems, in: input), hint: hint)
  }

  /// Runs `body`; what it says of a record gets the place of it in the input.
  static func placing<T>(
    _ input: Input?, _ body: () throws -> T
  ) throws -> T {
    do {
      return try body()
    } catch let rejection as Rejection {
      throw Placed(rejection: rejection, input: input)
    }
  }

  static func change(
    _ schema: Schema, _ invocation: Invocation, _ input: Input? = nil,
    _ body: (Store) throws -> Outcome
  ) throws -> ExitCode {
    let store = try store(invocation)
    let change = try placing(input) { try body(store) }
    let code = try report(change, as: invocation.format) { "\(change.verb.pastTense) \($0)" }
    if change.touched.isEmpty {
      Remarks.say(of: invocation.conditions, thatSelectNothingOf: change.touched)
    }
    return code
  }

  /// Prints what a change touched. It is made by now, so that a failure says no more than it is.
  static func report(
    _ change: Outcome, as format: Format?, sentence: (String) -> String
  ) throws -> ExitCode {
    var output = Output()
    do throws(Errno) {
      if output.isTerminal && format == nil {
        output.write(sentence(change.touched.inWords).escapedForTerminal + "\n")
        try output.flush()
      } else {
        try output.write(change.touched, as: format ?? .ids)
      }
    } catch {
      guard change.isMade else { throw error }
      Complaint.say("the change is made, but stdout could not be written: \(error)")
      return .doneButFailed
    }
    if let failure = change.failure {
      for line in failure.lines { Complaint.say(line) }
      return .doneButFailed
    }
    return .done
  }
}

/// Records that the store rejects, and the input that they may come from.
struct Placed: Error {
  let rejection: Rejection
  let input: Input?

  var lines: [String] {
    Self.texts(of: rejection.problems.map { ($0.origin, $0.text) }, in: input)
      .flatMap { $0.split(separator: "\n").map(String.init) }
  }

  /// Lines with the places in the input that they speak of.
  static func texts(of lines: [(origin: Int?, text: String)], in input: Input?) -> [String] {
    let place = input?.placer()
    return lines.map { line in
      guard let place, let origin = line.origin else { return line.text }
      return "\(place(origin)): \(line.text)"
    }
  }
}
