/// What identifies a record within its list: a whole number, or the 128 bits of a UUID.
package struct RecordKey: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64 = 0, low: UInt64) { (self.high, self.low) = (high, low) }

  package init(number: Int) { self.init(low: UInt64(bitPattern: Int64(number))) }

  package var number: Int { Int(Int64(bitPattern: low)) }

  /// The UUID that `text` spells, with hyphens and in either case.
  package init?(uuid text: some Sequence<UInt8>) {
    guard let prefix = RecordKey.Prefix(uuid: text), prefix.digitCount == 32 else { return nil }
    self = prefix.key
  }

  /// The UUID in the string at `range`, quotes included.
  init?(uuidAt range: Range<Int>, in bytes: Bytes) {
    guard range.count == Self.quotedCount else {
      self.init(uuid: JSONString.decode(range, in: bytes).utf8)
      return
    }
    let start = range.lowerBound + 1
    let hexDigits = Self.hexDigits
    // What is no digit, or no hyphen, sets bits that no digit has.
    var wrong = UInt8(0)
    var (high, low) = (UInt64(0), UInt64(0))
    for i in 0..<36 {
      let byte = bytes[start &+ i]
      // Places 8, 13, 18 and 23.
      if 0x842100 &>> UInt64(truncatingIfNeeded: i) & 1 == 1 {
        wrong |= byte ^ UInt8(ascii: "-")
      } else {
        let digit = hexDigits[Int(byte)]
        wrong |= digit & 0xF0
        high = high &<< 4 | low &>> 60
        low = low &<< 4 | UInt64(digit & 0x0F)
      }
    }
    guard wrong == 0 else { return nil }
    self.init(high: high, low: low)
  }

  private static let quotedCount = 38
  /// The value of each byte as a digit; 0xFF where it is none.
  private static let hexDigits = (UInt8.min ... .max).map { hexDigitValue($0) ?? 0xFF }

  package static func random() -> RecordKey {
    // Version 4, variant 10: RFC 9562, section 5.4.
    RecordKey(
      high: .random(in: .min ... .max) & ~0xF000 | 0x4000,
      low: .random(in: .min ... .max) & ~(0b11 << 62) | 0b10 << 62)
  }

  /// The lower-case text of the UUID.
  package var uuid: String {
    let digits = [high, low].map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
    var text = ""
    for (i, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(i) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}

extension RecordKey {
  /// The first digits of a UUID, hyphens at their places, in either case; or a whole key.
  package struct Prefix: Hashable, Sendable {
    /// The digits, followed by zeros.
    package let key: RecordKey
    package let digitCount: Int

    /// The digits are enough: a shorter prefix rarely ends in the same zeros.
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// All of a key.
    package init(_ key: RecordKey) { (self.key, digitCount) = (key, 32) }

    /// The first `digitCount` digits of `key`.
    package init(_ key: RecordKey, digitCount: Int) {
      let high = digitCount >= 16 ? UInt64.max : ~(.max >> UInt64(4 * digitCount))
      let low = digitCount >= 32 ? UInt64.max : ~(.max >> UInt64(max(0, 4 * digitCount - 64)))
      self.key = RecordKey(high: key.high & high, low: key.low & low)
      self.digitCount = digitCount
    }

    package init?(uuid text: some Sequence<UInt8>) {
      var (high, low) = (UInt64(0), UInt64(0))
      var count = 0
      for (i, byte) in text.enumerated() {
        if [8, 13, 18, 23].contains(i) {
          guard byte == UInt8(ascii: "-") else { return nil }
          continue
        }
        guard count < 32, let digit = hexDigitValue(byte) else { return nil }
        if count < 16 {
          high |= UInt64(digit) << UInt64(60 - 4 * count)
        } else {
          low |= UInt64(digit) << UInt64(124 - 4 * count)
        }
        count += 1
      }
      key = RecordKey(high: high, low: low)
      digitCount = count
    }
  }
}

extension RecordKey {
  /// How many leading digits two UUIDs have in common.
  package func sharedDigitCount(with other: RecordKey) -> Int {
    let high = (self.high ^ other.high).leadingZeroBitCount / 4
    return high < 16 ? high : 16 + (low ^ other.low).leadingZeroBitCount / 4
  }

  /// The lower-case text of the first digits of the UUID, with the hyphens between them.
  package func uuid(digits: Int) -> String {
    // A hyphen stands behind the 8th, 12th, 16th and 20th digit.
    let hyphens = [8, 12, 16, 20].count { $0 < digits }
    return String(uuid.prefix(digits + hyphens))
  }
}
