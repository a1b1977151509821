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

  private var words: [String] = []
  private var used: [(option: Option, name: String)] = []
  private var invocation = Invocation()
  private var errors: [UsageError] = []
  private var wantsHelp = false
  private var wantsVersion = false
  private var command: Command?
  /// The command as far as it is given: `tasks`.
  private var given: [String] = []

  init(_ commands: [Command]) { self.commands = commands }

  /// - Throws: the first thing that is wrong; help and version win over everything.
  mutating func parse(_ arguments: [String]) throws(UsageError) -> Result {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        for literal in rest { takeOperand(literal, isLiteral: true) }
        break
      }
      if word.hasPrefix("--") {
        takeLongOption(word.dropFirst(2), &rest)
      } else if word.hasPrefix("-"), let next = word.dropFirst().utf8.first,
        !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= next)
      {
        takeShortOptions(word.dropFirst(), &rest)
      } else {
        takeOperand(word, isLiteral: false)
      }
    }
    if wantsHelp { return .help(given) }
    if wantsVersion { return .version }
    guard let command else {
      if let error = errors.first { throw error }
      if given.isEmpty { return .nothing }
      throw incompleteCommand()
    }
    for (option, name) in used where !command.allOptions.contains(where: { $0.long == option.long })
    {
      throw UsageError(
        "'\(command.name)' has no option '\(name)'",
        hint: Self.operand(of: command, insteadOf: option) ?? Self.help(command))
    }
    if let error = errors.first { throw error }
    try checkOperands(of: command)
    return .run(command, invocation)
  }

  // MARK: Options

  private mutating func takeLongOption(_ text: Substring, _ rest: inout ArraySlice<String>) {
    // By code points: a mark that combines with the '=' is a part of the value.
    let equals = text.unicodeScalars.firstIndex(of: "=")
    let name = String(text[..<(equals ?? text.endIndex)])
    let attached = equals.map { String(text.unicodeScalars[$0...].dropFirst()) }
    guard let option = Option.all.first(where: { $0.long == name }) else {
      return errors.append(unknownOption("--\(name.isEmpty ? text : name[...])"))
    }
    use(option, as: "--\(name)", attached: attached, &rest)
  }

  /// `-y`, `-n5`, `-n 5`, `-yf json`
  private mutating func takeShortOptions(_ text: Substring, _ rest: inout ArraySlice<String>) {
    // Other tools have long options with one hyphen, and no value begins as such a word does.
    if Option.all.contains(where: { $0.long == text }) {
      return errors.append(unknownOption("-\(text)"))
    }
    var letters = text
    while let letter = letters.popFirst() {
      guard let option = Option.all.first(where: { $0.short == letter }) else {
        let isFirst = letters.endIndex == text.endIndex && letters.count == text.count - 1
        return errors.append(unknownOption(isFirst ? "-\(text)" : "-\(letter)"))
      }
      if option.value == nil {
        use(option, as: "-\(letter)", attached: nil, &rest)
      } else {
        return use(
          option, as: "-\(letter)", attached: letters.isEmpty ? nil : String(letters), &rest)
      }
    }
  }

  private mutating func use(
    _ option: Option, as name: String, attached: String?, _ rest: inout ArraySlice<String>
  ) {
    used.append((option, name))
    if option.value == nil {
      if attached != nil { return errors.append(UsageError("option '\(name)' takes no value")) }
      if option.long == "help" { wantsHelp = true }
      if option.long == "version" { wantsVersion = true }
    } else if attached == nil && rest.isEmpty {
      return errors.append(
        UsageError("option '\(name)' needs a value: \(name) \(option.value ?? "")"))
    }
    let value = option.value == nil ? "" : attached ?? rest.removeFirst()
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

  private mutating func takeOperand(_ word: String, isLiteral: Bool) {
    if command != nil {
      if word == "-" && !isLiteral {
        invocation.readsStdin = true
      } else {
        invocation.operands.append(word)
      }
      return
    }
    let words = given + [given.isEmpty ? Commands.aliases[word] ?? word : word]
    command = commands.first { $0.words == words }
    if command == nil && !commands.contains(where: { $0.words.starts(with: words) }) {
      return errors.append(.unknownCommand(words, among: commands))
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
    guard case .text(let name) = command.operands, option.value == name else { return nil }
    return "The \(name.lowercased()) stands by itself: items \(command.name) \(name)"
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
    let isSelected = invocation.readsStdin || !invocation.conditions.isEmpty
    guard let most = command.operands.limit(isSelected: isSelected), operands.count > most else {
      return
    }
    let message = "unexpected argument '\(operands[most])'"
    guard command.operands.endInText, !isSelected, most > 0 else {
      throw UsageError(message, hint: Self.help(command))
    }
    // The text is the last operand that there may be.
    let others = operands.prefix(most - 1)
    let text = operands.dropFirst(others.count).joined(separator: " ")
    let words =
      ["items", command.name] + others.map(\.shellWord) + (text.hasPrefix("-") ? ["--"] : [])
    throw UsageError(
      "\(message). Quote text that has spaces: "
        + (words + [text.shellQuoted]).joined(separator: " "))
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

extension Command.Operands {
  /// Whether `-` may stand for them.
  fileprivate var mayBeRead: Bool {
    switch self {
    case .text, .ids, .idAndText: true
    case .none, .choice, .commandWords, .any: false
    }
  }

  fileprivate var endInText: Bool {
    switch self {
    case .text, .idAndText: true
    case .none, .ids, .choice, .commandWords, .any: false
    }
  }

  /// How many there may be; nil where there is no limit. Records that are selected by stdin or a
  /// condition need no operand that names them.
  fileprivate func limit(isSelected: Bool) -> Int? {
    switch self {
    case .none: 0
    case .text: isSelected ? 0 : 1
    case .idAndText: isSelected ? 1 : 2
    case .choice: 1
    case .ids, .commandWords, .any: nil
    }
  }
}

extension UsageError {
  static func unknownCommand(_ words: [String], among commands: [Command]) -> UsageError {
    UsageError(
      "unknown command '\(words.joined(separator: " "))'"
        + Suggestion.command(words, among: commands),
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
