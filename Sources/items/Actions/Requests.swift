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
    try invocation.refuseColumnsWithoutID(schema, use)
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try Process.contents()
    } catch {
      throw UsageError("stdin: \(error)")
    }
    let format = invocation.inputFormat ?? .auto
    return try Input(
      bytes, schema, use: use, format: format, columns: invocation.columns, defaults: defaults)
  }

  /// The records that the operands or conditions name, one or the other.
  static func selector(
    _ schema: Schema, _ invocation: Invocation, deletes: Bool = false
  ) throws -> Query {
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
  ) throws -> [RecordReference] {
    var problems: [InputProblem] = []
    let targets = references(ids.map { ($0, nil) }, schema, &problems)
    if problems.isEmpty { return targets }
    // What the others do not name is told at once, and not the next time.
    let document = try store(invocation).document()
    problems += document.locate(targets, in: document.list(schema)).problems.map(InputProblem.init)
    throw InputProblem.error(problems, in: nil, hint: hint)
  }

  /// The records that an input names or changes.
  ///
  /// - Throws: all that is wrong with the input. Ids that are not there are told with it, so the file is
  ///   read for that; if nothing else is wrong, the store tells them.
  static func targets(
    _ schema: Schema, _ input: Input, _ invocation: Invocation
  ) throws -> [RecordReference] {
    var problems = input.faults.map(InputProblem.init)
    let targets = references(input.ids.map { ($0.text, $0.origin) }, schema, &problems)
    if problems.isEmpty && input.blanks.isEmpty { return targets }
    let document = try store(invocation).document()
    let list = document.list(schema)
    let isComplete = targets.count == input.ids.count
    let (records, rejected) =
      input.use == .changes
      ? document.locateOnce(targets, in: list) : document.locate(targets, in: list)
    for blank in input.blanks {
      // With one id that can be none, the places of the others are not known.
      if isComplete, let record = records[blank.record],
        StoredRecord(document, list, record).text(blank.field) == blank.text
      {
        continue
      }
      problems.append(.init(.data(.blank(field: blank.field)), at: blank.origin))
    }
    if problems.isEmpty && rejected.isEmpty { return targets }
    throw InputProblem.error(
      problems + rejected.map(InputProblem.init), in: input, hint: input.formatHint)
  }

  /// - Throws: all that is wrong with records to be added.
  static func refuseFaults(
    of input: Input, _ schema: Schema, _ invocation: Invocation
  ) throws(UsageError) {
    if input.faults.isEmpty { return }
    throw InputProblem.error(input.faults.map(InputProblem.init), in: input, hint: input.formatHint)
  }

  /// The ids as references; those that can be none become problems.
  private static func references(
    _ ids: [(text: String, origin: Int?)], _ schema: Schema, _ problems: inout [InputProblem]
  ) -> [RecordReference] {
    var references: [RecordReference] = []
    references.reserveCapacity(ids.count)
    for (id, origin) in ids {
      do throws(RecordReference.Problem) {
        references.append(try RecordReference(id, of: schema, origin: origin))
      } catch {
        // A record without an id is a fault already.
        if id.isEmpty && origin != nil { continue }
        let text =
          switch error {
          case .notANumber: "the id must be a whole number of 64 bits, not '\(id)'"
          case .tooShort:
            "\(schema.noun) id '\(id)' is too short, give \(RecordReference.shortestPrefix) characters or more"
          }
        problems.append(InputProblem(origin: origin, text: text))
      }
    }
    return references
  }

  /// Runs `body`; what it says of a record gets the place of it in the input.
  static func placing<T>(
    _ input: Input?, _ body: () throws -> T
  ) throws -> T {
    do {
      return try body()
    } catch let rejection as Rejection {
      throw InputProblem.error(rejection.problems.map(InputProblem.init), in: input)
    }
  }

  static func change(
    _ schema: Schema, _ invocation: Invocation, _ input: Input? = nil,
    _ body: (Store) throws -> Outcome
  ) throws -> ExitCode {
    let store = try store(invocation)
    let outcome = try placing(input) { try body(store) }
    let code = try report(outcome, invocation) { outcome.sentence }
    if outcome.touched.isEmpty {
      Remarks.say(of: invocation.conditions, thatSelectNothingOf: outcome.touched)
    }
    return code
  }

  /// Prints what a change touched. It is made by now, so that a failure says no more than it is.
  static func report(
    _ change: Outcome, _ invocation: Invocation, sentence: () -> String
  ) throws -> ExitCode {
    var output = Output()
    do throws(Errno) {
      if output.isTerminal && invocation.format == nil {
        output.write(sentence().escapedForTerminal + "\n")
        try output.flush()
      } else {
        try output.write(
          change.touched, as: invocation.format ?? .ids, columns: invocation.columns)
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
