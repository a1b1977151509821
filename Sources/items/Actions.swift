import ItemStore

/// What the commands do: words to a call of the store, and its result to words.
extension Commands {
  static func add(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    let number = invocation.number.map { Member("number", number: $0) }
    if invocation.readsStdin {
      let input = try read(schema, use: .new, invocation, defaults: number.map { [$0] } ?? [])
      let drafts = input.records.map { Draft($0.members, origin: $0.origin) }
      return try change(schema, invocation, input) { try $0.add(drafts, to: schema) }
    }
    try invocation.refuseInputFormat()
    var members: [Member] = []
    if let field = schema.fields.first(where: \.kind.isText) {
      if let text = invocation.operands.first {
        members.append(Member(field.name, text: try Option.text(text, schema.textNoun)))
      } else if !field.hasDefault {
        throw UsageError(
          "missing \(schema.textNoun): items tasks add \(schema.textNoun.uppercased())")
      }
    }
    if let number { members.append(number) }
    return try change(schema, invocation) { try $0.add([Draft(members)], to: schema) }
  }

  static func update(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    var invocation = invocation
    var members: [Member] = []
    if let title = invocation.title { members.append(Member("title", text: title)) }
    if let number = invocation.number { members.append(Member("number", number: number)) }
    if schema.isNamedByText, let note = invocation.takeNote() {
      members.append(Member("tasknote", text: try Option.text(note, schema.textNoun)))
    }
    if invocation.readsStdin {
      let input = try read(schema, use: members.isEmpty ? .changes : .ids, invocation)
      let targets = try targets(schema, input)
      if !members.isEmpty {
        return try change(schema, invocation, input) {
          try $0.update(Selector(targets: targets), of: schema, with: members)
        }
      }
      return try change(schema, invocation, input) {
        try $0.update(zip(targets, input.records).map { ($0, $1.members) }, of: schema)
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
      let targets = try targets(schema, input)
      return try change(schema, invocation, input) {
        try $0.delete(Selector(targets: targets), from: schema)
      }
    }
    try invocation.refuseInputFormat()
    let selector = try selector(schema, invocation)
    return try change(schema, invocation) { try $0.delete(selector, from: schema) }
  }

  static func deleteAll(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    let store = try store(invocation)
    if !invocation.isConfirmed {
      guard Process.isTerminal(0) else {
        throw UsageError(
          "\(schema.command("delete-all")) needs --yes when it is not run from a terminal")
      }
      let count = try store.select(Selector(), of: schema).records.count
      if count > 0 {
        let path = store.path.escapedForTerminal
        let question = "Delete all \(count) \(schema.nouns(count)) in \(path)? [y/N] "
        try? Process.write(Array(question.utf8), to: 2)
        let answer = Process.inputLine()?.trimmed.lowercased()
        guard answer == "y" || answer == "yes" else {
          Complaint.say("nothing was deleted")
          return .no
        }
      }
    }
    return try change(schema, invocation) { try $0.deleteAll(of: schema) }
  }

  static func list(_ schema: Schema, _ invocation: Invocation) throws -> ExitCode {
    var selector = Selector(conditions: try conditions(schema, invocation))
    if let field = invocation.sortKey?.field { try schema.refuseSlip(field) }
    if invocation.isWatching {
      if !invocation.readsStdin { try invocation.refuseInputFormat() }
      return try watch(selector, schema, invocation)
    }
    if invocation.readsStdin {
      guard invocation.operands.isEmpty else { throw UsageError.idsAndStdin }
      let input = try read(schema, use: .ids, invocation)
      selector.targets = try targets(schema, input)
      return try list(selector, schema, invocation, input)
    }
    try invocation.refuseInputFormat()
    if !invocation.operands.isEmpty { selector.targets = try targets(schema, invocation.operands) }
    return try list(selector, schema, invocation, nil)
  }

  private static func list(
    _ selector: Selector, _ schema: Schema, _ invocation: Invocation, _ input: Input?
  ) throws -> ExitCode {
    let store = try store(invocation)
    var selection = try placing(input) { try store.select(selector, of: schema) }
    if let key = invocation.sortKey { selection = selection.sorted(by: key) }
    var output = Output()
    let format = invocation.format ?? (output.isTerminal ? .table : .tsv)
    try output.write(selection, as: format)
    if output.isTerminal && selection.list.count == 0 { Complaint.note(schema.invitation) }
    return .done
  }

  static func undo(_ invocation: Invocation) throws -> ExitCode {
    let change = try store(invocation).undo()
    return try report(change, as: invocation.format) { "Undid \(change.verb.name) of \($0)" }
  }

  static func path(_ invocation: Invocation) throws -> ExitCode {
    try print(store(invocation).path + "\n")
  }

  static func help(_ invocation: Invocation) throws -> ExitCode {
    var words = invocation.operands
    if let first = words.first { words[0] = aliases[first] ?? first }
    guard words.isEmpty || all.contains(where: { $0.words.starts(with: words) }) else {
      throw UsageError.unknownCommand(words, among: all)
    }
    return try print(Help.text(for: words))
  }

  static func print(_ text: String) throws(Errno) -> ExitCode {
    try Process.write(Array(text.utf8), to: 1)
    return .done
  }
}

// MARK: From words to the store

extension Commands {
  static func store(_ invocation: Invocation) throws(UsageError) -> ItemStore {
    var store = ItemStore(path: try DataPath.resolve(invocation.file))
    store.warn = { Complaint.say($0) }
    return store
  }

  private static func read(
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
  private static func selector(
    _ schema: Schema, _ invocation: Invocation
  ) throws(UsageError) -> Selector {
    let conditions = try conditions(schema, invocation)
    if conditions.isEmpty {
      guard !invocation.operands.isEmpty else { throw schema.missingID }
      return Selector(targets: try targets(schema, invocation.operands))
    }
    guard invocation.operands.isEmpty else {
      throw UsageError("ids and --where cannot be used together", hint: "Leave one of them out")
    }
    return Selector(conditions: conditions)
  }

  private static func conditions(
    _ schema: Schema, _ invocation: Invocation
  ) throws(UsageError) -> [Condition] {
    for condition in invocation.conditions { try schema.refuseSlip(condition.field) }
    return invocation.conditions
  }

  private static func targets(_ schema: Schema, _ ids: [String]) throws(UsageError) -> [Target] {
    try targets(schema, ids.map { (id: $0, origin: nil) }) { _ in "" }
  }

  private static func targets(_ schema: Schema, _ input: Input) throws(UsageError) -> [Target] {
    try targets(schema, input.records.map { (id: $0.id ?? "", origin: $0.origin) }) {
      $0.map { input.place($0) + ": " } ?? ""
    }
  }

  private static func targets(
    _ schema: Schema, _ ids: [(id: String, origin: Int?)], _ place: (Int?) -> String
  ) throws(UsageError) -> [Target] {
    var targets: [Target] = []
    var problems: [String] = []
    targets.reserveCapacity(ids.count)
    for (id, origin) in ids {
      do throws(Target.Problem) {
        targets.append(try Target(id, of: schema, origin: origin))
      } catch {
        let problem =
          switch error {
          case .notANumber: "the id must be a whole number, not '\(id)'"
          case .tooShort:
            "task id '\(id)' is too short, give \(Target.shortestPrefix) characters or more"
          }
        problems.append(place(origin) + problem)
      }
    }
    if !problems.isEmpty { throw UsageError(problems) }
    return targets
  }

  /// Runs `body`; what it says of a record gets the place of it in the input.
  private static func placing<T>(
    _ input: Input?, _ body: () throws -> T
  ) throws -> T {
    do {
      return try body()
    } catch let error as StoreError {
      throw Placed(error: error, input: input)
    }
  }

  private static func change(
    _ schema: Schema, _ invocation: Invocation, _ input: Input? = nil,
    _ body: (ItemStore) throws -> Change
  ) throws -> ExitCode {
    if invocation.readsStdin && !invocation.conditions.isEmpty {
      throw UsageError("'-' and --where cannot be used together", hint: "Leave one of them out")
    }
    if invocation.readsStdin && !(invocation.operands.isEmpty) { throw UsageError.idsAndStdin }
    let store = try store(invocation)
    let change = try placing(input) { try body(store) }
    return try report(change, as: invocation.format) { "\(change.verb.pastTense) \($0)" }
  }

  /// Prints what a change touched. It is made by now, so that a failure says no more than it is.
  private static func report(
    _ change: Change, as format: Format?, sentence: (String) -> String
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
      Complaint.say("the change is made, but stdout could not be written: \(error)")
      return .doneButFailed
    }
    if let failure = change.failure {
      for line in failure.lines { Complaint.say(line.text) }
      return .doneButFailed
    }
    return .done
  }
}

/// A failure of the store, and the input that it may speak of.
struct Placed: Error {
  let error: StoreError
  let input: Input?

  var lines: [String] {
    error.lines.map { line in
      guard let input, let origin = line.origin else { return line.text }
      return "\(input.place(origin)): \(line.text)"
    }
  }
}

extension Verb {
  fileprivate var name: String {
    switch self {
    case .add: "add"
    case .update: "update"
    case .delete: "delete"
    case .deleteAll: "delete-all"
    }
  }

  fileprivate var pastTense: String {
    switch self {
    case .add: "Added"
    case .update: "Updated"
    case .delete, .deleteAll: "Deleted"
    }
  }
}

extension Selection {
  /// `item 4: Milk (3)`, `3 items`
  fileprivate var inWords: String {
    guard records.count == 1 else { return "\(records.count) \(schema.nouns(records.count))" }
    let fields = StoredFields(document, list, records[0])
    if schema.isNamedByText {
      let id = Array(fields.text(schema.key.name).utf8)
      let short = Key(uuid: id)?.uuid(digits: 8) ?? ""
      return "\(schema.noun) \(short): \(fields.text("tasknote"))"
    }
    return
      "\(schema.noun) \(fields.number("id")): \(fields.text("title")) (\(fields.number("number")))"
  }

  /// In the order of a field, stable; records without it come last either way.
  func sorted(by key: Invocation.SortKey) -> Selection {
    let list = list
    let keyed = records.map { ($0, Value(StoredFields(document, list, $0), key.field)) }
    let sorted = keyed.sorted { a, b in
      guard let first = a.1 else { return false }
      guard let second = b.1 else { return true }
      return key.isDescending ? second.sortsBefore(first) : first.sortsBefore(second)
    }
    return Selection(document, schema, sorted.map(\.0))
  }
}

extension Schema {
  /// Whether ids are UUIDs and the one other field is text: to-do tasks.
  var isNamedByText: Bool { if case .uuid = key.kind { true } else { false } }

  var textNoun: String { isNamedByText ? "note" : "title" }

  /// What is said where there is no record.
  var invitation: String {
    let example = isNamedByText ? "items tasks add 'Call the bank'" : "items add 'Buy milk'"
    return "No \(nouns(0)) yet. Add the first: \(example)"
  }

  /// `tasks delete-all`
  func command(_ verb: String) -> String { isNamedByText ? "\(list) \(verb)" : verb }

  fileprivate var nothingToChange: UsageError {
    UsageError(
      isNamedByText
        ? "nothing to change: give the new note" : "nothing to change: give -t TITLE or -n NUMBER")
  }

  fileprivate var missingID: UsageError {
    UsageError(
      "which \(noun)s? Give their ids, or '-' to read them from stdin",
      hint: "To delete every \(noun): items \(command("delete-all"))")
  }

  func refuseSlip(_ field: String) throws(UsageError) {
    if let known = Suggestion.slip(field, of: fields.map(\.name)) {
      throw UsageError("unknown field '\(field)'. Did you mean '\(known)'?")
    }
  }
}

extension UsageError {
  fileprivate static let idsAndStdin = UsageError(
    "'-' cannot be used together with ids", hint: "Give the ids, or '-' to read them from stdin")
}

extension Invocation {
  fileprivate func refuseInputFormat() throws(UsageError) {
    if inputFormat != nil {
      throw UsageError("--input says how to read stdin, which only '-' does")
    }
  }

  /// The operand that is the new note: the last, where another one or something else says which tasks.
  fileprivate mutating func takeNote() -> String? {
    guard operands.count == 2 || readsStdin || !conditions.isEmpty else { return nil }
    return operands.popLast()
  }
}
