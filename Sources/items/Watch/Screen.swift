import ItemStore

/// The other screen of a terminal: when it is left, all is as it was before.
enum Screen {
  // DEC private modes: 1049 other screen, 25 cursor, 7 wrapping of lines that are too long.
  static func enter() throws(Errno) {
    try Process.write(Array("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l".utf8), to: 1)
  }

  static func leave() {
    try? Process.write(Array("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l".utf8), to: 1)
  }

  /// Draws over what is there, in one write, so that nothing flickers.
  static func show(_ view: LiveView) throws(Errno) {
    let size = Process.terminalSize ?? (columns: 80, rows: 24)
    let lines = picture(of: view, columns: size.columns, rows: size.rows)
    // A line is cleared before it is written: after its last column the cursor is still on that, and to
    // clear from there would take the last character.
    let drawn = lines.dropLast().map { "\u{1b}[K\($0)\r\n" }.joined()
    try Process.write(Array("\u{1b}[H\(drawn)\u{1b}[J\(lines.last ?? "")".utf8), to: 1)
  }

  /// The table, as much of it as fits, and below it what is wrong with the file.
  static func picture(of view: LiveView, columns: Int, rows: Int) -> [String] {
    let trouble = lines(of: view, columns: columns, rows: rows)
    let room = max(0, rows - trouble.count)
    return Array((table(of: view, rows: room).prefix(room) + trouble).prefix(rows))
  }

  private static func table(of view: LiveView, rows: Int) -> [String] {
    let selection = view.selection
    let count = selection.records.count
    if count == 0 {
      let isEmpty = selection.list.count == 0
      return [isEmpty ? selection.schema.kind.invitation : "No \(selection.schema.nouns(0)) match"]
    }
    // The header, and if there are more records than rows, a line that says so.
    let shown = count < rows ? count : max(0, rows - 2)
    let part = Selection(selection.document, selection.schema, Array(selection.records[..<shown]))
    return Table(part, columns: view.columns, isOnTerminal: true).lines
      + (shown < count ? ["… \(count - shown) more"] : [])
  }

  /// The first problem in full, and as many others as half of the rows hold. The folder of the file is
  /// left out, since it is the same all the time.
  private static func lines(of view: LiveView, columns: Int, rows: Int) -> [String] {
    let folder = view.path.lastIndex(of: "/").map { view.path[...$0] } ?? ""
    var lines: [String] = []
    for problem in view.trouble?.lines ?? [] {
      let short = problem.hasPrefix(folder) ? problem.dropFirst(folder.count) : problem[...]
      let name = problem.hasPrefix(" ") ? "" : "items: "
      let more = (name + String(short).escapedForTerminal).wrapped(toWidth: columns)
      if !lines.isEmpty, lines.count + more.count > rows / 2 { break }
      let isMarked = more[0].hasPrefix("items:")
      let first = isMarked ? Style.red("items:", on: 1) + more[0].dropFirst(6) : more[0]
      lines += [first] + more.dropFirst()
    }
    return lines
  }
}
