/// Finds a line that works near one that does not. It is suggested and never run.
struct Correction {
  /// The words of the line.
  let words: [String]
  /// The one that is wrong.
  let index: Int

  /// What was meant in place of the wrong word: `--format json`
  func replacing(with meant: String) -> String? {
    let meant = meant.split(separator: " ").map(String.init)
    return checked(words[..<index] + meant + (attached.map { [$0] } ?? []) + words[(index + 1)...])
  }

  /// Another command in place of the words of one, which are at these indices.
  func replacing(command indices: [Int], with meant: String, searching field: String) -> String? {
    var rest = words.indices.filter { !indices.contains($0) }.map { words[$0] }
    if rest.isEmpty { return nil }
    if meant.hasSuffix("-w") { rest[0] = "\(field)~\(rest[0])" }
    return checked(meant.split(separator: " ").map(String.init) + rest)
  }

  /// The word and those after it up to an option as one text, which may begin with a hyphen.
  var asText: String? {
    let more = words[(index + 1)...].prefix { !$0.hasPrefix("-") }
    let text = ([words[index]] + more).joined(separator: " ")
    return checked(words[..<index] + words[(index + 1 + more.count)...], text: text)
  }

  /// The value of the option as a text without the option.
  var valueAsText: String? {
    if let attached { return checked(words[..<index] + words[(index + 1)...], text: attached) }
    guard index + 1 < words.count else { return nil }
    return checked(words[..<index] + words[(index + 2)...], text: words[index + 1])
  }

  /// The line without the option, and a program after it that does the same: `head -n 5`
  func piping(to program: String) -> String? {
    guard program.hasSuffix("-n") else {
      return checked(words[..<index] + words[(index + 1)...]).map { "\($0) | \(program)" }
    }
    let next = index + 1 < words.count ? words[index + 1] : ""
    guard let count = Int(attached ?? next) else { return nil }
    return checked(words[..<index] + words[(index + (attached == nil ? 2 : 1))...])
      .map { "\($0) | \(program) \(count)" }
  }

  /// What is attached to a long option: `5` of `--limit=5`
  private var attached: String? {
    guard words[index].hasPrefix("--") else { return nil }
    return words[index].firstIndex(of: "=").map { String(words[index][$0...].dropFirst()) }
  }

  /// The line as it is to be typed, if the parser takes it.
  private func checked(_ words: some Sequence<String>, text: String? = nil) -> String? {
    let words = Array(words)
    var parser = Parser(Commands.all, explains: false)
    guard
      case .run(_, let invocation)? = try? parser.parse(words + (text.map { ["--", $0] } ?? []))
    else { return nil }
    guard let text else { return (["items"] + words.map(\.shellWord)).joined(separator: " ") }
    return invocation.line.with(Array(invocation.operands.dropLast()), text: text)
  }
}
