/// The words of a command line to a command and what it is asked to do.
struct Parser {
  let commands: [Command]

  enum Result {
    case run(Command, Invocation)
    /// Help for a command, or for all where none is named.
    case help(Command?)
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
    if wantsHelp { return .help(command) }
    if wantsVersion { return .version }
    guard let command else {
      if let error = errors.first { throw error }
      if given.isEmpty { return .nothing }
      throw incompleteCommand()
    }
    for (option, name) in used where !command.allOptions.contains(where: { $0.long == option.long })
    {
      throw UsageError("'\(command.name)' has no option '\(name)'", hint: Self.help(command))
    }
    if let error = errors.first { throw error }
    try checkOperands(of: command)
    return .run(command, invocation)
  }

  // MARK: Options

  private mutating func takeLongOption(_ text: Substring, _ rest: inout ArraySlice<String>) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard let option = Option.all.first(where: { $0.long == name }) else {
      return errors.append(unknownOption("--\(name)"))
    }
    use(option, as: "--\(name)", attached: parts.count > 1 ? String(parts[1]) : nil, &rest)
  }

  /// `-y`, `-n5`, `-n 5`, `-yf json`
  private mutating func takeShortOptions(_ text: Substring, _ rest: inout ArraySlice<String>) {
    var letters = text
    while let letter = letters.popFirst() {
      guard let option = Option.all.first(where: { $0.short == letter }) else {
        return errors.append(
          unknownOption(text.count > 1 && letters.isEmpty ? "-\(text)" : "-\(letter)"))
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
      "unknown option '\(name)'." + Suggestion.option(name, among: known),
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
    let words = given + [word == "task" && given.isEmpty ? "tasks" : word]
    command = commands.first { $0.words == words }
    if command == nil && !commands.contains(where: { $0.words.starts(with: words) }) {
      if errors.isEmpty || given.isEmpty { errors.append(unknownCommand(words)) }
      return
    }
    given = words
  }

  private func unknownCommand(_ words: [String]) -> UsageError {
    let known = commands.filter { $0.words.starts(with: given) && $0.words.count > given.count }
      .map { $0.words[given.count] }
    return UsageError(
      "unknown command '\(words.joined(separator: " "))'."
        + Suggestion.command(words.last ?? "", among: known),
      hint: "Run 'items --help' for what there is")
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
    let most: Int
    switch command.operands {
    case .none: most = 0
    case .text: most = invocation.readsStdin ? 0 : 1
    case .choice: most = 1
    case .ids, .commandWords: return
    case .idAndText: most = invocation.readsStdin || !invocation.conditions.isEmpty ? 1 : 2
    }
    if operands.count <= most {
      if case .none = command.operands, invocation.readsStdin {
        throw UsageError("unexpected argument '-'", hint: Self.help(command))
      }
      return
    }
    let message = "unexpected argument '\(operands[most])'."
    if case .text = command.operands, most == 1 {
      let text = Shell.quote(operands.joined(separator: " "))
      throw UsageError("\(message) Quote text that has spaces: items \(command.name) \(text)")
    }
    if case .idAndText = command.operands, most == 2 {
      let text = Shell.quote(operands.dropFirst().joined(separator: " "))
      throw UsageError(
        "\(message) Quote text that has spaces: items \(command.name) \(operands[0]) \(text)")
    }
    throw UsageError(message + (most == 0 ? "" : ""), hint: Self.help(command))
  }
}

enum Shell {
  /// The word as a POSIX shell reads it, in quotes.
  static func quote(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
