/// What the user may have meant. Suggestions are made and never run.
enum Suggestion {
  /// Words of other tools for the commands here.
  private static let commandSynonyms = [
    "ls": "list", "show": "list", "get": "list", "print": "list", "cat": "list", "find": "list",
    "search": "list", "rm": "delete", "remove": "delete", "del": "delete", "erase": "delete",
    "done": "delete", "edit": "update", "set": "update", "change": "update", "modify": "update",
    "rename": "update", "new": "add", "create": "add", "insert": "add", "append": "add",
    "clear": "delete-all", "purge": "delete-all", "reset": "delete-all", "truncate": "delete-all",
    "deleteall": "delete-all", "todo": "tasks", "todos": "tasks", "where": "path", "revert": "undo",
    "watch": "list --watch", "manual": "man", "completion": "completions", "version": "--version",
  ]

  private static let optionSynonyms = [
    "force": "--yes", "output": "--format", "filter": "--where", "query": "--where",
    "order": "--sort", "order-by": "--sort", "sort-by": "--sort", "name": "--title",
    "num": "--number", "count": "--number", "follow": "--watch", "db": "--file", "path": "--file",
    "from": "--input", "v": "--version", "V": "--version", "?": "--help",
  ]

  /// ` Did you mean 'update'?`, or nothing.
  static func command(_ word: String, among known: [String]) -> String {
    let synonym = commandSynonyms[word.lowercased()]
    return phrase(synonym ?? closest(to: word, among: known))
  }

  static func option(_ name: String, among known: [String]) -> String {
    let bare = String(name.drop { $0 == "-" })
    if Format(rawValue: bare) != nil { return phrase("--format \(bare)") }
    return phrase(optionSynonyms[bare] ?? closest(to: "--\(bare)", among: known))
  }

  static func value(_ word: String, among known: [String]) -> String {
    phrase(closest(to: word, among: known))
  }

  private static func phrase(_ word: String?) -> String {
    word.map { " Did you mean '\($0)'?" } ?? ""
  }

  private static func closest(to word: String, among known: [String]) -> String? {
    let lowered = word.lowercased()
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
