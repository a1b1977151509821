/// What is said of a line that is wrong, and the line that was probably meant.
extension Parser {
  /// An error, and what may have been meant.
  struct Problem {
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
  func explained(_ problem: Problem) -> UsageError {
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

  func unknownOption(_ name: String) -> Problem {
    let known = (command?.allOptions ?? Option.all).map(\.longName)
    let meant = Suggestion.option(name, among: known)
    let error = UsageError(
      "unknown option '\(name)'" + Suggestion.phrase(meant),
      hint: command.map(Self.help) ?? "Run 'items --help' for what there is")
    return Problem(error, .option(meant, name, at: words.count - 1))
  }

  func unknownCommand(_ words: [String]) -> Problem {
    let error = UsageError.unknownCommand(words)
    let meant = Suggestion.command(words, among: Commands.all)
    let kind = RecordKind.all.first { $0.words == words.dropLast() }
    let field = kind?.schema.fields.first { $0.kind.isText }?.name
    guard let meant, let field else { return Problem(error) }
    return Problem(error, .command(meant, commandIndices, field: field))
  }

  func misplacedStdin(of command: Command) -> Problem {
    if !command.operands.mayBeRead { return Problem(Self.unreadStdin(of: command)) }
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

  static func unreadStdin(of command: Command) -> UsageError {
    UsageError("unexpected argument '-'", hint: help(command))
  }

  func incompleteCommand() -> UsageError {
    let name = given.joined(separator: " ")
    let next = commands.filter { $0.words.starts(with: given) }.map { $0.words[given.count] }
    return UsageError("'\(name)' needs a command: \(next.joined(separator: ", "))")
  }

  static func help(_ command: Command) -> String {
    "Run 'items \(command.name) --help' for what it takes"
  }

  /// Says how to go on without the operand at an index and those after it.
  func refuse(_ surplus: Int, of command: Command) throws(UsageError) -> Never {
    let operands = invocation.operands
    let message = "unexpected argument '\(operands[surplus])'"
    switch command.operands {
    case .ids, .typedIDs, .filteredIDs:
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

  func check(
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
