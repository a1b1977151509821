import ItemStore

/// Records and ids on standard input.
struct Input {
  let bytes: Bytes
  let schema: Schema
  let use: Use
  let format: InputFormat
  /// Whether the format was guessed from the bytes.
  let isGuessed: Bool

  /// The fields of the records, but for the ids of those to be changed.
  private(set) var batch: Batch
  /// The ids of the records to be changed or named, and where their records begin.
  private(set) var ids: [(text: String, origin: Int)] = []

  /// What a new record gets where it does not name it.
  private let defaults: [(field: Int, value: ArraySlice<UInt8>)]
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

  /// Reads all of the input; the first blank line, mark or brace decides where `format` does not.
  ///
  /// - Throws: every record that is wrong, with its place.
  init(
    _ input: [UInt8], _ schema: Schema, use: Use, format: InputFormat, defaults: [Member] = []
  ) throws(UsageError) {
    bytes = Bytes(input)
    var batch = Batch(schema)
    batch.reserveCapacity(forInput: input.count)
    self.defaults = defaults.map { (batch.field(named: $0.name), $0.value) }
    self.batch = batch
    self.schema = schema
    self.use = use
    isGuessed = format == .auto
    self.format = isGuessed ? Self.guess(bytes, use) : format
    let start = bytes.startsWithByteOrderMark ? 3 : 0
    reportInvalidUTF8()
    if faults.isEmpty {
      switch self.format {
      case .json: readJSON(from: start)
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
    // What a record lacks is known at its end, and stands at its beginning.
    let faults = faults.sorted { $0.offset < $1.offset }
    error.messages = faults.prefix(FaultList.limit).map {
      "\(place($0.offset)): \($0.reason)"
    }
    if faults.count > FaultList.limit {
      error.messages.append("stdin: \(faults.count - FaultList.limit) more like these")
    }
    error.hint = formatHint
    return error
  }

  /// Reports the first bad bytes of each line.
  private mutating func reportInvalidUTF8() {
    var position = 0
    while let bad = bytes.firstInvalidUTF8(in: position..<bytes.count) {
      report(.invalidUTF8, at: bad)
      position = bad
      while position < bytes.count && bytes[position] != UInt8(ascii: "\n") { position += 1 }
    }
  }

  // MARK: JSON

  private mutating func readJSON(from start: Int) {
    // As deep as the records of a data file are, so that what fits here fits there.
    var scanner = JSONScanner(bytes, at: start, depth: 1)
    do throws(Fault) {
      scanner.skipWhitespace()
      while !scanner.isAtEnd {
        if scanner.current == UInt8(ascii: "[") {
          try scanner.skipArray { (scanner) throws(Fault) in try readJSONRecord(&scanner) }
        } else {
          var inner = JSONScanner(bytes, at: scanner.position, depth: 2)
          try readJSONRecord(&inner)
          scanner.position = inner.position
        }
        scanner.skipWhitespace()
      }
    } catch {
      faults.append(error)
    }
  }

  private mutating func readJSONRecord(_ scanner: inout JSONScanner) throws(Fault) {
    let start = scanner.position
    var id: String?
    if scanner.current == UInt8(ascii: "{") {
      var seen: UInt = 0
      var slips: [Slip] = []
      try scanner.skipObject { (scanner, name) throws(Fault) in
        if let field = schema.field(named: name, in: bytes) {
          if seen >> UInt(field) & 1 == 1 {
            report(.repeated(field: schema.fields[field].name), at: name.lowerBound)
          }
          seen |= 1 << UInt(field)
          try readJSONValue(of: field, &scanner, &id)
        } else {
          try readForeignJSON(name, &scanner, &slips)
        }
      }
      // A record that has the field as well, as one that was listed, means another one.
      for slip in slips where seen >> UInt(slip.field) & 1 == 0 {
        let known = schema.fields[slip.field].name
        report(.unknownField(slip.name, suggestion: known), at: slip.offset)
      }
    } else if use == .ids {
      id = try readJSONID(&scanner)
    } else {
      try scanner.skipValue()
      report(.notAnObject(noun: "each \(schema.noun)"), at: start)
    }
    endRecord(id: id, origin: start)
  }

  /// Takes the value of a field of the schema.
  private mutating func readJSONValue(
    of field: Int, _ scanner: inout JSONScanner, _ id: inout String?
  ) throws(Fault) {
    if field == 0 && use != .new {
      id = try readJSONID(&scanner)
      return
    }
    if use == .ids { return try scanner.skipValue() }
    let start = scanner.position
    if let reason = try schema.fields[field].check(&scanner) {
      return report(reason, at: start)
    }
    append(field, at: start) { [bytes, end = scanner.position] in
      bytes.append(start..<end, to: &$0)
    }
  }

  /// A name that may be meant for a field of the schema.
  private struct Slip {
    let name: String
    let field: Int
    let offset: Int
  }

  /// Takes the value of a field that is not of the schema.
  private mutating func readForeignJSON(
    _ name: Range<Int>, _ scanner: inout JSONScanner, _ slips: inout [Slip]
  ) throws(Fault) {
    let start = scanner.position
    try scanner.skipValue()
    if use == .ids { return }
    let text = JSONString.decode(name, in: bytes)
    if let known = Suggestion.slip(text, of: schema.fields.map(\.name)),
      let field = schema.fields.firstIndex(where: { $0.name == known })
    {
      slips.append(Slip(name: text, field: field, offset: name.lowerBound))
    }
    batch.append(batch.field(named: text)) { [bytes] in
      JSONString.appendCompact(valueAt: start, in: bytes, keepingEscapes: true, to: &$0)
    }
  }

  /// A bare id, or that of a record: a number or a string.
  private mutating func readJSONID(_ scanner: inout JSONScanner) throws(Fault) -> String? {
    let start = scanner.position
    var probe = scanner
    if try schema.key.check(&probe) == nil || scanner.current == UInt8(ascii: "\"") {
      try scanner.skipValue()
      return scanner.bytes.idText(start..<scanner.position)
    }
    if let reason = try schema.key.check(&scanner) { report(reason, at: start) }
    return nil
  }

  /// Adds a field to the record at hand. Text that is blank can be no new title; whether it is what a
  /// record has already, the store knows.
  private mutating func append(
    _ field: Int, at offset: Int, _ write: (inout [UInt8]) -> Void
  ) {
    batch.append(field, write)
    if use == .new, let reason = schema.blankText(batch.lastValue, for: field) {
      report(reason, at: offset)
    }
  }

  /// Ends a record, and reports it where it has not all it needs.
  private mutating func endRecord(id: String?, origin: Int) {
    for (field, value) in defaults where !batch.isGiven(field) {
      batch.append(field) { $0 += value }
    }
    let hasFault = !faults.isEmpty && faults[faults.count - 1].offset >= origin
    var noun: String { "the \(schema.noun)" }
    switch use {
    case .new:
      // Text has to be named here, also where the command line has a default.
      for field in 1..<schema.kinds.count
      where schema.kinds[field].isText && !batch.isGiven(field) && !hasFault {
        report(.missing(field: schema.fields[field].name, noun: noun), at: origin)
      }
    case .changes, .ids:
      if id == nil && !hasFault {
        report(.missing(field: schema.key.name, noun: noun), at: origin)
      } else if use == .changes && batch.fieldCount == 0 && !hasFault {
        report(.nothingToChange(noun: schema.noun), at: origin)
      }
      ids.append((id ?? "", origin))
    }
    batch.endRecord(origin: origin)
  }

  // MARK: Lines

  /// Calls `body` with the range of each line that is not blank, without its end. A tab is blank, but
  /// where it parts cells.
  private static func forEachLine(
    of bytes: Bytes, from start: Int, hasCells: Bool = false, _ body: (Range<Int>) -> Void
  ) {
    var position = start
    while position < bytes.count {
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"), in: position..<bytes.count)
      let hasReturn = end > position && bytes[end - 1] == UInt8(ascii: "\r")
      let isBlank = (position..<end).allSatisfy {
        let byte = bytes[$0]
        return byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r")
          || byte == UInt8(ascii: "\t") && !hasCells
      }
      if !isBlank { body(position..<(hasReturn ? end - 1 : end)) }
      position = end + 1
    }
  }

  private mutating func readText(from start: Int) {
    let bytes = bytes
    let field = schema.kinds.firstIndex(where: \.isText) ?? 0
    Self.forEachLine(of: bytes, from: start) { line in
      let zero = bytes.firstIndex(of: 0, in: line)
      if zero < line.upperBound { report(.zeroByte, at: zero) }
      if use == .new {
        append(field, at: line.lowerBound) {
          JSONString.appendEncoded(line, of: bytes, to: &$0)
        }
      }
      endRecord(id: use == .new ? nil : bytes.text(line).trimmed, origin: line.lowerBound)
    }
  }

  private mutating func readTSV(from start: Int) {
    let bytes = bytes
    let columns = schema.fields.map(\.name)
    let fields = columns.indices.map { Int?.some($0) }
    Self.forEachLine(of: bytes, from: start, hasCells: true) { line in
      var cells: [Cell] = []
      var cell = line.lowerBound
      for end in line.lowerBound...line.upperBound
      where end == line.upperBound || bytes[end] == UInt8(ascii: "\t") {
        cells.append(readTSVCell(cell..<end))
        cell = end + 1
      }
      takeRow(cells, of: fields, columns: columns, origin: line.lowerBound)
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
    let columns = header.map(\.text)
    let fields = columns.map { names.firstIndex(of: $0) }
    while let row = readCSVRow(&position) {
      if !faults.isEmpty && faults.last?.reason == .openQuote { return }
      takeRow(row, of: fields, columns: columns, origin: row[0].origin)
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

  /// A row whose cells stand for these fields; nil for one that does not count. An empty cell is not
  /// given.
  private mutating func takeRow(
    _ cells: [Cell], of fields: [Int?], columns: [String], origin: Int
  ) {
    guard use == .ids || cells.count == fields.count else {
      return report(.wrongCellCount(cells.count, columns: columns), at: origin)
    }
    var id: String?
    for case (let field?, let cell) in zip(fields, cells) where !cell.text.isEmpty {
      if field == 0 && use != .new { id = cell.text }
      if use == .ids || field == 0 && use != .new { continue }
      let isNumber = schema.kinds[field].isNumber && JSONNumber(cell.text) != nil
      let json = isNumber ? Array(cell.text.utf8) : JSONString.encode(cell.text)
      var scanner = JSONScanner(Bytes(json))
      if let reason = (try? schema.fields[field].check(&scanner)) ?? nil {
        report(reason, at: cell.origin)
      } else {
        append(field, at: cell.origin) { $0 += json }
      }
    }
    endRecord(id: id, origin: origin)
  }
}

extension Schema.Kind {
  var isText: Bool { if case .text = self { true } else { false } }
  var isNumber: Bool { if case .wholeNumber = self { true } else { false } }
}

extension Bytes {
  /// The text of an id: of a string its content, of a number its value.
  fileprivate func idText(_ range: Range<Int>) -> String {
    if self[range.lowerBound] == UInt8(ascii: "\"") { return JSONString.decode(range, in: self) }
    return JSONNumber.integer(range, in: self).map(String.init) ?? text(range)
  }
}
