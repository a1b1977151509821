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
  /// How many digits of the id of each record are shown; nil if ids are numbers.
  private let idDigits: [Int]?
  /// Whether text is cut to the width of its column; if not, it may be wider.
  private var isCut = false

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
    /// Printable ASCII, as it is in the file.
    case plain(Range<Int>)
    /// Any text, not yet escaped for a terminal.
    case text(String)
    case escaped(String)
    case id(RecordKey, digits: Int)
  }

  private static let gap = 2
  /// To how many columns cells are padded, or one long title would make each line as long.
  private static let mostPadding = 200

  /// On a terminal, text is cut to the terminal's width; anywhere else it is whole.
  ///
  /// - Parameter names: of the fields to show; nil for all that the schema knows.
  init(_ records: Selection, columns names: [String]? = nil, isOnTerminal: Bool) {
    self.records = records
    list = records.list
    idDigits = records.idDigits
    var fields = FieldFinder(names, in: records)
    columns = zip(fields.names, fields.known).map { name, field in
      let title = name.uppercased()
      let kind = field.map { records.schema.kinds[$0] }
      return Column(
        title: title, field: field, isText: kind?.isText ?? true,
        isNumeric: kind?.isNumber ?? false, width: title.escapedForTerminal.displayWidth)
    }
    widths.reserveCapacity(records.records.count * columns.count)
    starts.reserveCapacity(records.records.count * columns.count)
    for (row, record) in records.records.enumerated() {
      fields.find(in: record)
      for place in fields.names.indices { starts.append(fields.start(of: place, in: record)) }
      for i in columns.indices {
        let width = cell(i, row).width
        widths.append(width)
        columns[i].width = max(columns[i].width, width)
      }
    }
    if isOnTerminal, let room = Process.terminalSize?.columns {
      isCut = true
      fit(into: room)
    } else {
      for i in columns.indices { columns[i].width = min(columns[i].width, Self.mostPadding) }
    }
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
      let width = column.title.escapedForTerminal.displayWidth
      append(.text(column.title), width, in: i, to: &line)
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
    if isCut && column.isText && width > column.width {
      // A wide character may leave a column free if it does not fit.
      let text = text(of: cell).cut(toWidth: column.width)
      (cell, width) = (.escaped(text), text.displayWidth)
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
      return .id(list.key(of: records.records[row], in: bytes), digits: idDigits[row])
    }
    guard let start = starts[row * columns.count + column] else { return .text("") }
    let isNumber = columns[column].isNumeric
    if let text = bytes.plainText(ofValueAt: start, isWholeNumber: isNumber),
      bytes.isPrintableASCII(text)
    {
      return .plain(text)
    }
    let text = bytes.printedText(ofValueAt: start, isWholeNumber: isNumber)
    return .text(String(decoding: text, as: UTF8.self))
  }

  private func append(_ cell: Cell, to bytes: inout [UInt8]) {
    switch cell {
    case .plain(let range): records.document.bytes.append(range, to: &bytes)
    case .text(let text): bytes += text.escapedForTerminal.utf8
    case .escaped(let text): bytes += text.utf8
    case .id(let key, let digits): key.appendUUID(digits: digits, to: &bytes)
    }
  }

  private func text(of cell: Cell) -> String {
    if case .text(let text) = cell { return text }
    var bytes: [UInt8] = []
    append(cell, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Table.Cell {
  fileprivate var width: Int {
    switch self {
    case .plain(let range): range.count
    case .text(let text): text.escapedForTerminal.displayWidth
    case .escaped(let text): text.displayWidth
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
  /// The text escaped for a terminal, or as much of it as leaves room for a `…` that says so. It does
  /// not end inside an escape, nor after more scalars than a screen can show: a character can have any
  /// number of them.
  func cut(toWidth width: Int) -> String {
    let mostScalars = 16 * width
    if unicodeScalars.count <= mostScalars {
      let text = escapedForTerminal
      if text.displayWidth <= width { return text }
    }
    var kept = ""
    var (used, scalars) = (0, 0)
    for character in self {
      let text = String(character).escapedForTerminal
      used += text.displayWidth
      scalars += character.unicodeScalars.count
      if used > width - 1 || scalars > mostScalars { break }
      kept += text
    }
    return kept + "…"
  }
}

extension Bytes {
  /// Whether each byte of a range is a character that takes one column.
  fileprivate func isPrintableASCII(_ range: Range<Int>) -> Bool {
    range.allSatisfy { 0x20..<0x7F ~= self[$0] }
  }
}
