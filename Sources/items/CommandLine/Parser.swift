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
  private(set) var words: [String] = []
  /// Where in the line the words of the command are.
  private(set) var commandIndices: [Int] = []
  private(set) var used: [Use] = []
  /// The option whose value is the next word.
  private var pending: Use?
  private var problems: [Problem] = []
  private var isUnknown = false
  /// Whether a line that works is looked for if this one does not.
  let explains: Bool

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

  private func checkOperands(of command: Command) throws(UsageError) {
    let operands = invocation.operands
    if invocation.readsStdin && !command.operands.mayBeRead {
      throw Self.unreadStdin(of: command)
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
}
