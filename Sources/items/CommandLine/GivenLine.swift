import ItemStore

/// The command and the options of a line as they were given. Hints are made from it, so that they keep what
/// was right.
struct GivenLine {
  var command: Command?
  var options: [String] = []

  /// The line with these operands and more options.
  ///
  /// - Parameter text: a last operand, which may begin with a hyphen.
  func with(_ operands: [String] = [], text: String? = nil, adding more: [String] = []) -> String {
    let start = ["items"] + (command?.words ?? []) + operands.map(\.shellWord)
    let options = options + more
    guard let text else { return (start + options).joined(separator: " ") }
    let words =
      text.hasPrefix("-")
      ? start + options + ["--", text.shellQuoted] : start + [text.shellQuoted] + options
    return words.joined(separator: " ")
  }
}

extension Invocation {
  /// The way out if words were given as ids that are none: another kind of record, ids with commas, a title
  /// to look for, the new value of a field.
  var hintForIDs: String? {
    guard let command = line.command, let kind = command.kind, let first = operands.first else {
      return nil
    }
    let verb = command.words[kind.words.count]
    for other in RecordKind.all where other.isCalled(first) {
      return "For \(other.schema.nouns(2)): "
        + (["items", other.command(verb)] + operands.dropFirst().map(\.shellWord) + line.options)
        .joined(separator: " ")
    }
    let isID = { (word: String) in (try? RecordReference(word, of: kind.schema))?.prefix != nil }
    let parts = operands.flatMap { $0.split(separator: ",").map(String.init) }
    if parts.count > operands.count || operands.contains(where: { $0.hasSuffix(",") }),
      parts.allSatisfy(isID)
    {
      return "With blanks between the ids: " + line.with(parts)
    }
    let ids = operands.filter(isID)
    let words = operands.filter { !isID($0) }
    if !words.isEmpty, !ids.isEmpty, title == nil,
      command.options.contains(where: { $0.long == Option.title.long })
    {
      return hintForValues(words, of: ids)
    }
    return hintForSearch(words, besides: ids, of: kind)
  }

  private func hintForValues(_ words: [String], of ids: [String]) -> String? {
    var options: [String] = []
    var texts: [String] = []
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      switch parts.first {
      case "number" where parts.count == 2 && Int(parts[1]) != nil: options.append("-n \(parts[1])")
      case "title" where parts.count == 2: texts.append(parts[1])
      case let name? where parts.count == 2 && !name.contains(" "):
        options.append("--set \(word.shellWord)")
      default: texts.append(word)
      }
    }
    let text = texts.joined(separator: " ")
    if !text.isBlank { options.append("-t \(text.shellQuoted)") }
    if options.isEmpty { return nil }
    return "To change \(text.isBlank ? "fields" : "the title"): \(line.with(ids, adding: options))"
  }

  /// A list may look for a part of a text; a change should not touch more than was meant.
  private func hintForSearch(_ words: [String], besides ids: [String], of kind: RecordKind)
    -> String?
  {
    guard let command = line.command, let field = kind.schema.fields.first(where: \.kind.isText),
      command.options.contains(where: { $0.long == Option.condition.long }), !words.isEmpty
    else { return nil }
    let text = words.joined(separator: " ")
    if text.isBlank { return nil }
    if case .filteredIDs = command.operands {
      return "To search: " + line.with(ids, adding: ["-w \("\(field.name)~\(text)".shellQuoted)"])
    }
    guard ids.isEmpty else { return nil }
    return "By \(kind.textNoun): "
      + line.with(adding: ["-w \("\(field.name)=\(text)".shellQuoted)"])
  }
}

extension RecordKind {
  /// Whether a word stands for this kind of record: `task`, `tasks`
  fileprivate func isCalled(_ word: String) -> Bool {
    [schema.noun, schema.nouns(2), schema.list].contains(word.lowercased())
  }
}

extension String {
  /// Between the quotes of a POSIX shell.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// As a shell reads it: in quotes if it needs them.
  var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./,:+@%=".utf8.contains(byte)
      }
    }
    return isPlain && !isEmpty ? self : shellQuoted
  }
}
