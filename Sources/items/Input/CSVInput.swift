import ItemStore

extension InputRecords {
  /// Reads rows of cells with commas between them, of which the first names the fields: RFC 4180, with LF
  /// or CRLF.
  mutating func readCSV(from start: Int) {
    var reader = CSVReader(bytes: bytes, position: start)
    let header = reader.next()
    for fault in reader.faults { report(fault.reason, at: fault.offset) }
    guard let header,
      let columns = columns(
        header.map(\.text), origins: header.map(\.origin), in: ("the header", header[0].origin)),
      faults.isEmpty
    else { return }
    reader.faults = []
    while let row = reader.next() {
      for fault in reader.faults {
        report(fault.reason, at: fault.offset)
        if fault.reason == .openQuote { return }
      }
      reader.faults.removeAll(keepingCapacity: true)
      takeRow(row, of: columns, origin: row[0].origin)
    }
  }
}

/// Takes CSV apart.
private struct CSVReader {
  let bytes: Bytes
  var position: Int
  var faults: [InputFault] = []

  /// The next row that is not blank; nil at the end.
  mutating func next() -> [InputCell]? {
    skipBlankLines()
    if position >= bytes.count { return nil }
    var cells: [InputCell] = []
    while true {
      cells.append(nextCell())
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

  private mutating func skipBlankLines() {
    var lines = InputLines(of: bytes, from: position)
    position = lines.next()?.lowerBound ?? bytes.count
  }

  private func isAtEndOfCell() -> Bool {
    if position >= bytes.count { return true }
    switch bytes[position] {
    case UInt8(ascii: ","), UInt8(ascii: "\n"): return true
    case UInt8(ascii: "\r"):
      return bytes[position + 1] == UInt8(ascii: "\n") || position + 1 == bytes.count
    default: return false
    }
  }

  private mutating func nextCell() -> InputCell {
    let start = position
    if bytes[position] == UInt8(ascii: "\"") { return nextQuotedCell() }
    while !isAtEndOfCell() {
      if bytes[position] == UInt8(ascii: "\"") { report(.strayQuote, at: position) }
      position += 1
    }
    return InputCell(text: bytes.text(start..<position), origin: start)
  }

  private mutating func nextQuotedCell() -> InputCell {
    let start = position
    var text: [UInt8] = []
    position += 1
    while true {
      if position >= bytes.count {
        report(.openQuote, at: start)
        break
      }
      if bytes[position] == UInt8(ascii: "\"") {
        position += 1
        if bytes[position] != UInt8(ascii: "\"") { break }
      }
      text.append(bytes[position])
      position += 1
    }
    if !isAtEndOfCell() { report(.strayQuote, at: start) }
    while !isAtEndOfCell() { position += 1 }
    return InputCell(text: String(decoding: text, as: UTF8.self), origin: start)
  }

  private mutating func report(_ reason: InputFault.Reason, at offset: Int) {
    faults.append(InputFault(reason: reason, offset: offset))
  }
}
