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
  private var used: [Use] = []
  /// The option whose value is the next word.
  private var pending: Use?
  private var errors: [UsageError] = []
  private var isUnknown = false

  init(_ commands: [Command]) { self.commands = commands }

  /// - Throws: the first thing that is wrong; help and version win over everything.
  mutating func parse(_ words: [String]) throws(UsageError) -> Result {
    for word in words { take(word) }
    if used.contains(where: { $0.option.long == Option.help.long }) { return .help(given) }
    if used.contains(where: { $0.option.long == Option.version.long }) { return .version }
    guard let command else {
      if let error = errors.first { throw error }
      if let pending { throw pending.missingValue }
      if given.isEmpty { return .nothing }
      throw incompleteCommand()
    }
    for use in used where !command.allOptions.contains(where: { $0.long == use.option.long }) {
      throw UsageError(
        "'\(command.name)' has no option '\(use.name)'",
        hint: Self.operand(of: command, insteadOf: use.option) ?? Self.help(command))
    }
    if let error = errors.first { throw error }
    if let pending { throw pending.missingValue }
    try checkOperands(of: command)
    return .run(command, invocation)
  }

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
    /// The value that is attached: `-n5`, `--number=5`
    var value: String?

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
    switch token(word) {
    case .value(let use):
      pending = nil
      set(use.option, to: word)
    case .endOfOptions: isLiteral = true
    case .options(let uses, let unknown):
      for use in uses { take(use) }
      if let unknown { errors.append(unknownOption(unknown)) }
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
    if use.option.value == nil && use.value != nil {
      return errors.append(UsageError("option '\(use.name)' takes no value"))
    }
    used.append(use)
    if use.option.value != nil && use.value == nil {
      pending = use
    } else {
      set(use.option, to: use.value ?? "")
    }
  }

  private mutating func set(_ option: Option, to value: String) {
    do throws(UsageError) {
      try option.set(&invocation, value)
    } catch {
      errors.append(error)
    }
  }

  private func unknownOption(_ name: String) -> UsageError {
    let known = (command?.allOptions ?? Option.all).map(\.longName)
    return UsageError(
      "unknown option '\(name)'" + Suggestion.option(name, among: known),
      hint: command.map(Self.help) ?? "Run 'items --help' for what there is")
  }

  // MARK: Operands

  private mutating func takeOperand(_ word: String) {
    if command != nil {
      if word == "-" && !isLiteral {
        invocation.readsStdin = true
      } else {
        invocation.operands.append(word)
      }
      return
    }
    let words = Commands.canonical(given + [word])
    command = commands.first { $0.words == words }
    if command == nil && !commands.contains(where: { $0.words.starts(with: words) }) {
      isUnknown = true
      return errors.append(.unknownCommand(words))
    }
    given = words
  }

  private func incompleteCommand() -> UsageError {
    let name = given.joined(separator: " ")
    let next = commands.filter { $0.words.starts(with: given) }.map { $0.words[given.count] }
    return UsageError("'\(name)' needs a command: \(next.joined(separator: ", "))")
  }

  /// The way out where a command takes as its operand what others take as an option.
  private static func operand(of command: Command, insteadOf option: Option) -> String? {
    guard case .text = command.operands, let noun = command.kind?.textNoun,
      option.value == noun.uppercased()
    else { return nil }
    return "The \(noun) stands by itself: items \(command.name) \(noun.uppercased())"
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
    if used.contains(where: { $0.option.long == Option.condition.long }) {
      selectors.insert(.conditions)
    }
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
    case .text, .idAndText:
      guard surplus > 0, selectors.isEmpty else { fallthrough }
      // The text is the last operand that there may be.
      let others = operands.prefix(surplus - 1)
      let text = operands.dropFirst(others.count).joined(separator: " ")
      let words =
        ["items", command.name] + others.map(\.shellWord) + (text.hasPrefix("-") ? ["--"] : [])
      throw UsageError(
        "\(message). Quote text that has spaces: "
          + (words + [text.shellQuoted]).joined(separator: " "))
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
        + Suggestion.command(words, among: Commands.all),
      hint: "Run 'items --help' for what there is")
  }
}

extension String {
  /// Between the quotes of a POSIX shell.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// As a shell reads it: in quotes where it has to be.
  fileprivate var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isPlain && !isEmpty ? self : shellQuoted
  }
}
