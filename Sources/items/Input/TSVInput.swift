import ItemStore

extension InputRecords {
  /// Reads rows of cells with tabs between them, as `list` prints them.
  ///
  /// - Parameter names: of the columns; nil for those that `list` prints.
  mutating func readTSV(from start: Int, columns names: [String]?) {
    let bytes = bytes
    let names = names ?? schema.fields.map(\.name)
    guard
      let columns = columns(
        names, origins: names.map { _ in start }, in: ("the list of columns", start))
    else { return }
    for line in InputLines(of: bytes, from: start, hasCells: true) {
      var cells: [InputCell] = []
      var cell = line.lowerBound
      while true {
        let end = bytes.firstIndex(of: UInt8(ascii: "\t"), in: cell..<line.upperBound)
        cells.append(readTSVCell(cell..<end))
        if end == line.upperBound { break }
        cell = end + 1
      }
      takeRow(cells, of: columns, origin: line.lowerBound)
    }
  }

  private mutating func readTSVCell(_ range: Range<Int>) -> InputCell {
    let backslash = JSONString.firstBackslash(in: range, of: bytes)
    let zero = bytes.firstIndex(of: 0, in: range)
    if zero < range.upperBound { report(.zeroByte, at: zero) }
    if backslash == nil { return InputCell(text: bytes.text(range), origin: range.lowerBound) }
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
        case UInt8(ascii: "0"): byte = 0
        case UInt8(ascii: "\\"): break
        default: report(.invalidTSVEscape, at: position - 1)
        }
      }
      text.append(byte)
      position += 1
    }
    return InputCell(text: String(decoding: text, as: UTF8.self), origin: range.lowerBound)
  }
}
