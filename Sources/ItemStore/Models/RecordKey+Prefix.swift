extension RecordKey {
  /// The first digits of a UUID, hyphens at their places, in either case; or a whole key.
  package struct Prefix: Hashable, Sendable {
    /// The digits, followed by zeros.
    package let key: RecordKey
    package let digitCount: Int

    /// The digits are enough: a shorter prefix rarely ends in the same zeros.
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// All of a key.
    package init(_ key: RecordKey) { (self.key, digitCount) = (key, RecordKey.digitCount) }

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
        if RecordKey.hyphenated.contains(count), i == RecordKey.length(ofDigits: count) {
          guard byte == UInt8(ascii: "-") else { return nil }
          continue
        }
        guard count < RecordKey.digitCount, let digit = hexDigitValue(byte) else { return nil }
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
