import CItems
import ItemStore

/// A shell for which there is a script for tab completion.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  static let names = allCases.map(\.rawValue)

  /// The file of that name, which is a part of the program.
  var script: String {
    switch self {
    case .bash: unsafe String(cString: items_bash())
    case .zsh: unsafe String(cString: items_zsh())
    case .fish: unsafe String(cString: items_fish())
    }
  }
}

extension Commands {
  static func completions(_ invocation: Invocation) throws -> ExitCode {
    guard let shell = invocation.operands.first.flatMap(Shell.init) else { return .wrongRequest }
    return try print(shell.script)
  }

  /// What the scripts call. It prints the kind of the candidates and then each candidate on a line, for zsh
  /// and fish with a tab and a description. People never see it.
  ///
  ///     __complete -- bash NAME PART BEFORE AFTER   the line before and after the cursor
  ///     __complete -- zsh COUNT WORD...             COUNT words, the one at the cursor, those after it
  static let complete = Command(
    words: ["__complete"], forms: [], summary: "print what fits at a place of a line",
    operands: .any, group: .help
  ) { invocation in
    let operands = invocation.operands
    let shell = operands.first.flatMap(Shell.init)
    if shell == .bash, operands.count == 5 {
      let line = BashLine(operands[1], part: operands[2], before: operands[3], after: operands[4])
      return try print(line.completion.kind, line.replacements)
    }
    guard shell == .zsh || shell == .fish, operands.count >= 3, let count = Int(operands[1]),
      0..<operands.count - 2 ~= count
    else { return .wrongRequest }
    let words = operands[2...]
    let completion = Completion(
      before: Array(words.prefix(count)), word: words[2 + count],
      after: Array(words.dropFirst(count + 1)))
    return try print(
      completion.kind,
      completion.candidates.map { "\($0.word)\t\($0.text.escapedForTerminal)" })
  }

  private static func print(_ kind: Completion.Kind, _ lines: [String]) throws -> ExitCode {
    try print(([kind.rawValue] + lines).joined(separator: "\n") + "\n")
  }
}
