/// The exact value of a JSON number of any length and spelling: `0.d₁d₂d₃… × 10^exponent`.
///
///     -120.50  ->  negative, digits 1 2 0 5, exponent 3
///     2.0, 2, 20e-1  ->  digits 2, exponent 1
package struct JSONNumber: Equatable, Comparable {
  private let isNegative: Bool
  /// Without zeros at either end; empty for zero.
  private let digits: [UInt8]
  /// Beyond all counts of digits if it is huge.
  private let exponent: Int
  private let hugeExponent: JSONExponent?

  /// The number at `range`, which a scanner has checked.
  package init(_ range: Range<Int>, in bytes: Bytes) {
    var digits: [UInt8] = []
    var exponent = 0
    var spelled: JSONExponent?
    var isBehindPoint = false
    var position = range.lowerBound
    scan: while position < range.upperBound {
      switch bytes[position] {
      case UInt8(ascii: "."): isBehindPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        spelled = Self.exponent(position + 1..<range.upperBound, in: bytes, plus: exponent)
        break scan
      case let byte where isDigit(byte):
        if !digits.isEmpty || byte != UInt8(ascii: "0") {
          digits.append(byte - UInt8(ascii: "0"))
          if !isBehindPoint { exponent += 1 }
        } else if isBehindPoint {
          exponent -= 1
        }
      default: break
      }
      position += 1
    }
    while digits.last == 0 { digits.removeLast() }
    self.digits = digits
    if digits.isEmpty {
      (self.exponent, hugeExponent) = (0, nil)
    } else if let spelled, spelled.small == nil {
      (self.exponent, hugeExponent) = (spelled.isNegative ? .min : .max, spelled)
    } else {
      (self.exponent, hugeExponent) = (spelled?.small ?? exponent, nil)
    }
    isNegative = !digits.isEmpty && bytes[range.lowerBound] == UInt8(ascii: "-")
  }

  /// The number that all of `text` spells, or nil.
  package init?(_ text: String) {
    let bytes = Bytes(Array(text.utf8))
    var scanner = JSONScanner(bytes)
    guard (try? scanner.skipNumber()) != nil, scanner.isAtEnd else { return nil }
    self.init(0..<bytes.count, in: bytes)
  }

  /// The value of the number at `range`, where it is whole and fits 64 bits.
  package static func integer(_ range: Range<Int>, in bytes: Bytes) -> Int? {
    var scanner = JSONScanner(bytes, at: range.lowerBound)
    return scanner.skipPlainInteger() ?? JSONNumber(range, in: bytes).integer
  }

  package var isWhole: Bool { digits.count <= exponent || digits.isEmpty }

  /// The value, where it is whole and fits 64 bits.
  package var integer: Int? {
    guard isWhole, exponent <= 19 else { return nil }
    var value = 0
    for i in 0..<exponent {
      // Downwards, as the least number has no positive counterpart.
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = tens.subtractingReportingOverflow(
        i < digits.count ? Int(digits[i]) : 0)
      if overflow || overflow2 { return nil }
      value = sum
    }
    return isNegative ? value : value == .min ? nil : -value
  }

  package static func < (a: JSONNumber, b: JSONNumber) -> Bool {
    if a.isNegative != b.isNegative { return a.isNegative }
    return a.isNegative ? b.hasSmallerMagnitude(than: a) : a.hasSmallerMagnitude(than: b)
  }

  private func hasSmallerMagnitude(than other: JSONNumber) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    if let hugeExponent, let otherExponent = other.hugeExponent, hugeExponent != otherExponent {
      return hugeExponent < otherExponent
    }
    return digits.lexicographicallyPrecedes(other.digits)
  }

  /// The exponent that `range` spells, and a number of digits.
  private static func exponent(
    _ range: Range<Int>, in bytes: Bytes, plus count: Int
  ) -> JSONExponent {
    let digits = range.lazy.map { bytes[$0] }.filter(isDigit).map { $0 - UInt8(ascii: "0") }
    return JSONExponent(
      Array(digits.drop { $0 == 0 }), isNegative: bytes[range.lowerBound] == UInt8(ascii: "-"),
      plus: count)
  }
}
