import ItemStore

/// Scripts for tab completion, made from the command table.
///
/// What bash and zsh are given is one function that reads the words before the cursor, and a frame
/// that hands its finds to the shell; fish gets its own `complete` lines. The ids that there are come
/// from the hidden command `Commands.candidates`, with the text of their records beside them.
enum Completions {
  enum Shell: String, CaseIterable { case bash, zsh, fish }

  static func script(for shell: Shell) -> String {
    switch shell {
    case .bash: reader + bash
    case .zsh: "#compdef items\n\n" + reader + zsh
    case .fish: fish
    }
  }

  // MARK: What the table says

  /// A place of the command line where a word of a command comes next: `tasks`, or the empty one.
  struct Node {
    let name: String
    let next: [(word: String, summary: String)]
  }

  /// Every node, and once more behind each command that takes the words of one.
  static var nodes: [Node] {
    var nodes: [Node] = []
    for words in [[]] + Commands.all.map({ Array($0.words.dropLast()) })
    where !nodes.contains(where: { $0.name == words.joined(separator: " ") }) {
      nodes.append(node(at: words))
    }
    for command in Commands.all {
      guard case .commandWords = command.operands else { continue }
      nodes += nodes.map {
        Node(name: command.name + ($0.name.isEmpty ? "" : " \($0.name)"), next: $0.next)
      }
    }
    return nodes
  }

  private static func node(at words: [String]) -> Node {
    var next: [(word: String, summary: String)] = []
    for command in Commands.all
    where command.words.count > words.count && command.words.starts(with: words) {
      let word = command.words[words.count]
      if next.contains(where: { $0.word == word }) { continue }
      let isWhole = command.words.count == words.count + 1
      next.append((word, isWhole ? command.summary : command.group.rawValue.lowercased()))
    }
    return Node(name: words.joined(separator: " "), next: next)
  }

  /// The commands whose words are followed by operands.
  static var leaves: [Command] {
    Commands.all.filter { if case .commandWords = $0.operands { false } else { true } }
  }

  /// The nodes and commands at which an option may stand; nil where it is everywhere.
  static func places(of option: Option) -> [String]? {
    if Option.everywhere.contains(where: { $0.long == option.long }) { return nil }
    let users = Commands.all.filter { $0.options.contains { $0.long == option.long } }.map(\.name)
    let above = nodes.map(\.name).filter { node in
      node.isEmpty || users.contains { $0.hasPrefix(node + " ") }
    }
    return above + users
  }

  /// The commands that take ids: all of them, or those that want one.
  static func takingIDs(of schema: Schema, onlyFirst: Bool) -> [String] {
    leaves.filter {
      switch $0.operands {
      case .ids(let own): !onlyFirst && own.list == schema.list
      case .idAndText(let own, _): onlyFirst && own.list == schema.list
      default: false
      }
    }.map(\.name)
  }

  /// The commands that work on the records of a list.
  static func working(on schema: Schema) -> [String] {
    takingIDs(of: schema, onlyFirst: false) + takingIDs(of: schema, onlyFirst: true)
  }

  // MARK: Options as they are typed

  /// A group of flags that ends in an option whose value is the next word: `^-[hy]*[fn]$`.
  static var groupPattern: String {
    let letters = { (takesValue: Bool) in
      String(Option.all.filter { ($0.value != nil) == takesValue }.compactMap(\.short))
    }
    return "^-[\(letters(false))]*[\(letters(true))]$"
  }

  /// In a word that a shell reads, all but letters, digits and `-` is between single quotes.
  static func quoted(_ words: [String]) -> String {
    words.map { $0.allSatisfy { $0.isLetter || $0 == "-" } && !$0.isEmpty ? $0 : $0.shellQuoted }
      .joined(separator: " ")
  }

  static var pathOptions: [Option] {
    Option.all.filter { if case .path = $0.values { true } else { false } }
  }

  static var valueOptions: [Option] { Option.all.filter { $0.value != nil } }

  /// What the value of an option that names a field can begin with.
  static func fields(_ option: Option, of schema: Schema) -> [String] {
    let fields = schema.fields.map(\.name)
    if case .field = option.values { return fields + fields.map { "-" + $0 } }
    return fields
  }
}

extension Option {
  /// `-f`, `--format`
  var names: [String] { (short.map { ["-\($0)"] } ?? []) + [longName] }
}

extension String {
  /// With a backslash before each of these characters.
  func escaped(_ characters: String) -> String {
    String(flatMap { characters.contains($0) ? ["\\", $0] : [$0] })
  }
}

extension Commands {
  static func completions(_ invocation: Invocation) throws -> ExitCode {
    guard let shell = invocation.operands.first.flatMap(Completions.Shell.init) else {
      return .wrongRequest
    }
    return try print(Completions.script(for: shell))
  }

  /// What a completion script calls: `items __complete LIST WORD TYPED...` prints the ids that begin
  /// with WORD and are not among those typed, each with the text of its record behind a tab. It is in
  /// no table that people see, and bounded, as a shell with a million ids to show is of no use.
  static let candidates = Command(
    words: ["__complete"], forms: ["LIST WORD [TYPED...]"], summary: "print ids for completion",
    operands: .any, group: .help
  ) { invocation in
    let words = invocation.operands
    guard words.count >= 2, let schema = Schema.all.first(where: { $0.list == words[0] }) else {
      return .wrongRequest
    }
    let all = try store(invocation).select(Query(), of: schema)
    var output = Output()
    for (id, text) in all.candidates(for: words[1], without: words.dropFirst(2)) {
      output.write("\(id)\t\(text.escapedForTerminal)\n")
    }
    try output.flush()
    return .done
  }
}

extension Selection {
  private static let candidateLimit = 200

  /// The ids that begin with `word`, those of tasks as short as names them, and the texts beside them.
  fileprivate func candidates(
    for word: String, without typed: ArraySlice<String>
  ) -> [(id: String, text: String)] {
    let list = list
    let isWanted = filter(for: word)
    let typed = typed.compactMap { try? RecordReference($0, of: schema).prefix }
    var found: [(record: Int, key: RecordKey)] = []
    for record in records {
      let key = list.key(of: record, in: document.bytes)
      guard isWanted(key),
        !typed.contains(where: { RecordKey.Prefix(key, digitCount: $0.digitCount) == $0 })
      else { continue }
      found.append((record, key))
      if found.count == Self.candidateLimit { break }
    }
    let text = schema.fields.first(where: \.kind.isText)?.name ?? schema.key.name
    // An id that is typed further than that cannot become shorter again.
    let names = names(of: found.map(\.key), areShort: word.utf8.count <= Self.shortDigits)
    return zip(names, found).map { ($0, StoredRecord(document, list, $1.record).text(text)) }
  }

  /// Whether an id begins with `word`.
  private func filter(for word: String) -> (RecordKey) -> Bool {
    guard case .uuid = schema.key.kind else { return { String($0.number).hasPrefix(word) } }
    guard let prefix = RecordKey.Prefix(uuid: word.utf8) else { return { _ in false } }
    return { RecordKey.Prefix($0, digitCount: prefix.digitCount) == prefix }
  }

  private static let shortDigits = 8

  /// Of UUIDs the first eight digits, where no other record has the same.
  private func names(of keys: [RecordKey], areShort: Bool) -> [String] {
    guard case .uuid = schema.key.kind else { return keys.map { String($0.number) } }
    if !areShort { return keys.map(\.uuid) }
    let short = { (key: RecordKey) in RecordKey.Prefix(key, digitCount: Self.shortDigits) }
    var count: [RecordKey.Prefix: Int] = [:]
    for key in keys { count[short(key)] = 0 }
    for record in records { count[short(list.key(of: record, in: document.bytes))]? += 1 }
    return keys.map { count[short($0)] == 1 ? $0.uuid(digits: Self.shortDigits) : $0.uuid }
  }
}
