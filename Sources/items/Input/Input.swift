import ItemStore

/// Records and ids on standard input, or in a file that was edited.
struct Input {
  /// What the place of a fault begins with.
  let name: String
  let bytes: Bytes
  let use: Use
  let format: InputFormat
  /// Whether the format was guessed from the bytes.
  let isGuessed: Bool
  private let records: InputRecords

  /// What the records are for.
  enum Use {
    /// To be added: they must name all that has no default.
    case new
    /// To change records: they must have an id.
    case changes
    /// To name records: only the id counts.
    case ids
    /// To become what records are: those that have an id. Those without one are new.
    case edited
  }

  /// Reads all of the input. Its beginning decides which format it has if `format` does not.
  ///
  /// - Parameters:
  ///   - name: what the place of a fault begins with.
  ///   - columns: of tab-separated values; nil for those that `list` prints.
  ///   - defaults: what a new record gets if it does not name it.
  /// - Throws: `UsageError` if the format cannot be guessed. What is wrong with the records is in `faults`.
  init(
    _ input: [UInt8], named name: String = "stdin", _ schema: Schema, use: Use, format: InputFormat,
    columns: [String]? = nil, defaults: [Member] = []
  ) throws(UsageError) {
    self.name = name
    bytes = Bytes(input)
    self.use = use
    isGuessed = format == .auto && columns == nil
    self.format =
      format != .auto ? format : columns != nil ? .tsv : try .guess(bytes, schema, use)
    var records = InputRecords(bytes, schema, use: use, defaults: defaults)
    records.reportInvalidUTF8()
    let start = bytes.startsWithByteOrderMark ? 3 : 0
    if records.faults.isEmpty {
      switch self.format {
      case .json: records.readJSON(from: start)
      case .tsv: records.readTSV(from: start, columns: columns)
      case .csv: records.readCSV(from: start)
      case .text, .auto: records.readText(from: start)
      }
    }
    self.records = records
  }

  /// The fields of the records, without the ids of those to be changed or named.
  var batch: Batch { records.batch }

  /// The ids of the records to be changed or named, and where their records begin.
  var ids: [(text: String, origin: Int)] { records.ids }

  /// All that is wrong with the records, in any order.
  var faults: [InputFault] { records.faults }

  /// Texts of records to be changed that are blank: no fault if they were blank before.
  var blanks: [InputRecords.Blank] { records.blanks }

  /// Tells where a byte is, `stdin:3:14`, in a time that is short if the offsets ascend.
  func placer() -> (Int) -> String {
    var positions = Positions(in: bytes)
    return { offset in
      let position = positions.position(at: offset)
      return "\(name):\(position.line):\(position.column)"
    }
  }

  /// How to name the format if it was guessed, and may have been guessed wrong.
  var formatHint: String? {
    guard isGuessed else { return nil }
    if format == .text { return "stdin was read as plain lines. Name another format with --input" }
    let what = use == .new ? "title or note" : "id"
    return "stdin looked like \(format). If each line is one \(what), say --input text"
  }
}

extension InputRecords {
  /// Reports the first bad bytes of each line.
  fileprivate mutating func reportInvalidUTF8() {
    var position = 0
    while let bad = bytes.firstInvalidUTF8(in: position..<bytes.count) {
      report(.invalidUTF8, at: bad)
      position = bytes.firstIndex(of: UInt8(ascii: "\n"), in: bad..<bytes.count)
    }
  }
}
