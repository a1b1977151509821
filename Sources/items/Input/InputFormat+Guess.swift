import ItemStore

extension InputFormat {
  /// The format that an input seems to have, from its first line that is not blank.
  ///
  /// - Throws: `UsageError` if that line looks like the header of CSV, which is never guessed.
  static func guess(
    _ bytes: Bytes, _ schema: Schema, _ use: Input.Use
  ) throws(UsageError) -> InputFormat {
    let start = bytes.startsWithByteOrderMark ? 3 : 0
    var lines = InputLines(of: bytes, from: start, hasCells: true)
    guard let line = lines.next() else { return .text }
    let first = line.first { ![0x20, 0x09, 0x0D].contains(bytes[$0]) }.map { bytes[$0] }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
    case UInt8(ascii: "\"") where use != .new: return .json
    default: break
    }
    if bytes.firstIndex(of: UInt8(ascii: "\t"), in: line) < line.upperBound { return .tsv }
    if isHeader(bytes.text(line.prefix(1 << 12)), schema) {
      throw UsageError(
        "stdin looks like CSV, which is never guessed",
        hint: "Say --input csv for the names of fields and their values, or --input text for lines")
    }
    return .text
  }

  /// Whether a line has two or more names with commas and no blanks between, one of them a known field.
  private static func isHeader(_ line: String, _ schema: Schema) -> Bool {
    guard !line.unicodeScalars.contains(where: \.properties.isWhitespace) else { return false }
    let names = line.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.count > 1 && $0.hasPrefix("\"") && $0.hasSuffix("\"") ? $0.dropFirst().dropLast() : $0
    }
    return names.count > 1
      && names.contains { name in schema.fields.contains { $0.name == name.lowercased() } }
  }
}
