/// The words of a command line to a command and what it is asked to do.
struct Parser {
  let commands: [Command]

  enum Result {
    case run(Command, Invocation)
    /// Help for the command with these words, or for all that begin with them.
    case help([String])
    case version
    case nothing
  }

  private(set) var invocation = Invocation()
  private(set) var command: Command?
  /// The words of the command as far as they are given: `tasks`
  private(set) var given: [String] = []
  /// Whether `--` was given: all words after it are operands.
  private(set) var isLiteral = false
  private var words: [String] = []
  private var commandIndices: [Int] = []
  private var used: [Use] = []
  /// The option whose value is the next word.
  private var pending: Use?
  private var problems: [Problem] = []
  private var isUnknown = false
  /// Whether a line that works is looked for if this one does not.
  private let explains: Bool

  init(_ commands: [Command], explains: Bool = true) {
    (self.commands, self.explains) = (commands, explains)
  }

  /// - Throws: the first thing that is wrong; help and version win over everything.
  mutating func parse(_ words: [String]) throws(UsageError) -> Result {
    for word in words { take(word) }
    if isUsed(.help) { return .help(given) }
    if isUsed(.version) { return .version }
    guard let command else {
      if let problem = problems.first { throw explained(problem) }
      if let pending { throw pending.missingValue }
      if given.isEmpty { return .nothing }
      throw incompleteCommand()
    }
    invocation.line = GivenLine(command: command, options: used.map(\.typed))
    if let use = (used + (pending.map { [$0] } ?? [])).first(where: { !command.has($0.option) }) {
      throw explained(
        Problem(
          UsageError("'\(command.name)' has no option '\(use.name)'", hint: Self.help(command)),
          .option(nil, use.name, at: use.index)))
    }
    if let problem = problems.first { throw explained(problem) }
    if let pending { throw pending.missingValue }
    try checkOperands(of: command)
    return .run(command, invocation)
  }

  private func isUsed(_ option: Option) -> Bool { used.contains { $0.option.long == option.long } }

  // MARK: Words

  /// What a word is at a place of a line.
  enum Token {
    /// The value of the option before it.
    case value(of: Use)
    /// `--`
    case endOfOptions
    /// One option or a group, and the part of it that is no option.
    case options([Use], unknown: String?)
    case operand
  }

  /// An option as it is written.
  struct Use {
    let option: Option
    /// `-n`, `--number`
    let name: String
    /// The value, first only if it is attached: `-n5`, `--number=5`
    var value: String?
    /// Where in the line it is.
    var index = 0

    /// As it may be typed: `-n 5`
    var typed: String { value.map { "\(name) \($0.shellWord)" } ?? name }

    var missingValue: UsageError {
      UsageError("option '\(name)' needs a value: \(name) \(option.value ?? "")")
    }
  }

  /// What the next word is.
  func token(_ word: String) -> Token {
    if let pending { return .value(of: pending) }
    if isLiteral { return .operand }
    if word == "--" { return .endOfOptions }
    if word.hasPrefix("--") { return longOption(word) }
    guard word.hasPrefix("-"), let next = word.dropFirst().utf8.first,
      !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= next)
    else { return .operand }
    return shortOptions(word)
  }

  mutating func take(_ word: String) {
    words.append(word)
    switch token(word) {
    case .value(var use):
      pending = nil
      use.value = word
      set(use)
    case .endOfOptions: isLiteral = true
    case .options(let uses, let unknown):
      for use in uses { take(use) }
      if let unknown { problems.append(unknownOption(unknown)) }
    case .operand: takeOperand(word)
    }
  }

  /// The commands that the line may come to.
  var reachable: [Command] {
    if let command { return [command] }
    return isUnknown ? [] : commands.filter { $0.words.starts(with: given) }
  }

  // MARK: What is wrong

  /// An error, and what may have been meant.
  private struct Problem {
    let error: UsageError
    let meaning: Meaning?

    enum Meaning {
      case option(String?, String, at: Int)
      case command(String, [Int], field: String)
    }

    init(_ error: UsageError, _ meaning: Meaning? = nil) {
      (self.error, self.meaning) = (error, meaning)
    }
  }

  /// The error with a line that works, if there is one.
  private func explained(_ problem: Problem) -> UsageError {
    var error = problem.error
    guard explains, let meaning = problem.meaning else { return error }
    switch meaning {
    case .command(let meant, let indices, let field):
      let correction = Correction(words: words, index: indices.last ?? 0)
      if let line = correction.replacing(command: indices, with: meant, searching: field) {
        error.hint = "Try: \(line)"
      }
    case .option(let meant, let name, let index):
      let correction = Correction(words: words, index: index)
      if let line = meant.flatMap(correction.replacing) {
        error.hint = "Try: \(line)"
      } else if let hint = command.flatMap({ self.hint(for: name, correction, $0) }), meant == nil {
        error.hint = hint
      }
    }
    return error
  }

  /// The way out if a command has nothing like an option.
  private func hint(for name: String, _ correction: Correction, _ command: Command) -> String? {
    switch command.operands {
    case .text, .idAndText:
      if name.hasPrefix("--") || name.count == 2,
        Suggestion.textOptions.contains(String(name.drop { $0 == "-" }))
      {
        return correction.valueAsText.map {
          "The \(command.kind?.textNoun ?? "text") is an operand: \($0)"
        }
      }
      return correction.asText.map { "For a text that begins with '-': \($0)" }
    case .filteredIDs:
      let program = Suggestion.programs[String(name.drop { $0 == "-" })]
      return program.flatMap(correction.piping).map { "Try: \($0)" }
    default: return nil
    }
  }

  // MARK: Options

  private func longOption(_ word: String) -> Token {
    let text = word.dropFirst(2)
    // By code points: a mark that combines with the '=' is a part of the value.
    let equals = text.unicodeScalars.firstIndex(of: "=")
    let name = String(text[..<(equals ?? text.endIndex)])
    guard let option = Option.all.first(where: { $0.long == name }) else {
      return .options([], unknown: "--\(name.isEmpty ? text : name[...])")
    }
    let value = equals.map { String(text.unicodeScalars[$0...].dropFirst()) }
    return .options([Use(option: option, name: "--\(name)", value: value)], unknown: nil)
  }

  /// `-y`, `-n5`, `-n`, `-yf`
  private func shortOptions(_ word: String) -> Token {
    // Other tools have long options with one hyphen, and no value begins as such a word does.
    if Option.all.contains(where: { $0.longName == "-\(word)" }) {
      return .options([], unknown: word)
    }
    var uses: [Use] = []
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = Option.all.first(where: { $0.short == letter }) else {
        return .options(uses, unknown: uses.isEmpty ? word : "-\(letter)")
      }
      var use = Use(option: option, name: "-\(letter)")
      if option.value != nil && !letters.isEmpty {
        use.value = String(letters)
        letters = ""
      }
      uses.append(use)
    }
    return .options(uses, unknown: nil)
  }

  private mutating func take(_ use: Use) {
    var use = use
    use.index = words.count - 1
    if use.option.value == nil && use.value != nil {
      problems.append(Problem(UsageError("option '\(use.name)' takes no value")))
    } else if use.option.value != nil && use.value == nil {
      pending = use
    } else {
      set(use)
    }
  }

  private mutating func set(_ use: Use) {
    used.append(use)
    do throws(UsageError) {
      try use.option.set(&invocation, use.value ?? "")
    } catch {
      problems.append(Problem(error))
    }
  }

  private func unknownOption(_ name: String) -> Problem {
    let known = (command?.allOptions ?? Option.all).map(\.longName)
    let meant = Suggestion.option(name, among: known)
    let error = UsageError(
      "unknown option '\(name)'" + Suggestion.phrase(meant),
      hint: command.map(Self.help) ?? "Run 'items --help' for what there is")
    return Problem(error, .option(meant, name, at: words.count - 1))
  }

  // MARK: Operands

  private mutating func takeOperand(_ word: String) {
    if let command {
      if word != "-" || isLiteral {
        invocation.operands.append(word)
      } else if invocation.readsStdin || !invocation.operands.isEmpty {
        problems.append(misplacedStdin(of: command))
      } else {
        invocation.readsStdin = true
      }
      return
    }
    commandIndices.append(words.count - 1)
    let words = Commands.canonical(given + [word])
    command = commands.first { $0.words == words }
    if command == nil && !commands.contains(where: { $0.words.starts(with: words) }) {
      isUnknown = true
      problems.append(unknownCommand(words))
    } else {
      given = words
    }
  }

  private func unknownCommand(_ words: [String]) -> Problem {
    let error = UsageError.unknownCommand(words)
    let meant = Suggestion.command(words, among: Commands.all)
    let kind = RecordKind.all.first { $0.words == words.dropLast() }
    let field = kind?.schema.fields.first { $0.kind.isText }?.name
    guard let meant, let field else { return Problem(error) }
    return Problem(error, .command(meant, commandIndices, field: field))
  }

  private func misplacedStdin(of command: Command) -> Problem {
    let line = GivenLine(command: command, options: used.map(\.typed))
    let hint =
      switch command.operands {
      case .text: "For a text that is '-': \(line.with(text: "-"))"
      case .idAndText: "For a text that is '-': \(line.with(invocation.operands, text: "-"))"
      default: "Give the ids, or '-' to read them from stdin"
      }
    return Problem(
      UsageError(
        invocation.readsStdin ? "'-' is given twice" : "'-' must be the first operand", hint: hint))
  }

  private func incompleteCommand() -> UsageError {
    let name = given.joined(separator: " ")
    let next = commands.filter { $0.words.starts(with: given) }.map { $0.words[given.count] }
    return UsageError("'\(name)' needs a command: \(next.joined(separator: ", "))")
  }

  static func help(_ command: Command) -> String {
    "Run 'items \(command.name) --help' for what it takes"
  }

  private func checkOperands(of command: Command) throws(UsageError) {
    let operands = invocation.operands
    if invocation.readsStdin && !command.operands.mayBeRead {
      throw UsageError("unexpected argument '-'", hint: Self.help(command))
    }
    if case .choice(let name, let words) = command.operands {
      try check(operands.first, isOneOf: words, name: name)
    }
    let selectors = selectors
    if selectors == [.stdin, .conditions], case .ids = command.operands {
      throw UsageError("'-' and --where cannot be used together", hint: "Leave one of them out")
    }
    guard
      let surplus = operands.indices.first(where: {
        command.operands.operand(at: $0, selectors) == nil
      })
    else { return }
    try refuse(surplus, of: command)
  }

  /// What says which records are meant, if operands do not.
  var selectors: Operands.Selectors {
    var selectors: Operands.Selectors = invocation.readsStdin ? .stdin : []
    if isUsed(.condition) { selectors.insert(.conditions) }
    return selectors
  }

  /// Says how to go on without the operand at an index and those after it.
  private func refuse(_ surplus: Int, of command: Command) throws(UsageError) -> Never {
    let operands = invocation.operands
    let message = "unexpected argument '\(operands[surplus])'"
    switch command.operands {
    case .ids, .filteredIDs:
      if selectors.contains(.stdin) {
        throw UsageError(
          "'-' cannot be used together with ids",
          hint: "Give the ids, or '-' to read them from stdin")
      }
      throw UsageError("ids and --where cannot be used together", hint: "Leave one of them out")
    case .text where surplus == 0:
      let text = (["-"] + operands).joined(separator: " ")
      throw UsageError(
        message, hint: "For a text that begins with '-': \(invocation.line.with(text: text))")
    case .text, .idAndText:
      // The text is the last operand that there may be.
      let others = operands.prefix(surplus - 1)
      let text = operands.dropFirst(others.count).joined(separator: " ")
      let line = invocation.line.with((invocation.readsStdin ? ["-"] : []) + others, text: text)
      throw UsageError("\(message). Quote text that has spaces: \(line)")
    default: throw UsageError(message, hint: Self.help(command))
    }
  }

  private func check(
    _ operand: String?, isOneOf words: [String], name: String
  ) throws(UsageError) {
    let noun = name.lowercased()
    guard let operand else {
      throw UsageError("missing \(noun)", hint: "One of: \(words.joined(separator: ", "))")
    }
    guard words.contains(operand) else {
      throw UsageError(
        "unknown \(noun) '\(operand)'" + Suggestion.value(operand, among: words),
        hint: "One of: \(words.joined(separator: ", "))")
    }
  }
}

extension UsageError {
  static func unknownCommand(_ words: [String]) -> UsageError {
    UsageError(
      "unknown command '\(words.joined(separator: " "))'"
        + Suggestion.phrase(Suggestion.command(words, among: Commands.all)),
      hint: "Run 'items --help' for what there is")
  }
}
