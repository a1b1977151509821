/// What the user may have meant. Suggestions are made and never run.
enum Suggestion {
  /// Words of other tools for the commands here; each leads to the first of several words.
  static let commandSynonyms = [
    "ls": "list", "show": "list", "get": "list", "print": "list", "cat": "list", "view": "list",
    "find": "list -w", "search": "list -w", "grep": "list -w", "filter": "list -w",
    "export": "list -f json", "dump": "list -f json", "count": "list -f ids | wc -l",
    "import": "add -", "load": "add -", "history": "undo", "log": "undo", "rm": "delete",
    "remove": "delete", "del": "delete", "erase": "delete",
    "done": "delete", "complete": "delete", "finish": "delete", "check": "delete",
    "set": "update", "change": "update",
    "modify": "update",
    "rename": "update", "new": "add", "create": "add", "insert": "add", "append": "add",
    "clear": "delete-all", "purge": "delete-all", "reset": "delete-all", "truncate": "delete-all",
    "deleteall": "delete-all", "todo": "tasks", "todos": "tasks", "where": "path", "revert": "undo",
    "watch": "list --watch", "manual": "man", "completion": "completions", "version": "--version",
  ]

  static let optionSynonyms = [
    "force": "--yes", "output": "--format", "filter": "--where", "query": "--where",
    "order": "--sort", "order-by": "--sort", "sort-by": "--sort", "name": "--title",
    "note": "--title", "text": "--title",
    "num": "--number", "count": "--number", "follow": "--watch", "db": "--file", "path": "--file",
    "from": "--input", "v": "--version", "V": "--version", "?": "--help",
  ]

  /// Other words for the text of a record, which is an operand of some commands.
  static let textOptions: Set = ["t", "title", "note", "text", "name"]

  /// Programs that do what an option of other tools does with a list.
  static let programs = [
    "n": "head -n", "limit": "head -n", "head": "head -n", "first": "head -n", "max": "head -n",
    "top": "head -n",
    "tail": "tail -n", "last": "tail -n", "count": "wc -l",
  ]

  /// The command that was meant: `tasks update`
  static func command(_ words: [String], among commands: [Command]) -> String? {
    let given = words.indices.last { n in
      commands.contains { $0.words.starts(with: words[..<n]) }
    }
    guard let given else { return nil }
    let known = commands.filter { $0.words.count > given && $0.words.starts(with: words[..<given]) }
      .map { $0.words[given] }
    if let word = command(words[given], among: known, isFirst: given == 0) {
      return (words[..<given] + [word]).joined(separator: " ")
    }
    // It may be none of the tasks' commands, but one of its own.
    return given == 0 ? nil : command([words[given]], among: commands)
  }

  private static func command(_ word: String, among known: [String], isFirst: Bool) -> String? {
    guard let synonym = commandSynonyms[word.lowercased()] else {
      return closest(to: word, among: known)
    }
    let isKnown = known.contains { synonym == $0 || synonym.hasPrefix($0 + " ") }
    return isKnown || isFirst ? synonym : nil
  }

  /// The option that was meant, among those that are known: `--format json`
  static func option(_ name: String, among known: [String]) -> String? {
    let bare = String(name.drop { $0 == "-" })
    let synonym = Format(rawValue: bare) == nil ? optionSynonyms[bare] : "--format \(bare)"
    if synonym == nil && !name.hasPrefix("--") {
      // With one hyphen it may as well be a text.
      return known.first { $0 == "--\(bare)" }
    }
    guard let synonym else { return closest(to: "--\(bare)", among: known) }
    let isKnown = known.contains { synonym == $0 || synonym.hasPrefix($0 + " ") }
    return isKnown ? synonym : nil
  }

  static func value(_ word: String, among known: [String]) -> String {
    phrase(closest(to: word, among: known))
  }

  /// `. Did you mean 'tasks update'?`, or nothing.
  static func phrase(_ word: String?) -> String {
    word.map { ". Did you mean '\($0)'?" } ?? ""
  }

  private static func closest(to word: String, among known: [String]) -> String? {
    let lowered = word.lowercased()
    // Nothing may be abbreviated, but it is clear what is meant.
    if lowered.drop(while: { $0 == "-" }).count > 1,
      let whole = known.filter({ $0.hasPrefix(lowered) }).min(by: { $0.count < $1.count })
    {
      return whole
    }
    let scored = known.map { (word: $0, distance: distance(lowered, $0)) }
    // Two slips, but not in a word so short that it would become any other.
    guard let best = scored.min(by: { $0.distance < $1.distance }),
      best.distance <= min(2, max(1, best.word.count / 3))
    else { return nil }
    return best.word
  }

  /// The known name that `name` is one slip away from: a letter too many, missing, wrong or swapped
  /// with its neighbour, or another case.
  static func slip(_ name: String, of known: [String]) -> String? {
    if known.contains(name) { return nil }
    return known.first { candidate in
      if name.lowercased() == candidate.lowercased() { return true }
      // Every other name of two letters would be a slip of `id`.
      if candidate.count <= 2 { return String(name.lowercased().reversed()) == candidate }
      return distance(name.lowercased(), candidate) == 1
    }
  }

  /// The known field that a name is near to, or a part of.
  static func field(like name: String, of known: [String]) -> String? {
    slip(name, of: known) ?? closest(to: name, among: known)
      ?? known.first { name.count > 1 && $0.contains(name.lowercased()) }
  }

  /// The comparison that an operator of other languages stands for.
  static func comparison(_ operators: String) -> String? {
    [
      "<>": "!=", "!==": "!=", "=!": "!=", "==": "=", "===": "=", "=>": ">=", ">==": ">=",
      "=<": "<=", "<==": "<=", "<<": "<", ">>": ">", "~~": "~", "=~": "~", "~=": "~", "!~~": "!~",
      "!=~": "!~", "!~=": "!~",
    ][operators]
  }

  /// How many letters have to be put in, taken out, replaced or swapped with a neighbour
  /// (optimal string alignment).
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var rows = [[Int]](repeating: Array(0...b.count), count: a.count + 1)
    for i in rows.indices.dropFirst() {
      rows[i][0] = i
      for j in rows[i].indices.dropFirst() {
        let replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced)
        if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
          rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
        }
      }
    }
    return rows[a.count][b.count]
  }
}
