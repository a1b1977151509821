/// A line as bash hands it over for completion: as it is typed, with quotes and backslashes.
struct BashLine {
  let completion: Completion
  /// The start of the word at the cursor that bash leaves as it is: `--format=`, as it breaks words at `=`.
  private let lead: String
  private let isQuoted: Bool

  /// - Parameters:
  ///   - command: the word that bash knows the program by.
  ///   - part: the part of the word at the cursor that bash replaces.
  init(_ command: String, part: String, before: String, after: String) {
    let line = ShellLine(before)
    // The word at the cursor may go on after it, in the same quotes.
    let rest = ShellLine((line.quote.map(String.init) ?? "") + after)
    let words = line.words.dropLast().drop { $0.text != command }.dropFirst()
    let word = line.words[line.words.count - 1]
    completion = Completion(
      before: words.filter { !$0.typed.isEmpty }.map(\.text), word: word.text,
      after: rest.words.dropFirst().filter { !$0.typed.isEmpty }.map(\.text))
    let start = word.typed.hasSuffix(part) ? word.typed.dropLast(part.count) : ""
    lead = ShellLine(String(start)).words[0].text
    isQuoted = line.quote != nil
  }

  /// What bash puts in place of the part that it replaces.
  var replacements: [String] {
    completion.candidates.filter { $0.word.hasPrefix(lead) }.map { candidate in
      let rest = String(candidate.word.dropFirst(lead.count))
      return isQuoted ? rest : rest.shellEscaped
    }
  }
}

extension String {
  /// With a backslash before each character that means something to a shell.
  fileprivate var shellEscaped: String {
    String(flatMap { "!<>~ \t'\"\\$`&;|()*?[]{}#".contains($0) ? ["\\", $0] : [$0] })
  }
}
