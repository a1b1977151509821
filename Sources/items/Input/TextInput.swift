import ItemStore

extension InputRecords {
  /// Reads lines: a title or note each, or an id.
  mutating func readText(from start: Int) {
    let bytes = bytes
    let field = schema.kinds.firstIndex(where: \.isText) ?? 0
    for line in InputLines(of: bytes, from: start) {
      let zero = bytes.firstIndex(of: 0, in: line)
      if zero < line.upperBound { report(.zeroByte, at: zero) }
      if use == .new {
        append(field, at: line.lowerBound) { JSONString.appendEncoded(line, of: bytes, to: &$0) }
      }
      endRecord(id: use == .new ? nil : bytes.text(line).trimmed, origin: line.lowerBound)
    }
  }
}
