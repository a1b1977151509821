import ItemStore

/// What fits at one place of a command line. The parser that reads whole lines finds the place.
struct Completion {
  struct Candidate: Equatable {
    let word: String
    /// What the candidate is or does.
    var text = ""
  }

  enum Kind: String {
    /// A word that is chosen is finished.
    case words
    /// A word that is chosen goes on, without a blank.
    case parts
    /// Files fit, which the shell finds.
    case files
  }

  private(set) var kind = Kind.words
  private(set) var candidates: [Candidate] = []

  /// Completes `word`, which is between other words of a line.
  init(before: [String], word: String, after: [String]) {
    var parser = Parser(Commands.all)
    for word in before { parser.take(word) }
    let token = parser.token(word)
    var line = parser
    if case .operand = token {} else { line.take(word) }
    for word in after { line.take(word) }
    switch token {
    case .value(let use): offerValues(of: use.option, parser, word)
    case .options(let uses, unknown: nil):
      guard let use = uses.last, use.option.value != nil, let value = use.value else {
        offerOptions(of: parser, word)
        break
      }
      let lead = word.unicodeScalars.dropLast(value.unicodeScalars.count)
      offerValues(of: use.option, parser, value, lead: String(lead))
    case .options, .endOfOptions: offerOptions(of: parser, word)
    case .operand where word == "-" && !parser.isLiteral: offerOptions(of: parser, word)
    case .operand: offerOperands(of: parser, line, word)
    }
  }

  private mutating func offer(_ offers: [Candidate], for word: String, lead: String = "") {
    candidates = offers.filter { $0.word.hasPrefix(word) }
      .map { Candidate(word: lead + $0.word, text: $0.text) }
  }

  // MARK: Options

  private mutating func offerOptions(of parser: Parser, _ word: String) {
    let options = Option.all.filter { option in
      option.isEverywhere
        || parser.reachable.contains { $0.options.contains { $0.long == option.long } }
    }
    offer(
      options.flatMap { option in option.names.map { Candidate(word: $0, text: option.summary) } },
      for: word)
  }

  private mutating func offerValues(
    of option: Option, _ parser: Parser, _ word: String, lead: String = ""
  ) {
    switch option.values {
    case .any: break
    case .path: kind = .files
    case .oneOf(let words): offer(words.map { Candidate(word: $0) }, for: word, lead: lead)
    case .sortKey:
      let fields = Self.fields(of: parser)
      let descending = fields.map { Candidate(word: "-" + $0.word, text: "descending") }
      offer(fields + descending, for: word, lead: lead)
    case .fields:
      kind = .parts
      let start = word.unicodeScalars.lastIndex(of: ",").map { word.index(after: $0) }
      let given = word[..<(start ?? word.startIndex)]
      let others = given.split(separator: ",").map(String.init)
      offer(
        Self.fields(of: parser).filter { !others.contains($0.word) },
        for: String(word.dropFirst(given.count)), lead: lead + given)
    case .ownField: offer(Self.ownFields(of: parser), for: word, lead: lead)
    case .assignment:
      kind = .parts
      let starts = Self.fields(of: parser).map { Candidate(word: $0.word + "=", text: $0.text) }
      offer(starts.filter { $0.word != word }, for: word, lead: lead)
    case .condition:
      kind = .parts
      let fields = Self.fields(of: parser)
      offer(fields, for: word, lead: lead)
      // A field that is given may go on with any operator.
      if candidates.count == 1 || fields.contains(where: { $0.word == word }) {
        let field = candidates[0].word
        candidates = Self.operators.map { Candidate(word: field + $0, text: $1) }
      }
    }
  }

  private static let operators = [
    ("=", "is"), ("!=", "is not"), ("<", "is less than"), ("<=", "is at most"),
    (">", "is greater than"), (">=", "is at least"), ("~", "contains, ignoring case"),
    ("!~", "does not contain, ignoring case"),
  ]

  /// The fields of all records that the line may be about.
  private static func fields(of parser: Parser) -> [Candidate] {
    kinds(of: parser).flatMap { kind in
      kind.schema.fields.map { Candidate(word: $0.name, text: "of \(kind.schema.nouns(2))") }
    } + ownFields(of: parser)
  }

  /// The fields of the user's own that these records have.
  private static func ownFields(of parser: Parser) -> [Candidate] {
    guard let document = try? Commands.store(parser.invocation.withHome).document() else {
      return []
    }
    return kinds(of: parser).flatMap { kind in
      document.list(kind.schema).ownFieldNames(in: document)
        .filter { !$0.unicodeScalars.contains(where: \.isUnsafeOnTerminal) }
        .map { Candidate(word: $0, text: "of your own") }
    }
  }

  private static func kinds(of parser: Parser) -> [RecordKind] {
    RecordKind.all.filter { kind in
      parser.reachable.contains { $0.kind?.schema === kind.schema }
    }
  }

  // MARK: Operands

  private mutating func offerOperands(of parser: Parser, _ line: Parser, _ word: String) {
    guard let command = parser.command else {
      return offer(Self.commandWords(after: parser.given, of: parser.reachable), for: word)
    }
    switch command.operands.operand(at: line.invocation.operands.count, line.selectors) {
    case nil, .text, .anything: break
    case .commandWord:
      let words = Commands.canonical(parser.invocation.operands)
      let commands = Commands.all.filter { $0.words.starts(with: words) }
      offer(Self.commandWords(after: words, of: commands), for: word)
    case .oneOf(let words): offer(words.map { Candidate(word: $0) }, for: word)
    case .id:
      guard let schema = command.kind?.schema else { break }
      let all = try? Commands.store(line.invocation.withHome).select(Query(), of: schema)
      candidates = all?.candidates(for: word, without: line.invocation.operands) ?? []
    }
  }

  /// The words that may follow, each once.
  private static func commandWords(after words: [String], of commands: [Command]) -> [Candidate] {
    var found: [Candidate] = []
    for command in commands where command.words.count > words.count {
      let word = command.words[words.count]
      if found.contains(where: { $0.word == word }) { continue }
      let isWhole = command.words.count == words.count + 1
      found.append(
        Candidate(
          word: word, text: isWhole ? command.summary : command.group.rawValue.lowercased()))
    }
    return found
  }
}

extension Option {
  /// `-f`, `--format`
  fileprivate var names: [String] { (short.map { ["-\($0)"] } ?? []) + [longName] }
}

extension Invocation {
  /// With the `~/` of the data file as the shell will expand it.
  fileprivate var withHome: Invocation {
    guard let file, file.hasPrefix("~/"), let home = (try? Process.variable("HOME")) ?? nil else {
      return self
    }
    var copy = self
    copy.file = home + file.dropFirst()
    return copy
  }
}
