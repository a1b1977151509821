import ItemStore

/// What the commands do: words to a call of the store, and its result to words.
extension Commands {
  static func add(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    let number = invocation.number.map { Member("number", number: $0) }
    if invocation.readsStdin {
      let input = try read(schema, use: .new, invocation, defaults: number.map { [$0] } ?? [])
      return try change(schema, invocation, input) { try $0.add(input.batch, to: schema) }
    }
    try invocation.refuseInputFormat()
    var members: [Member] = []
    if let field = schema.fields.first(where: \.kind.isText) {
      if let text = invocation.operands.first {
        members.append(Member(field.name, text: try Option.text(text, schema.kind.textNoun)))
      } else if !field.hasDefault {
        throw UsageError(
          "missing \(schema.kind.textNoun): items \(schema.kind.command("add")) "
            + schema.kind.textNoun.uppercased())
      }
    }
    if let number { members.append(number) }
    return try change(schema, invocation) { try $0.add(Batch(schema, [members]), to: schema) }
  }

  static func update(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    var invocation = invocation
    var members: [Member] = []
    if let title = invocation.title { members.append(Member("title", text: title)) }
    if let number = invocation.number { members.append(Member("number", number: number)) }
    if schema.kind.isTextOperand, let note = invocation.takeNote() {
      members.append(Member("tasknote", text: try Option.text(note, schema.kind.textNoun)))
    }
    if invocation.readsStdin {
      let input = try read(schema, use: members.isEmpty ? .changes : .ids, invocation)
      let targets = try targets(schema, input, invocation)
      if !members.isEmpty {
        return try change(schema, invocation, input) {
          try $0.update(Query(targets: targets), of: schema, with: members)
        }
      }
      return try change(schema, invocation, input) {
        try $0.update(targets, of: schema, with: input.batch)
      }
    }
    try invocation.refuseInputFormat()
    let selector = try selector(schema, invocation)
    if members.isEmpty {
      guard selector.targets != nil, !schema.changedValues.isEmpty else {
        throw schema.nothingToChange
      }
      members = schema.changedValues
    }
    return try change(schema, invocation) { try $0.update(selector, of: schema, with: members) }
  }

  static func delete(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
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
    try output.write(selection, as: format)
    if output.isTerminal && selection.list.count == 0 { Complaint.note(schema.kind.invitation) }
    if selection.isEmpty {
      Remarks.say(of: selector.conditions, thatSelectNothingOf: selection)
    }
    if let key = invocation.sortKey { Remarks.say(ofFields: [key.field], in: selection) }
    return .done
  }

  static func undo(_ invocation: Invocation) throws -> ExitCode {
    let outcome = try store(invocation).perform(.undo)
    return try report(outcome, as: invocation.format) { "Undid \(outcome.verb.name) of \($0)" }
  }

  static func redo(_ invocation: Invocation) throws -> ExitCode {
    let outcome = try store(invocation).perform(.redo)
    return try report(outcome, as: invocation.format) { "Redid \(outcome.verb.name) of \($0)" }
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
