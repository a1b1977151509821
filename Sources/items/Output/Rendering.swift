import ItemStore

extension Output {
  /// Writes the records of a selection in a format, to the last byte.
  mutating func write(_ records: Selection, as format: Format) throws(Errno) {
    try append(records, as: format)
    try flush()
  }

  /// Writes what is much, and keeps the rest.
  mutating func append(_ records: Selection, as format: Format) throws(Errno) {
    switch format {
    case .table: try append(Table(records, isOnTerminal: isTerminal))
    case .json where records.isEmpty: write("[]\n")
    case .json: try writeObjects(records, "[\n  ", ",\n  ", "\n]\n")
    case .jsonl where records.isEmpty: break
    case .jsonl: try writeObjects(records, "", "\n", "\n")
    case .tsv: try writeRows(records, separator: UInt8(ascii: "\t")) { $0.appendTSV($1) }
    case .csv:
      write(records.schema.fields.map(\.name).joined(separator: ",") + "\n")
      try writeRows(records, separator: UInt8(ascii: ","), quotesSeparator: true) {
        $0.appendCSV($1)
      }
    case .ids:
      try writeRows(records, fieldCount: 1, separator: UInt8(ascii: "\t")) { $0 += $1 }
    }
  }

  /// Whole records, each on one line, with what stands before, between and after them.
  private mutating func writeObjects(
    _ records: Selection, _ before: String, _ between: String, _ after: String
  ) throws(Errno) {
    let list = records.list
    let between = Array(between.utf8)
    var separator = Array(before.utf8)
    for record in records.records {
      bytes += separator
      separator = between
      writeObject(StoredRecord(records.document, list, record))
      try drain()
    }
    write(after)
  }

  /// A record on one line. On a terminal, characters that could drive it become escapes.
  mutating func writeObject(_ fields: StoredRecord) {
    guard isTerminal else { return fields.appendCompactJSON(to: &bytes) }
    var json: [UInt8] = []
    fields.appendCompactJSON(to: &json)
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if scalar.isUnsafeOnTerminal {
        let digits = String(scalar.value, radix: 16)
        write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      } else {
        bytes += Array(String(scalar).utf8)
      }
    }
  }

  // MARK: Rows

  /// Writes the known fields of each record, or the first `fieldCount` of them, in a row. Text without
  /// an escape, a separator or a quote goes from the file's bytes straight into the buffer; `quote`
  /// appends the rest.
  private mutating func writeRows(
    _ records: Selection, fieldCount: Int? = nil, separator: UInt8, quotesSeparator: Bool = false,
    _ quote: (inout [UInt8], [UInt8]) -> Void
  ) throws(Errno) {
    let list = records.list
    let file = records.document.bytes
    let isNumber = records.schema.fields.prefix(fieldCount ?? .max).map(\.kind.isNumber)
    var scanner = JSONScanner(file)
    for record in records.records {
      for field in 0..<isNumber.count {
        if field > 0 { bytes.append(separator) }
        let start = list.value(of: field, in: record)
        scanner.position = start
        if isNumber[field] {
          guard scanner.skipPlainInteger() != nil else {
            try? scanner.skipNumber()
            let number = JSONNumber(start..<scanner.position, in: file).integer ?? 0
            write(String(number))
            continue
          }
          file.append(start..<scanner.position, to: &bytes)
        } else if !isTerminal && scanner.skipsPlainString()
          && !(quotesSeparator && (start..<scanner.position).contains { file[$0] == separator })
        {
          // Every other character that a row may have to quote is an escape in JSON as well.
          file.append(start + 1..<scanner.position - 1, to: &bytes)
        } else {
          writeQuoted(start, file, quote)
        }
      }
      bytes.append(UInt8(ascii: "\n"))
      try drain()
    }
  }

  @inline(never)
  private mutating func writeQuoted(
    _ start: Int, _ file: Bytes, _ quote: (inout [UInt8], [UInt8]) -> Void
  ) {
    var scanner = JSONScanner(file, at: start)
    try? scanner.skipString()
    let text = Array(JSONString.decode(start..<scanner.position, in: file).utf8)
    guard isTerminal else { return quote(&bytes, text) }
    var cell: [UInt8] = []
    quote(&cell, text)
    write(String(decoding: cell, as: UTF8.self).escapedForTerminal)
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
