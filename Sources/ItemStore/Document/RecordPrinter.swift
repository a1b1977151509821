/// Prints many records at a time, in the forms that need no look at single characters.
package struct RecordPrinter {
  private let bytes: Bytes
  private let list: RecordList
  private let records: RecordIndices
  private var memory: [UInt8] = []
  private static let usualRoom = 1 << 16

  package init(_ selection: Selection) {
    (bytes, list, records) = (selection.document.bytes, selection.list, selection.records)
  }

  /// Appends records as they are stored, each on one line without white space: from a place of the
  /// selection on, as many as there is room for, one at least.
  ///
  /// - Parameter separator: goes between two records, also those of two calls.
  /// - Returns: the place of the next record.
  package mutating func appendJSON(
    from place: Int, separator: [UInt8], to output: inout [UInt8]
  ) -> Int {
    makeRoom(for: place)
    let (bytes, list, records) = (bytes, list, records)
    var next = place
    let count = ByteWriter.fill(&memory) { writer in
      while next < records.count {
        let range = list.range(of: records[next], in: bytes)
        guard writer.hasRoom(for: separator.count + range.count) else { return }
        if next > 0 { writer.append(separator) }
        writer.appendCompact(range, of: bytes)
        next += 1
      }
    }
    output += memory[..<count]
    return next
  }

  /// What rows consist of.
  package struct Columns {
    let fields: [(index: Int, isWholeNumber: Bool)]
    let separator: UInt8
    /// Whether a text with a separator cannot be printed as it is.
    let quotesSeparator: Bool

    /// - Parameter fields: the indices of known fields.
    package init(_ fields: [Int], of schema: Schema, separator: UInt8, quotesSeparator: Bool) {
      self.fields = fields.map { ($0, schema.kinds[$0] == .wholeNumber) }
      (self.separator, self.quotesSeparator) = (separator, quotesSeparator)
    }
  }

  /// Appends the rows of records whose cells are all printed as they are in the file: numbers in their
  /// usual spelling, and texts without escapes. It begins at a place of the selection and ends at the
  /// first other record, or if there is no more room.
  ///
  /// - Returns: the place of the next record.
  package mutating func appendRows(
    from place: Int, _ columns: Columns, to output: inout [UInt8]
  ) -> Int {
    makeRoom(for: place)
    var next = place
    let (bytes, list, records) = (bytes, list, records)
    var cells = columns.fields.map { _ in 0..<0 }
    let count = ByteWriter.fill(&memory) { writer in
      while next < records.count, columns.find(&cells, of: records[next], in: list, of: bytes) {
        let room = cells.reduce(0) { $0 + $1.count + 1 }
        guard writer.hasRoom(for: room) else { return }
        for i in cells.indices {
          if i > 0 { writer.append(columns.separator) }
          writer.append(cells[i], of: bytes)
        }
        writer.append(UInt8(ascii: "\n"))
        next += 1
      }
    }
    output += memory[..<count]
    return next
  }

  /// Makes room for many usual records, and for the next one in any case.
  private mutating func makeRoom(for place: Int) {
    guard place < records.count else { return }
    let needed = 2 * list.range(of: records[place], in: bytes).count + 64
    if memory.count < max(needed, Self.usualRoom) {
      memory = Array(repeating: 0, count: max(needed, Self.usualRoom))
    }
  }
}

extension RecordPrinter.Columns {
  /// Finds the cells of a record; false if one cannot be printed as it is.
  @inline(__always)
  fileprivate func find(
    _ cells: inout [Range<Int>], of record: Int, in list: RecordList, of bytes: Bytes
  ) -> Bool {
    for i in fields.indices {
      let field = fields[i]
      let start = list.value(of: field.index, in: record)
      guard let cell = bytes.plainText(ofValueAt: start, isWholeNumber: field.isWholeNumber),
        !quotesSeparator || field.isWholeNumber
          || bytes.firstIndex(of: separator, in: cell) == cell.upperBound
      else { return false }
      cells[i] = cell
    }
    return true
  }
}
