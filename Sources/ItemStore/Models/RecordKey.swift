/// What identifies a record within its list: a whole number, or the 128 bits of a UUID.
package struct RecordKey: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64 = 0, low: UInt64) { (self.high, self.low) = (high, low) }

  package init(number: Int) { self.init(low: UInt64(bitPattern: Int64(number))) }

  package var number: Int { Int(Int64(bitPattern: low)) }
}

// MARK: UUIDs

/// The text of UUIDs: RFC 9562, section 4.
extension RecordKey {
  package static func random() -> RecordKey {
    // Version 4, variant 10: RFC 9562, section 5.4.
    RecordKey(
      high: .random(in: .min ... .max) & ~0xF000 | 0x4000,
      low: .random(in: .min ... .max) & ~(0b11 << 62) | 0b10 << 62)
  }

  package static let digitCount = 32
  /// How many digits of a UUID are shown if they are enough to tell it from all others.
  package static let shortDigits = 8
  /// Before which digits a hyphen is.
  static let hyphenated = [8, 12, 16, 20]

  /// The UUID that `text` spells, with hyphens and in either case.
  package init?(uuid text: some Sequence<UInt8>) {
    guard let prefix = Prefix(uuid: text), prefix.digitCount == Self.digitCount else { return nil }
    self = prefix.key
  }

  /// The UUID in the string at `range`, quotes included.
  init?(uuidAt range: Range<Int>, in bytes: Bytes) {
    guard range.count == 38 else {
      self.init(uuid: JSONString.decode(range, in: bytes).utf8)
      return
    }
    // 01234567-9012-4567-9012-456789012345
    let start = range.lowerBound + 1
    let pair = { (offset: Int) in
      bytes.word(at: start + offset) & 0xFFFF_FFFF | bytes.word(at: start + offset + 5) << 32
    }
    guard bytes.hasHyphens(at: start + 8, start + 13, start + 18, start + 23),
      let a = hexValue(bytes.word(at: start)), let b = hexValue(pair(9)),
      let c = hexValue(pair(19)), let d = hexValue(bytes.word(at: start + 28))
    else { return nil }
    self.init(high: a << 32 | b, low: c << 32 | d)
  }

  /// The text of the UUID in lower case.
  package var uuid: String { uuid(digits: Self.digitCount) }

  /// The text of the first digits of the UUID, in lower case and with the hyphens between them.
  package func uuid(digits: Int) -> String {
    var text: [UInt8] = []
    appendUUID(digits: digits, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the text of the first digits of the UUID likewise.
  package func appendUUID(digits: Int = digitCount, to text: inout [UInt8]) {
    for i in 0..<digits {
      if Self.hyphenated.contains(i) { text.append(UInt8(ascii: "-")) }
      let word = i < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (i % 16))) & 0xF
      text.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }
  }

  /// How long the text of the first digits is.
  package static func length(ofDigits digits: Int) -> Int {
    digits + hyphenated.count { $0 < digits }
  }

  /// How many leading digits two UUIDs have in common.
  package func sharedDigitCount(with other: RecordKey) -> Int {
    let high = (self.high ^ other.high).leadingZeroBitCount / 4
    return high < 16 ? high : 16 + (low ^ other.low).leadingZeroBitCount / 4
  }
}

extension Bytes {
  fileprivate func hasHyphens(at a: Int, _ b: Int, _ c: Int, _ d: Int) -> Bool {
    self[a] & self[b] & self[c] & self[d] == UInt8(ascii: "-")
      && self[a] | self[b] | self[c] | self[d] == UInt8(ascii: "-")
  }
}

/// The value of eight hexadecimal digits, the first in the lowest byte of `text`.
private func hexValue(_ text: UInt64) -> UInt64? {
  let ones: UInt64 = 0x0101_0101_0101_0101
  // The high bit of each byte that is at least `a` and below `b`, as long as all are ASCII.
  let isBetween = { (word: UInt64, a: UInt64, b: UInt64) in
    (word &+ ones &* (0x80 - a)) & ~(word &+ ones &* (0x80 - b))
  }
  let digits = isBetween(text, 0x30, 0x3A)
  let letters = isBetween(text | ones &* 0x20, 0x61, 0x67)
  guard ((digits | letters) & ~text & (ones &* 0x80)) == ones &* 0x80 else { return nil }
  var value = ((text & (ones &* 0x0F)) &+ (text >> 6 & ones) &* 9).byteSwapped
  value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
  value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
  return (value | value >> 16) & 0xFFFF_FFFF
}
