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
    let lines = picture(of: view, rows: Process.terminalSize?.rows ?? 24)
    // What is there is cleared before a line is written: behind its last column the cursor stands on
    // that, and to clear from there would take the last character.
    let drawn = lines.dropLast().map { "\u{1b}[K\($0)\r\n" }.joined()
    try Process.write(Array("\u{1b}[H\(drawn)\u{1b}[J\(lines.last ?? "")".utf8), to: 1)
  }

  /// The table, as much of it as fits, and what is wrong with the file.
  static func picture(of view: LiveView, rows: Int) -> [String] {
    let trouble = (view.trouble?.lines ?? []).prefix(max(1, rows / 2)).map {
      "\(Style.red("items:", on: 1)) \($0.escapedForTerminal)"
    }
    let room = max(0, rows - trouble.count)
    let selection = view.selection
    let count = selection.records.count
    var lines: [String]
    if count == 0 {
      lines = [
        selection.list.count == 0
          ? selection.schema.kind.invitation : "No \(selection.schema.nouns(0)) match"
      ]
    } else {
      // The header, and where there are more records than rows, a line that says so.
      let shown = count < room ? count : max(0, room - 2)
      let part = Selection(selection.document, selection.schema, Array(selection.records[..<shown]))
      lines = Table(part, isOnTerminal: true).lines
      if shown < count { lines.append("… \(count - shown) more") }
    }
    return Array((lines.prefix(room) + trouble).prefix(rows))
  }
}
