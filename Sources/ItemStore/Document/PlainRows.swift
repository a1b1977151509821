/// Rows of known fields that are printed as they are in the file: numbers in their usual spelling, and
/// texts without escapes.
package struct PlainRows {
  private let bytes: Bytes
  private let list: RecordList
  private let fields: [(index: Int, isWholeNumber: Bool)]
  private let separator: UInt8
  private let quotesSeparator: Bool
  /// The cells of the row at hand, and memory for its text.
  private var cells: [Range<Int>]
  private var text: [UInt8] = []

  /// - Parameters:
  ///   - fields: the indices of the fields to print.
  ///   - quotesSeparator: whether a cell with a separator is not plain.
  package init(
    of fields: [Int], in selection: Selection, separator: UInt8, quotesSeparator: Bool
  ) {
    bytes = selection.document.bytes
    list = selection.list
    self.fields = fields.map { ($0, selection.schema.kinds[$0] == .wholeNumber) }
    (self.separator, self.quotesSeparator) = (separator, quotesSeparator)
    cells = Array(repeating: 0..<0, count: fields.count)
  }

  /// Appends the row of a record and a line end; if a cell is not plain, appends nothing and returns
  /// false.
  package mutating func append(_ record: Int, to output: inout [UInt8]) -> Bool {
    for (place, field) in fields.enumerated() {
      let start = list.value(of: field.index, in: record)
      guard let cell = bytes.plainText(ofValueAt: start, isWholeNumber: field.isWholeNumber),
        !quotesSeparator || field.isWholeNumber
          || bytes.firstIndex(of: separator, in: cell) == cell.upperBound
      else { return false }
      cells[place] = cell
    }
    let count = bytes.copy(cells, separator: separator, end: UInt8(ascii: "\n"), to: &text)
    output += text[..<count]
    return true
  }
}
