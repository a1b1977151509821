import ItemStore

extension Output {
  /// Writes the records of a selection in a format.
  mutating func write(_ records: Selection, as format: Format) throws(Errno) {
    switch format {
    case .table: write(Table(records, isOnTerminal: isTerminal).text)
    case .json: try writeJSON(records)
    case .jsonl:
      try forEach(in: records) { (output, fields) in
        output.writeObject(fields)
        output.bytes.append(UInt8(ascii: "\n"))
      }
    case .tsv: try writeRows(records, separator: UInt8(ascii: "\t")) { $0.appendTSV($1) }
    case .csv:
      write(records.schema.fields.map(\.name).joined(separator: ",") + "\n")
      try writeRows(records, separator: UInt8(ascii: ",")) { $0.appendCSV($1) }
    case .ids:
      let list = records.list
      for record in records.records {
        writeCell(list, 0, record, records.document.bytes) { $0 += $1 }
        bytes.append(UInt8(ascii: "\n"))
        try drain()
      }
    }
    try flush()
  }

  private mutating func forEach(
    in records: Selection, _ body: (inout Output, StoredFields) -> Void
  ) throws(Errno) {
    let list = records.list
    for record in records.records {
      body(&self, StoredFields(records.document, list, record))
      try drain()
    }
  }

  /// An array, one record a line.
  private mutating func writeJSON(_ records: Selection) throws(Errno) {
    if records.isEmpty { return write("[]\n") }
    var separator = "[\n  "
    try forEach(in: records) { (output, fields) in
      output.write(separator)
      output.writeObject(fields)
      separator = ",\n  "
    }
    write("\n]\n")
  }

  /// The whole record on one line. On a terminal, characters that could drive it become escapes.
  private mutating func writeObject(_ fields: StoredFields) {
    guard isTerminal else { return fields.appendCompactJSON(to: &bytes) }
    var json: [UInt8] = []
    fields.appendCompactJSON(to: &json)
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if scalar.isUnsafeOnTerminal {
        let digits = String(scalar.value, radix: 16)
        write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      } else {
        bytes += UTF8.encode(scalar)!
      }
    }
  }

  // MARK: Rows

  private mutating func writeRows(
    _ records: Selection, separator: UInt8, _ append: (inout [UInt8], [UInt8]) -> Void
  ) throws(Errno) {
    let list = records.list
    // Every other character that a row may have to quote is an escape in JSON as well.
    let isQuoted = { (content: Range<Int>, file: Bytes) in
      separator == UInt8(ascii: ",") && content.contains { file[$0] == separator }
    }
    let document = records.document
    let fieldCount = records.schema.fields.count
    for record in records.records {
      for field in 0..<fieldCount {
        if field > 0 { bytes.append(separator) }
        writeCell(list, field, record, document.bytes, isQuoted: isQuoted, append)
      }
      bytes.append(UInt8(ascii: "\n"))
      try drain()
    }
  }

  /// One known field. Text without an escape, a comma or a quote goes from the file's bytes straight
  /// into the buffer; `append` quotes the rest.
  @inline(__always)
  private mutating func writeCell(
    _ list: RecordList, _ field: Int, _ record: Int, _ file: Bytes,
    isQuoted: (Range<Int>, Bytes) -> Bool = { _, _ in false },
    _ append: (inout [UInt8], [UInt8]) -> Void
  ) {
    var scanner = JSONScanner(file, at: list.value(of: field, in: record))
    let start = scanner.position
    guard case .wholeNumber = list.schema.fields[field].kind else {
      try? scanner.skipString()
      let content = start + 1..<scanner.position - 1
      if isTerminal {
        var cell: [UInt8] = []
        append(&cell, Array(JSONString.decode(start..<scanner.position, in: file).utf8))
        write(String(decoding: cell, as: UTF8.self).escapedForTerminal)
      } else if JSONString.firstBackslash(in: content, of: file) != nil || isQuoted(content, file) {
        append(&bytes, Array(JSONString.decode(start..<scanner.position, in: file).utf8))
      } else {
        file.append(content, to: &bytes)
      }
      return
    }
    if scanner.skipPlainInteger() != nil {
      file.append(start..<scanner.position, to: &bytes)
    } else {
      try? scanner.skipNumber()
      let number = JSONNumber(start..<scanner.position, in: file).integer ?? 0
      bytes += Array(String(number).utf8)
    }
  }
}

extension [UInt8] {
  /// A cell as jq's `@tsv` writes it.
  fileprivate mutating func appendTSV(_ text: [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "\t"): self += Array("\\t".utf8)
      case UInt8(ascii: "\n"): self += Array("\\n".utf8)
      case UInt8(ascii: "\r"): self += Array("\\r".utf8)
      case UInt8(ascii: "\\"): self += Array("\\\\".utf8)
      default: append(byte)
      }
    }
  }

  /// A cell after RFC 4180, with LF; in quotes only where it has to be.
  fileprivate mutating func appendCSV(_ text: [UInt8]) {
    guard text.contains(where: { [UInt8(ascii: ","), UInt8(ascii: "\""), 10, 13].contains($0) })
    else {
      self += text
      return
    }
    append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    append(UInt8(ascii: "\""))
  }
}
