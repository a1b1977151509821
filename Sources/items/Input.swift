import ItemStore

/// Records and ids on standard input.
struct Input {
  let bytes: Bytes
  let schema: Schema
  let use: Use
  let format: InputFormat
  /// Whether the format was guessed from the bytes.
  let isGuessed: Bool

  /// What a new record gets where it does not name it.
  private let defaults: [Member]

  private(set) var records: [Record] = []
  private var faults: [Fault] = []

  /// What the records are for.
  enum Use {
    /// To be added: must name all that has no default.
    case new
    /// To change records: must have an id and something to change.
    case changes
    /// To name records: only the id counts.
    case ids
  }

  struct Record {
    /// The id in words, where there is one.
    var id: String?
    /// The fields in their order, the id's too where it is to be stored.
    var members: [Member] = []
    /// Where it begins.
    let origin: Int
  }

  /// Reads all of the input; the first blank line, mark or brace decides where `format` does not.
  ///
  /// - Throws: every record that is wrong, with its place.
  init(
    _ input: [UInt8], _ schema: Schema, use: Use, format: InputFormat, defaults: [Member] = []
  ) throws(UsageError) {
    bytes = Bytes(input)
    self.defaults = defaults
    self.schema = schema
    self.use = use
    isGuessed = format == .auto
    self.format = isGuessed ? Self.guess(bytes, use) : format
    let start = bytes.startsWithByteOrderMark ? 3 : 0
    reportInvalidUTF8()
    if faults.isEmpty {
      switch self.format {
      case .json: readJSON(from: start, source: input)
      case .tsv: readTSV(from: start)
      case .csv: readCSV(from: start)
      case .text, .auto: readText(from: start)
      }
    }
    if !faults.isEmpty { throw error() }
  }

  private static func guess(_ bytes: Bytes, _ use: Use) -> InputFormat {
    var scanner = JSONScanner(bytes)
    scanner.skipByteOrderMark()
    scanner.skipWhitespace()
    switch scanner.current {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
    case UInt8(ascii: "\"") where use != .new: return .json
    default: break
    }
    // White space may be an empty first cell, so look at the whole line.
    var line = scanner.position
    while line > 0 && bytes[line - 1] != UInt8(ascii: "\n") { line -= 1 }
    while line < bytes.count && bytes[line] != UInt8(ascii: "\n") {
      if bytes[line] == UInt8(ascii: "\t") { return .tsv }
      line += 1
    }
    return .text
  }

  // MARK: Errors

  /// What says where a byte stands, `stdin:3:14`, in a time that is short where the offsets ascend.
  func placer() -> (Int) -> String {
    var positions = Positions(in: bytes)
    return { offset in
      let position = positions.position(at: offset)
      return "stdin:\(position.line):\(position.column)"
    }
  }

  /// How to name the format where it was guessed, and may have been guessed wrong.
  var formatHint: String? {
    guard isGuessed else { return nil }
    if format == .text { return "stdin was read as plain lines. Name another format with --input" }
    let what = use == .new ? "title or note" : "id"
    return "stdin looked like \(format). Where each line is one \(what), say --input text"
  }

  private mutating func report(_ reason: Fault.Reason, at offset: Int) {
    faults.append(Fault(reason, at: offset))
  }

  private func error() -> UsageError {
    var error = UsageError([])
    let place = placer()
    error.messages = faults.prefix(StoreError.faultLimit).map {
      "\(place($0.offset)): \($0.reason)"
    }
    if faults.count > StoreError.faultLimit {
      error.messages.append("stdin: \(faults.count - StoreError.faultLimit) more like these")
    }
    error.hint = formatHint
    return error
  }

  /// Reports the first bad bytes of each line.
  private mutating func reportInvalidUTF8() {
    var position = 0
    while let bad = JSONScanner.firstInvalidUTF8(in: bytes, from: position) {
      report(.invalidUTF8, at: bad)
      position = bad
      while position < bytes.count && bytes[position] != UInt8(ascii: "\n") { position += 1 }
    }
  }

  // MARK: JSON

  private mutating func readJSON(from start: Int, source: [UInt8]) {
    // As deep as the records of a data file are, so that what fits here fits there.
    var scanner = JSONScanner(bytes, at: start, depth: 1)
    do throws(Fault) {
      scanner.skipWhitespace()
      while !scanner.isAtEnd {
        if scanner.current == UInt8(ascii: "[") {
          try scanner.skipArray { (scanner) throws(Fault) in
            try readJSONRecord(&scanner, source)
          }
        } else {
          var inner = JSONScanner(bytes, at: scanner.position, depth: 2)
          try readJSONRecord(&inner, source)
          scanner.position = inner.position
        }
        scanner.skipWhitespace()
      }
    } catch {
      faults.append(error)
    }
  }

  private mutating func readJSONRecord(
    _ scanner: inout JSONScanner, _ source: [UInt8]
  ) throws(Fault) {
    let start = scanner.position
    var record = Record(origin: start)
    if scanner.current != UInt8(ascii: "{") {
      if use == .ids {
        record.id = try readJSONID(&scanner, source)
      } else {
        try scanner.skipValue()
        report(.notAnObject(noun: "each \(schema.noun)"), at: start)
      }
    } else {
      var seen: Set<String> = []
      try scanner.skipObject { (scanner, range) throws(Fault) in
        let name = JSONString.decode(range, in: scanner.bytes)
        let isNew = seen.insert(name).inserted
        let value = scanner.position
        guard let field = schema.fields.firstIndex(where: { $0.name == name }) else {
          try scanner.skipValue()
          if use == .ids { return }
          if let known = Suggestion.slip(name, of: schema.fields.map(\.name)) {
            return report(.unknownField(name, suggestion: known), at: range.lowerBound)
          }
          record.members.append(
            Member(name: name, value: scanner.bytes.compact(value..<scanner.position, source)))
          return
        }
        if !isNew { report(.repeated(field: name), at: range.lowerBound) }
        if field == 0 && use != .new {
          record.id = try readJSONID(&scanner, source)
          return
        }
        if use == .ids { return try scanner.skipValue() }
        if let reason = try schema.fields[field].check(&scanner) {
          return report(reason, at: value)
        }
        let range = value..<scanner.position
        if field == 0 { record.id = scanner.bytes.idText(range) }
        take(Member(name: name, value: source[range]), at: value, of: &record)
      }
    }
    take(record)
  }

  /// Text that is blank can be no new title. Whether it is what a record has already, the store knows.
  private mutating func take(_ member: Member, at offset: Int, of record: inout Record) {
    if use == .new, let reason = schema.blankText(in: member) { report(reason, at: offset) }
    record.members.append(member)
  }

  /// A bare id, or that of a record: a number or a string.
  private mutating func readJSONID(
    _ scanner: inout JSONScanner, _ source: [UInt8]
  ) throws(Fault) -> String? {
    let start = scanner.position
    var probe = scanner
    if try schema.key.check(&probe) == nil || scanner.current == UInt8(ascii: "\"") {
      try scanner.skipValue()
      return scanner.bytes.idText(start..<scanner.position)
    }
    if let reason = try schema.key.check(&scanner) { report(reason, at: start) }
    return nil
  }

  /// Keeps a record that has all it needs.
  private mutating func take(_ record: Record) {
    var record = record
    for member in defaults where !record.members.contains(where: { $0.name == member.name }) {
      record.members.append(member)
    }
    let noun = "the \(schema.noun)"
    switch use {
    case .new:
      for field in schema.fields.dropFirst() where field.kind.isText {
        // Text has to be named here, also where the command line has a default.
        if !record.members.contains(where: { $0.name == field.name }) {
          if faults.last.map({ $0.offset < record.origin }) ?? true {
            report(.missing(field: field.name, noun: noun), at: record.origin)
          }
        }
      }
    case .changes, .ids:
      if record.id == nil && faults.last.map({ $0.offset < record.origin }) ?? true {
        report(.missing(field: schema.key.name, noun: noun), at: record.origin)
      } else if use == .changes && record.members.isEmpty
        && faults.last.map({ $0.offset < record.origin }) ?? true
      {
        report(.nothingToChange(noun: schema.noun), at: record.origin)
      }
    }
    records.append(record)
  }

  // MARK: Lines

  /// Calls `body` with the range of each line that is not blank, without its end. A tab is blank, but
  /// where it parts cells.
  private func forEachLine(
    from start: Int, hasCells: Bool = false, _ body: (Range<Int>) -> Void
  ) {
    var position = start
    while position < bytes.count {
      var end = position
      var isBlank = true
      while end < bytes.count && bytes[end] != UInt8(ascii: "\n") {
        switch bytes[end] {
        case UInt8(ascii: " "), UInt8(ascii: "\r"): break
        case UInt8(ascii: "\t") where !hasCells: break
        default: isBlank = false
        }
        end += 1
      }
      let hasReturn = end > position && bytes[end - 1] == UInt8(ascii: "\r")
      if !isBlank { body(position..<(hasReturn ? end - 1 : end)) }
      position = end + 1
    }
  }

  private mutating func readText(from start: Int) {
    let field = schema.fields.first(where: \.kind.isText) ?? schema.key
    // The values of all lines lie in one piece of memory.
    var json: [UInt8] = []
    var lines: [(value: Range<Int>, line: Range<Int>)] = []
    var faults: [Fault] = []
    forEachLine(from: start) { line in
      if let zero = line.first(where: { bytes[$0] == 0 }) {
        return faults.append(Fault(.zeroByte, at: zero))
      }
      let start = json.count
      if use == .new { JSONString.appendEncoded(bytes.text(line), to: &json) }
      lines.append((start..<json.count, line))
    }
    self.faults += faults
    records.reserveCapacity(lines.count)
    for (value, line) in lines {
      var record = Record(origin: line.lowerBound)
      if use == .new {
        let member = Member(name: field.name, value: json[value])
        if let reason = schema.blankText(in: member) { report(reason, at: line.lowerBound) }
        record.members = [member] + defaults
      } else {
        record.id = bytes.text(line).trimmed
      }
      take(record)
    }
  }

  private mutating func readTSV(from start: Int) {
    var lines: [Range<Int>] = []
    forEachLine(from: start, hasCells: true) { lines.append($0) }
    for line in lines {
      var cells: [Cell] = []
      var cell = line.lowerBound
      for end in line.lowerBound...line.upperBound
      where end == line.upperBound || bytes[end] == UInt8(ascii: "\t") {
        cells.append(readTSVCell(cell..<end))
        cell = end + 1
      }
      takeRow(cells, columns: schema.fields.map(\.name), origin: line.lowerBound)
    }
  }

  private struct Cell {
    let text: String
    let origin: Int
  }

  private mutating func readTSVCell(_ range: Range<Int>) -> Cell {
    var text: [UInt8] = []
    var position = range.lowerBound
    while position < range.upperBound {
      var byte = bytes[position]
      if byte == UInt8(ascii: "\\") {
        position += 1
        switch position < range.upperBound ? bytes[position] : 0 {
        case UInt8(ascii: "t"): byte = UInt8(ascii: "\t")
        case UInt8(ascii: "n"): byte = UInt8(ascii: "\n")
        case UInt8(ascii: "r"): byte = UInt8(ascii: "\r")
        case UInt8(ascii: "\\"): break
        default: report(.invalidTSVEscape, at: position - 1)
        }
      } else if byte == 0 {
        report(.zeroByte, at: position)
      }
      text.append(byte)
      position += 1
    }
    return Cell(text: String(decoding: text, as: UTF8.self), origin: range.lowerBound)
  }

  // MARK: CSV

  private mutating func readCSV(from start: Int) {
    var position = start
    guard let header = readCSVRow(&position) else { return }
    let names = schema.fields.map(\.name)
    for (i, cell) in header.enumerated() {
      if header[..<i].contains(where: { $0.text == cell.text }) {
        report(.repeated(field: cell.text), at: cell.origin)
      } else if use != .ids && !names.contains(cell.text) {
        report(
          .unknownColumn(
            cell.text, suggestion: Suggestion.slip(cell.text, of: names), known: names),
          at: cell.origin)
      }
    }
    if use != .new && !header.contains(where: { $0.text == schema.key.name }) {
      report(.missing(field: schema.key.name, noun: "the header"), at: start)
    }
    if use == .new, let field = schema.fields.first(where: \.kind.isText),
      !header.contains(where: { $0.text == field.name })
    {
      report(.missing(field: field.name, noun: "the header"), at: start)
    }
    if !faults.isEmpty { return }
    while let row = readCSVRow(&position) {
      if !faults.isEmpty && faults.last?.reason == .openQuote { return }
      takeRow(row, columns: header.map(\.text), origin: row[0].origin)
    }
  }

  /// The next row that is not blank: RFC 4180, with LF or CRLF; nil at the end.
  private mutating func readCSVRow(_ position: inout Int) -> [Cell]? {
    while bytes[position] == UInt8(ascii: "\n") || bytes[position] == UInt8(ascii: "\r") {
      position += 1
    }
    if position >= bytes.count { return nil }
    var cells: [Cell] = []
    while true {
      let start = position
      cells.append(Cell(text: readCSVCell(&position), origin: start))
      if position < bytes.count && bytes[position] == UInt8(ascii: ",") {
        position += 1
        continue
      }
      if bytes[position] == UInt8(ascii: "\r") && bytes[position + 1] == UInt8(ascii: "\n") {
        position += 1
      }
      position += 1
      return cells
    }
  }

  private mutating func readCSVCell(_ position: inout Int) -> String {
    var text: [UInt8] = []
    let start = position
    let isEnd = { [bytes] (position: Int) in
      position >= bytes.count || bytes[position] == UInt8(ascii: ",")
        || bytes[position] == UInt8(ascii: "\n")
        || bytes[position] == UInt8(ascii: "\r")
          && (bytes[position + 1] == UInt8(ascii: "\n") || position + 1 == bytes.count)
    }
    guard bytes[position] == UInt8(ascii: "\"") else {
      while !isEnd(position) {
        if bytes[position] == UInt8(ascii: "\"") { report(.strayQuote, at: position) }
        if bytes[position] == 0 { report(.zeroByte, at: position) }
        text.append(bytes[position])
        position += 1
      }
      return String(decoding: text, as: UTF8.self)
    }
    position += 1
    while true {
      if position >= bytes.count {
        report(.openQuote, at: start)
        break
      }
      if bytes[position] == UInt8(ascii: "\"") {
        position += 1
        if bytes[position] != UInt8(ascii: "\"") { break }
      } else if bytes[position] == 0 {
        report(.zeroByte, at: position)
      }
      text.append(bytes[position])
      position += 1
    }
    while !isEnd(position) {
      if faults.last?.offset != start { report(.strayQuote, at: start) }
      position += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Rows

  /// A row whose cells stand for these columns. An empty cell is not given.
  private mutating func takeRow(_ cells: [Cell], columns: [String], origin: Int) {
    var record = Record(origin: origin)
    guard use == .ids || cells.count == columns.count else {
      return report(.wrongCellCount(cells.count, columns: columns), at: origin)
    }
    for (column, cell) in zip(columns, cells) where !cell.text.isEmpty {
      guard let field = schema.fields.first(where: { $0.name == column }) else { continue }
      if column == schema.key.name {
        record.id = cell.text
        if use != .new { continue }
      }
      if use == .ids { continue }
      let json =
        field.kind.isNumber && JSONNumber(cell.text) != nil
        ? Array(cell.text.utf8) : JSONString.encode(cell.text)
      var scanner = JSONScanner(Bytes(json))
      if let reason = (try? field.check(&scanner)) ?? nil {
        report(reason, at: cell.origin)
      } else {
        take(Member(name: column, value: json[...]), at: cell.origin, of: &record)
      }
    }
    take(record)
  }
}

extension Schema.Kind {
  var isText: Bool { if case .text = self { true } else { false } }
  var isNumber: Bool { if case .wholeNumber = self { true } else { false } }
}

extension String {
  /// Without white space at its ends.
  var trimmed: String {
    // Letters and digits at both ends, as of an id, need no look at what Unicode says of them.
    if let first = utf8.first, let last = utf8.last, 0x21...0x7E ~= first, 0x21...0x7E ~= last {
      return self
    }
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

extension Bytes {
  /// The text of an id: of a string its content, of a number its value.
  fileprivate func idText(_ range: Range<Int>) -> String {
    if self[range.lowerBound] == UInt8(ascii: "\"") { return JSONString.decode(range, in: self) }
    return JSONNumber(range, in: self).integer.map(String.init) ?? text(range)
  }

  /// The value at `range` as it came; an array or an object on one line.
  fileprivate func compact(_ range: Range<Int>, _ source: [UInt8]) -> ArraySlice<UInt8> {
    guard self[range.lowerBound] == UInt8(ascii: "[") || self[range.lowerBound] == UInt8(ascii: "{")
    else {
      return source[range]
    }
    var json: [UInt8] = []
    JSONString.appendCompact(valueAt: range.lowerBound, in: self, keepingEscapes: true, to: &json)
    return json[...]
  }
}
