/// The exponent of a number if it has 18 digits or more: a whole number of any size.
///
///     e-100000000000000000007   [base - 7, -1000 - 1]      base = 10^17
struct JSONExponent: Equatable, Comparable {
  /// In base 10^17, the lowest first. All but the last are from 0 to the base, and there are as few as
  /// can be.
  private var limbs: [Int] = []

  private static let digitCount = 17
  private static let base = 100_000_000_000_000_000

  /// The exponent that digits spell and a number far below the base.
  init(_ digits: [UInt8], isNegative: Bool, plus difference: Int) {
    var end = digits.count
    repeat {
      let start = max(0, end - Self.digitCount)
      let limb = digits[start..<end].reduce(0) { $0 * 10 + Int($1) }
      limbs.append(isNegative ? -limb : limb)
      end = start
    } while end > 0
    limbs[0] += difference
    normalize()
  }

  /// The value, if it has 17 digits or less.
  var small: Int? { limbs.count == 1 ? limbs[0] : nil }

  var isNegative: Bool { limbs[limbs.count - 1] < 0 }

  static func < (a: JSONExponent, b: JSONExponent) -> Bool {
    if a.isNegative != b.isNegative { return a.isNegative }
    if a.limbs.count != b.limbs.count { return (a.limbs.count < b.limbs.count) != a.isNegative }
    return a.limbs.reversed().lexicographicallyPrecedes(b.limbs.reversed())
  }

  private mutating func normalize() {
    for i in limbs.indices.dropLast() {
      let carry = limbs[i] / Self.base - (limbs[i] % Self.base < 0 ? 1 : 0)
      limbs[i] -= carry * Self.base
      limbs[i + 1] += carry
    }
    if abs(limbs[limbs.count - 1]) >= Self.base {
      limbs.append(0)
      return normalize()
    }
    while limbs.count > 1, let last = limbs.last,
      last == 0 || last == -1 && limbs[limbs.count - 2] > 0
    {
      // A last limb of -1 makes the one before it negative.
      limbs.removeLast()
      if last == -1 { limbs[limbs.count - 1] -= Self.base }
    }
  }
}
