/// Text to a JSON string and back: RFC 8259, section 7.
package enum JSONString {
  /// The text of the string at `range`, quotes included, which a scanner has checked.
  package static func decode(_ range: Range<Int>, in bytes: Bytes) -> String {
    let content = range.lowerBound + 1..<range.upperBound - 1
    if firstBackslash(in: content, of: bytes) == nil { return bytes.text(content) }
    var text: [UInt8] = []
    appendDecoded(range, in: bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the UTF-8 text of the string at `range`.
  package static func appendDecoded(_ range: Range<Int>, in bytes: Bytes, to text: inout [UInt8]) {
    var rest = range.lowerBound + 1..<range.upperBound - 1
    while let backslash = firstBackslash(in: rest, of: bytes) {
      bytes.append(rest.lowerBound..<backslash, to: &text)
      var scanner = JSONScanner(bytes, at: backslash)
      if let scalar = try? scanner.skipEscape() { text.append(contentsOf: UTF8.encode(scalar)!) }
      rest = max(scanner.position, backslash + 1)..<rest.upperBound
    }
    bytes.append(rest, to: &text)
  }

  package static func encode(_ text: String) -> [UInt8] {
    var json: [UInt8] = []
    json.reserveCapacity(text.utf8.count + 2)
    appendEncoded(text, to: &json)
    return json
  }

  /// Appends `text` in quotes, with no escape but the necessary ones.
  package static func appendEncoded(_ text: String, to json: inout [UInt8]) {
    appendQuoted(to: &json) { $0 += text.utf8 }
  }

  /// Appends the text of a range that is known to be UTF-8, likewise.
  package static func appendEncoded(
    _ range: Range<Int>, of bytes: Bytes, to json: inout [UInt8]
  ) {
    appendQuoted(to: &json) { bytes.append(range, to: &$0) }
  }

  private static func appendQuoted(
    to json: inout [UInt8], _ appendText: (inout [UInt8]) -> Void
  ) {
    json.append(UInt8(ascii: "\""))
    let start = json.count
    appendText(&json)
    if (start..<json.count).contains(where: { needsEscape(json[$0]) }) {
      let text = Array(json[start...])
      json.removeSubrange(start...)
      appendEscaped(text, to: &json)
    }
    json.append(UInt8(ascii: "\""))
  }

  @inline(__always) private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscaped(_ text: [UInt8], to json: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
      case 0x08: json += [UInt8(ascii: "\\"), UInt8(ascii: "b")]
      case 0x09: json += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
      case 0x0A: json += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case 0x0C: json += [UInt8(ascii: "\\"), UInt8(ascii: "f")]
      case 0x0D: json += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
      case ..<0x20:
        json += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
      default: json.append(byte)
      }
    }
  }

  @inlinable package static func firstBackslash(in range: Range<Int>, of bytes: Bytes) -> Int? {
    let found = bytes.firstIndex(of: UInt8(ascii: "\\"), in: range)
    return found < range.upperBound ? found : nil
  }
}
