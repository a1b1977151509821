import ItemStore

/// Records in columns that are aligned by display width.
///
///     ID  TITLE  NUMBER
///      1  Milk        3
///     20  日本      -12
struct Table {
  private let records: Selection
  private let list: RecordList
  private var columns: [Column]
  /// The width of each cell, row by row.
  private var widths: [Int] = []
  /// How many digits of the id of each record of the list are shown; nil where ids are numbers.
  private let idDigits: [Int]?

  /// Where the value of each cell begins, row by row; nil for an empty one.
  private var starts: [Int?] = []

  private struct Column {
    let title: String
    /// The index of the field; nil for one of the user's own, whose values may be of any kind.
    let field: Int?
    let isText: Bool
    let isNumeric: Bool
    var width: Int
  }

  fileprivate enum Cell {
    /// Printable ASCII, as it stands in the file.
    case plain(Range<Int>)
    case text(String)
    case id(RecordKey, digits: Int)
  }

  private static let gap = 2

  /// On a terminal, text is cut to the terminal's width; anywhere else it is whole.
  ///
  /// - Parameter names: of the fields to show; nil for all that the schema knows.
  init(_ records: Selection, columns names: [String]? = nil, isOnTerminal: Bool) {
    self.records = records
    list = records.list
    idDigits = list.distinctDigits(in: records.document.bytes)
    var fields = FieldFinder(names, in: records)
    columns = zip(fields.names, fields.known).map { name, field in
      let title = name.uppercased().escapedForTerminal
      let kind = field.map { records.schema.kinds[$0] }
      return Column(
        title: title, field: field, isText: kind?.isText ?? true,
        isNumeric: kind?.isNumber ?? false, width: title.displayWidth)
    }
    widths.reserveCapacity(records.records.count * columns.count)
    starts.reserveCapacity(records.records.count * columns.count)
    for (row, record) in records.records.enumerated() {
      fields.find(in: record)
      starts += fields.starts
      for i in columns.indices {
        let width = cell(i, row).width
        widths.append(width)
        columns[i].width = max(columns[i].width, width)
      }
    }
    if isOnTerminal, let room = Process.terminalSize?.columns { fit(into: room) }
  }

  /// Takes from the text columns what is too much, but leaves one column of each.
  private mutating func fit(into room: Int) {
    var surplus = columns.reduce(Self.gap * (columns.count - 1)) { $0 + $1.width } - room
    for i in columns.indices where columns[i].isText && surplus > 0 {
      let width = max(1, columns[i].width - surplus)
      surplus -= columns[i].width - width
      columns[i].width = width
    }
  }

  // MARK: Lines

  /// The header and a line for each record; nothing where there is no record.
  var lines: [String] {
    if rowCount == 0 { return [] }
    return [header]
      + (0..<rowCount).map { row in
        var line: [UInt8] = []
        append(row: row, to: &line)
        return String(decoding: line, as: UTF8.self)
      }
  }

  fileprivate var rowCount: Int { records.records.count }

  fileprivate var header: String {
    var line: [UInt8] = []
    for (i, column) in columns.enumerated() {
      append(.text(column.title), column.title.displayWidth, in: i, to: &line)
    }
    return Style.bold(String(decoding: line, as: UTF8.self), on: 1)
  }

  /// Appends the line of a row, without its end.
  fileprivate func append(row: Int, to bytes: inout [UInt8]) {
    for i in columns.indices {
      append(
        cell(i, row), widths[row * columns.count + i], in: i, to: &bytes)
    }
  }

  private func append(_ cell: Cell, _ width: Int, in index: Int, to bytes: inout [UInt8]) {
    let column = columns[index]
    var (cell, width) = (cell, width)
    if column.isText && width > column.width {
      // A wide character may leave a column free where it does not fit.
      let text = text(of: cell).cut(toWidth: column.width)
      (cell, width) = (.text(text), text.displayWidth)
    }
    let padding = repeatElement(UInt8(ascii: " "), count: max(0, column.width - width))
    if index > 0 { bytes += repeatElement(UInt8(ascii: " "), count: Self.gap) }
    if column.isNumeric { bytes += padding }
    append(cell, to: &bytes)
    if !column.isNumeric && index < columns.count - 1 { bytes += padding }
  }

  // MARK: Cells

  private func cell(_ column: Int, _ row: Int) -> Cell {
    let bytes = records.document.bytes
    if columns[column].field == 0, let idDigits {
      let record = records.records[row]
      return .id(list.key(of: record, in: bytes), digits: idDigits[record])
    }
    guard let start = starts[row * columns.count + column] else { return .text("") }
    var scanner = JSONScanner(bytes, at: start)
    if columns[column].isNumeric {
      if scanner.skipPlainInteger() != nil { return .plain(start..<scanner.position) }
      try? scanner.skipNumber()
      return .text(String(JSONNumber.integer(start..<scanner.position, in: bytes) ?? 0))
    }
    if bytes[start] == UInt8(ascii: "\""), scanner.skipsPlainString() {
      let content = start + 1..<scanner.position - 1
      if bytes.isPlain(content) { return .plain(content) }
    }
    let text = bytes.printedText(ofValueAt: start)
    return .text(String(decoding: text, as: UTF8.self).escapedForTerminal)
  }

  private func append(_ cell: Cell, to bytes: inout [UInt8]) {
    switch cell {
    case .plain(let range): records.document.bytes.append(range, to: &bytes)
    case .text(let text): bytes += text.utf8
    case .id(let key, let digits): key.appendUUID(digits: digits, to: &bytes)
    }
  }

  private func text(of cell: Cell) -> String {
    var bytes: [UInt8] = []
    append(cell, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Table.Cell {
  fileprivate var width: Int {
    switch self {
    case .plain(let range): range.count
    case .text(let text): text.displayWidth
    case .id(_, let digits): RecordKey.length(ofDigits: digits)
    }
  }
}

extension Output {
  /// The header and a line for each record; nothing where there is no record.
  mutating func append(_ table: Table) throws(Errno) {
    if table.rowCount == 0 { return }
    write(table.header + "\n")
    for row in 0..<table.rowCount {
      table.append(row: row, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
      try drain()
    }
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

extension Bytes {
  /// Whether a string of JSON stands for itself and each byte of it takes one column.
  fileprivate func isPlain(_ content: Range<Int>) -> Bool {
    for position in content {
      let byte = self[position]
      if byte >= 0x7F || byte == UInt8(ascii: "\\") { return false }
    }
    return true
  }
}

// MARK: Ids that are as short as unique

extension RecordList {
  /// How many digits of a UUID are shown, where they are enough to tell it from all others.
  private static let shortDigits = 8

  /// For each record, how many digits tell its UUID from those of all others; eight or more.
  fileprivate func distinctDigits(in bytes: Bytes) -> [Int]? {
    guard case .uuid = schema.key.kind else { return nil }
    let sorted = (0..<count).map { (key: key(of: $0, in: bytes), record: $0) }
      .sorted { ($0.key.high, $0.key.low) < ($1.key.high, $1.key.low) }
    // Among all others, the neighbours in this order have the most in common with it.
    var digits = Array(repeating: Self.shortDigits, count: count)
    for (a, b) in zip(sorted, sorted.dropFirst()) {
      let needed = a.key.sharedDigitCount(with: b.key) + 1
      digits[a.record] = max(digits[a.record], needed)
      digits[b.record] = max(digits[b.record], needed)
    }
    return digits
  }
}
