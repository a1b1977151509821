import ItemStore

/// What the commands do: words to a call of the store, and its result to words.
extension Commands {
  static func add(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    try invocation.checkColumns(of: schema)
    if invocation.readsStdin {
      let given = try GivenFields(invocation, schema)
      let input = try read(schema, use: .new, invocation, defaults: given.members)
      try refuseFaults(of: input, schema, invocation)
      return try change(schema, invocation, input) { try $0.add(input.batch, to: schema) }
    }
    try invocation.refuseInputFormat()
    let given = try GivenFields(
      invocation, schema, text: invocation.operands.first, takesKey: true)
    if let field = schema.fields.first(where: \.kind.isText), !field.hasDefault,
      !given.isGiven(field.name)
    {
      throw UsageError(
        "missing \(schema.kind.textNoun): items \(schema.kind.command("add")) "
          + schema.kind.textNoun.uppercased())
    }
    return try change(schema, invocation) { try $0.add(given.batch, to: schema) }
  }

  static func update(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    try invocation.checkColumns(of: schema)
    var invocation = invocation
    let text = schema.kind.isTextOperand ? invocation.takeNote() : nil
    let given = try GivenFields(invocation, schema, text: text)
    if invocation.readsStdin {
      return try updateFromStdin(schema, invocation, given)
    }
    try invocation.refuseInputFormat()
    let query = try selector(schema, invocation)
    if !given.isEmpty {
      return try change(schema, invocation) {
        try $0.update(query, of: schema, with: given.batch)
      }
    }
    guard let targets = query.targets, !schema.changedValues.isEmpty else {
      throw schema.nothingToChange
    }
    // Each gets a random number of its own.
    let batch = Batch(schema, targets.map { _ in schema.changedValues })
    return try change(schema, invocation) { try $0.update(query, of: schema, with: batch) }
  }

  private static func updateFromStdin(
    _ schema: Schema, _ invocation: Invocation, _ given: GivenFields
  ) throws -> ExitCode {
    let input = try read(schema, use: given.isEmpty ? .changes : .ids, invocation)
    let targets = try targets(schema, input, invocation)
    if !given.isEmpty {
      return try change(schema, invocation, input) {
        try $0.update(Query(targets: targets), of: schema, with: given.batch)
      }
    }
    if !targets.isEmpty && input.batch.isEmpty { throw schema.nothingToChange }
    return try change(schema, invocation, input) {
      try $0.update(targets, of: schema, withEachOf: input.batch)
    }
  }

  static func delete(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    try invocation.checkColumns(of: schema)
    if invocation.readsStdin {
      let input = try read(schema, use: .ids, invocation)
      let targets = try targets(schema, input, invocation)
      return try change(schema, invocation, input) {
        try $0.delete(Query(targets: targets), from: schema)
      }
    }
    try invocation.refuseInputFormat()
    let selector = try selector(schema, invocation, deletes: true)
    return try change(schema, invocation) { try $0.delete(selector, from: schema) }
  }

  static func deleteAll(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    try invocation.checkColumns(of: schema)
    let store = try store(invocation)
    if !invocation.isConfirmed {
      guard Process.isTerminal(0) else {
        throw UsageError(
          "\(schema.kind.command("delete-all")) needs --yes when it is not run from a terminal")
      }
      let count = try store.select(Query(), of: schema).records.count
      if count > 0 {
        let path = store.path.escapedForTerminal
        let question = "Delete all \(count) \(schema.nouns(count)) in \(path)? [y/N] "
        try? Process.write(Array(question.utf8), to: 2)
        let answer = Process.inputLine()?.trimmed.lowercased()
        guard answer == "y" || answer == "yes" else {
          // The end of the input leaves the cursor behind the question.
          if answer == nil { Complaint.note("") }
          Complaint.say("nothing was deleted")
          return .no
        }
      }
    }
    return try change(schema, invocation) { try $0.deleteAll(of: schema) }
  }

  static func list(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    try invocation.checkColumns(of: schema, printsRows: true)
    var selector = Query(conditions: try conditions(schema, invocation))
    if let field = invocation.sortKey?.field { try schema.refuseSlip(field) }
    if invocation.isWatching {
      if !invocation.readsStdin { try invocation.refuseInputFormat() }
      return try watch(selector, schema, invocation)
    }
    if invocation.readsStdin {
      let input = try read(schema, use: .ids, invocation)
      selector.targets = try targets(schema, input, invocation)
      return try list(selector, schema, invocation, input)
    }
    try invocation.refuseInputFormat()
    if !invocation.operands.isEmpty {
      selector.targets = try targets(
        schema, invocation.operands, invocation, hint: invocation.hintForIDs)
    }
    return try list(selector, schema, invocation, nil)
  }

  private static func list(
    _ selector: Query, _ schema: Schema, _ invocation: Invocation, _ input: Input?
  ) throws -> ExitCode {
    let store = try store(invocation)
    var selection = try placing(input) { try store.select(selector, of: schema) }
    if let key = invocation.sortKey { selection = selection.sorted(by: key) }
    var output = Output()
    let format = invocation.format ?? (output.isTerminal ? .table : .tsv)
    try output.write(selection, as: format, columns: invocation.columns)
    if output.isTerminal && selection.list.count == 0 {
      Complaint.note(schema.kind.invitation)
    }
    if selection.isEmpty {
      Remarks.say(of: selector.conditions, thatSelectNothingOf: selection)
    }
    let named = (invocation.sortKey.map { [$0.field] } ?? []) + (invocation.columns ?? [])
    let said = selection.isEmpty ? selector.conditions.map(\.field) : []
    Remarks.say(ofFields: named.filter { !said.contains($0) }, in: selection)
    return .done
  }

  static func undo(_ invocation: Invocation) throws -> ExitCode {
    for kind in RecordKind.all { try invocation.checkColumns(of: kind.schema) }
    let outcome = try store(invocation).perform(.undo)
    return try report(outcome, invocation) {
      "Undid \(outcome.verb.name) of \(outcome.touched.inWords)"
    }
  }

  static func redo(_ invocation: Invocation) throws -> ExitCode {
    for kind in RecordKind.all { try invocation.checkColumns(of: kind.schema) }
    let outcome = try store(invocation).perform(.redo)
    return try report(outcome, invocation) {
      "Redid \(outcome.verb.name) of \(outcome.touched.inWords)"
    }
  }

  static func help(_ invocation: Invocation) throws -> ExitCode {
    let words = canonical(invocation.operands)
    guard words.isEmpty || all.contains(where: { $0.words.starts(with: words) }) else {
      throw UsageError.unknownCommand(words)
    }
    return try print(Help.text(for: words))
  }

  static func print(_ text: String) throws(Errno) -> ExitCode {
    try Process.write(Array(text.utf8), to: 1)
    return .done
  }
}
