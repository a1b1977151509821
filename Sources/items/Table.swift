import ItemStore

/// Records in columns that are aligned by display width.
///
///     ID  TITLE  NUMBER
///      1  Milk        3
///     20  日本      -12
struct Table {
  private let columns: [Column]
  private let rowCount: Int
  private let isOnTerminal: Bool

  private struct Column {
    let title: String
    var cells: [String]
    let isNumeric: Bool
    let isText: Bool
    var width: Int

    init(_ title: String, _ cells: [String], _ kind: Schema.Kind) {
      (self.title, self.cells) = (title, cells)
      if case .wholeNumber = kind { isNumeric = true } else { isNumeric = false }
      if case .text = kind { isText = true } else { isText = false }
      width = cells.reduce(title.displayWidth) { max($0, $1.displayWidth) }
    }

    /// Makes the text column no wider than this, but keeps room for its title's first letter.
    mutating func cut(to limit: Int) {
      guard isText, width > limit else { return }
      width = max(1, limit)
      cells = cells.map { $0.cut(toWidth: width) }
    }
  }

  private static let gap = "  "

  /// On a terminal, text is cut to the terminal's width; anywhere else it is whole.
  init(_ records: Selection, isOnTerminal: Bool) {
    self.isOnTerminal = isOnTerminal
    rowCount = records.records.count
    let list = records.list
    let ids = records.schema.shortIDs(of: records)
    var columns = records.schema.fields.enumerated().map { index, field in
      let cells = records.records.enumerated().map { row, record in
        if index == 0, let ids { return ids[row] }
        let fields = StoredFields(records.document, list, record)
        if case .wholeNumber = field.kind { return String(fields.number(field.name)) }
        return fields.text(field.name).escapedForTerminal
      }
      return Column(field.name.uppercased(), cells, field.kind)
    }
    if isOnTerminal, let width = Process.terminalSize?.columns {
      let others = columns.filter { !$0.isText }.reduce(0) { $0 + $1.width }
      let gaps = Self.gap.utf8.count * (columns.count - 1)
      for i in columns.indices { columns[i].cut(to: width - others - gaps) }
    }
    self.columns = columns
  }

  /// The header and a line for each record; nothing where there is no record.
  var text: String {
    if rowCount == 0 { return "" }
    let header = line { $0.isText ? $0.title.cut(toWidth: $0.width) : $0.title }
    var text = Style.bold(header, on: 1) + "\n"
    for row in 0..<rowCount {
      text += line { $0.cells[row] } + "\n"
    }
    return text
  }

  private func line(_ cell: (Column) -> String) -> String {
    var line = ""
    for (i, column) in columns.enumerated() {
      let text = cell(column)
      let padding = String(repeating: " ", count: max(0, column.width - text.displayWidth))
      if i > 0 { line += Self.gap }
      if column.isNumeric {
        line += padding + text
      } else {
        line += i == columns.count - 1 ? text : text + padding
      }
    }
    return line
  }
}

extension String {
  /// The text, or as much of it as leaves room for a `…` that says so.
  func cut(toWidth width: Int) -> String {
    if displayWidth <= width { return self }
    var kept = ""
    var used = 0
    for character in self {
      used += character.displayWidth
      if used > width - 1 { break }
      kept.append(character)
    }
    return kept + "…"
  }
}

extension Schema {
  /// How many digits of a UUID are shown, where they are enough to tell it from all others.
  private static let shortDigitCount = 8

  /// The shortest prefixes that name these records, of eight digits or more; nil where ids are numbers.
  func shortIDs(of records: Selection) -> [String]? {
    guard case .uuid = key.kind else { return nil }
    let list = records.list
    let bytes = records.document.bytes
    let keys = (0..<list.count).map { list.key(of: $0, in: bytes) }
    var count: [KeyPrefix: Int] = [:]
    for key in keys { count[KeyPrefix(key, digitCount: Self.shortDigitCount), default: 0] += 1 }
    return records.records.map { record in
      let key = keys[record]
      var digits = Self.shortDigitCount
      if count[KeyPrefix(key, digitCount: digits)] != 1 {
        let shared = keys.filter { $0 != key }.map { key.sharedDigitCount(with: $0) }.max() ?? 0
        digits = max(digits, shared + 1)
      }
      return key.uuid(digits: digits)
    }
  }
}
