import ItemStore

extension Commands {
  static func edit(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    let query =
      invocation.operands.isEmpty
      ? Query(conditions: try conditions(schema, invocation)) : try selector(schema, invocation)
    let store = try store(invocation)
    let shown = try placing(nil) { try store.select(query, of: schema) }
    if shown.isEmpty && !invocation.conditions.isEmpty {
      return try change(schema, invocation) { try $0.edit(Revision(shown, to: Batch(schema), [])) }
    }
    let file = try EditedFile(with: shown)
    while true {
      let input = try Input(
        try file.edit(), named: file.path, schema, use: .edited, format: .json)
      let outcome: Outcome
      do {
        outcome = try placing(input) { try apply(input, to: shown, in: store) }
      } catch {
        let code = Items.report(error)
        if code == .wrongRequest && isToBeEditedAgain() { continue }
        Complaint.say(file.kept)
        return code
      }
      file.remove()
      return try report(outcome, invocation) { outcome.sentence }
    }
  }

  /// Makes one change of what was edited, if anything was.
  private static func apply(
    _ input: Input, to shown: Selection, in store: Store
  ) throws -> Outcome {
    var problems = input.faults.map(InputProblem.init)
    let references = input.ids.map { id, origin in
      id.isEmpty ? nil : try? RecordReference(id, of: shown.schema, origin: origin)
    }
    problems += blanks(of: input, references, in: shown)
    if !problems.isEmpty { throw InputProblem.error(problems, in: input) }
    let revision = try Revision(shown, to: input.batch, references)
    let outcome = try store.edit(revision)
    if revision.isReordered { Complaint.say("another order of lines or members changes nothing") }
    if !outcome.isMade && !Process.isTerminal(1) { Complaint.say("nothing was changed") }
    return outcome
  }

  /// The texts that are blank and were not before.
  private static func blanks(
    of input: Input, _ references: [RecordReference?], in shown: Selection
  ) -> [InputProblem] {
    if input.blanks.isEmpty { return [] }
    let records = shown.document.locate(references, in: shown.list)
    return input.blanks.filter { blank in
      // The record after the last one was not read to its end.
      guard blank.record < records.count, let record = records[blank.record] else { return true }
      return StoredRecord(shown.document, shown.list, record).text(blank.field) != blank.text
    }.map { InputProblem(.data(.blank(field: $0.field)), at: $0.origin) }
  }

  /// Asks whether to go back into the editor, if there is somebody to ask.
  private static func isToBeEditedAgain() -> Bool {
    guard Process.isTerminal(0), Process.isTerminal(2) else { return false }
    try? Process.write(Array("Edit again? [Y/n] ".utf8), to: 2)
    guard let answer = Process.inputLine() else {
      // The end of the input leaves the cursor after the question.
      Complaint.note("")
      return false
    }
    return !answer.trimmed.lowercased().hasPrefix("n")
  }
}
