import ItemStore

extension Output {
  /// Writes the records of a selection in a format, to the last byte.
  ///
  /// - Parameter columns: the fields to print; nil for those that the schema knows, or whole records.
  mutating func write(
    _ records: Selection, as format: Format, columns: [String]? = nil
  ) throws(Errno) {
    try append(records, as: format, columns: columns)
    try flush()
  }

  /// Writes what is much, and keeps the rest.
  mutating func append(
    _ records: Selection, as format: Format, columns: [String]? = nil
  ) throws(Errno) {
    switch format {
    case .table: try append(Table(records, columns: columns, isOnTerminal: isTerminal))
    case .json where records.isEmpty: write("[]\n")
    case .json: try writeObjects(records, columns, "[\n  ", ",\n  ", "\n]\n")
    case .jsonl where records.isEmpty: break
    case .jsonl: try writeObjects(records, columns, "", "\n", "\n")
    case .tsv: try writeRows(records, columns, separator: UInt8(ascii: "\t")) { $0.appendTSV($1) }
    case .csv:
      let names = columns ?? records.schema.fields.map(\.name)
      for (i, name) in names.enumerated() {
        if i > 0 { bytes.append(UInt8(ascii: ",")) }
        writeText(Array(name.utf8)) { $0.appendCSV($1) }
      }
      write("\n")
      try writeRows(records, columns, separator: UInt8(ascii: ","), quotesSeparator: true) {
        $0.appendCSV($1)
      }
    case .ids:
      try writeRows(records, [records.schema.key.name], separator: UInt8(ascii: "\t")) { $0 += $1 }
    }
  }

  /// Records, each on one line, with what stands before, between and after them: whole, or the members
  /// that are named.
  private mutating func writeObjects(
    _ records: Selection, _ columns: [String]?, _ before: String, _ between: String,
    _ after: String
  ) throws(Errno) {
    write(before)
    if columns == nil && !isTerminal {
      try writePlainObjects(records, separator: Array(between.utf8))
    } else {
      var members = columns.map { NamedMembers($0, in: records) }
      for (place, record) in records.records.enumerated() {
        if place > 0 { write(between) }
        writeObject(record, of: records, &members)
        try drain()
      }
    }
    write(after)
  }

  /// Whole records, where nothing has to be escaped.
  private mutating func writePlainObjects(
    _ records: Selection, separator: [UInt8]
  ) throws(Errno) {
    var printer = RecordPrinter(records)
    var place = 0
    while place < records.records.count {
      place = printer.appendJSON(from: place, separator: separator, to: &bytes)
      try drain()
    }
  }

  /// A record on one line. On a terminal, characters that could drive it become escapes.
  ///
  /// - Parameter members: those to print; nil for the whole record.
  mutating func writeObject(_ record: Int, of records: Selection, _ members: inout NamedMembers?) {
    let stored = StoredRecord(records.document, records.list, record)
    var json: [UInt8] = []
    if members == nil { stored.appendCompactJSON(to: &json) }
    members?.append(record, to: &json)
    guard isTerminal else {
      bytes += json
      return
    }
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

  /// Writes the columns of each record in a row. Text without an escape, a separator or a quote goes from
  /// the file's bytes straight into the buffer; `quote` appends the rest.
  private mutating func writeRows(
    _ records: Selection, _ columns: [String]?, separator: UInt8, quotesSeparator: Bool = false,
    _ quote: (inout [UInt8], [UInt8]) -> Void
  ) throws(Errno) {
    let file = records.document.bytes
    var fields = FieldFinder(columns, in: records)
    let isNumber = fields.known.map { $0.map { records.schema.kinds[$0].isNumber } ?? false }
    let known = fields.known.compactMap(\.self)
    // On a terminal, each text is looked at for what could drive it.
    let canBePlain = !isTerminal && known.count == fields.known.count
    let plain = RecordPrinter.Columns(
      known, of: records.schema, separator: separator, quotesSeparator: quotesSeparator)
    var printer = RecordPrinter(records)
    var place = 0
    while place < records.records.count {
      if canBePlain {
        let next = printer.appendRows(from: place, plain, to: &bytes)
        if next > place {
          place = next
          try drain()
          continue
        }
      }
      let record = records.records[place]
      place += 1
      fields.find(in: record)
      for column in isNumber.indices {
        if column > 0 { bytes.append(separator) }
        guard let start = fields.start(of: column, in: record) else { continue }
        let text = file.plainText(ofValueAt: start, isWholeNumber: isNumber[column])
        // Every other character that a row may have to quote is an escape in JSON as well.
        if let text,
          file.isNumber(at: start)
            || !isTerminal
              && !(quotesSeparator && file.firstIndex(of: separator, in: text) < text.upperBound)
        {
          file.append(text, to: &bytes)
        } else {
          writeText(file.printedText(ofValueAt: start, isWholeNumber: isNumber[column]), quote)
        }
      }
      bytes.append(UInt8(ascii: "\n"))
      try drain()
    }
  }

  @inline(never)
  private mutating func writeText(
    _ text: [UInt8], _ quote: (inout [UInt8], [UInt8]) -> Void
  ) {
    guard isTerminal else { return quote(&bytes, text) }
    var cell: [UInt8] = []
    quote(&cell, text)
    write(String(decoding: cell, as: UTF8.self).escapedForTerminal)
  }
}

/// The members of records that `-c` names, as compact JSON.
struct NamedMembers {
  private var fields: FieldFinder
  private let bytes: Bytes
  /// The name of each, and a colon.
  private let names: [[UInt8]]

  init(_ names: [String], in records: Selection) {
    fields = FieldFinder(names, in: records)
    bytes = records.document.bytes
    self.names = names.map { JSONString.encode($0) + [UInt8(ascii: ":")] }
  }

  mutating func append(_ record: Int, to json: inout [UInt8]) {
    fields.find(in: record)
    json.append(UInt8(ascii: "{"))
    var isFirst = true
    for (place, name) in names.enumerated() {
      guard let start = fields.start(of: place, in: record) else { continue }
      if !isFirst { json.append(UInt8(ascii: ",")) }
      isFirst = false
      json += name
      JSONString.appendCompact(valueAt: start, in: bytes, to: &json)
    }
    json.append(UInt8(ascii: "}"))
  }
}

extension [UInt8] {
  /// A cell as jq's `@tsv` writes it, and U+0000 likewise.
  fileprivate mutating func appendTSV(_ text: [UInt8]) {
    for byte in text {
      switch byte {
      case 0: self += Array("\\0".utf8)
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
