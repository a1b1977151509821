/// The length and a 64-bit hash of some content: it tells one version of a file from another.
/// Not for use against an adversary, who may write to the file as well.
///
/// The hash is that of Rabin and Karp: the content, read as a number of base 256, modulo the largest
/// prime below 2^64. So the fingerprint of an edited file follows from those of the parts that stay,
/// and content that differs within seven bytes only never has the same.
struct Fingerprint: Equatable, Sendable {
  private(set) var count = 0
  private(set) var hash: UInt64 = 0

  init() {}

  init(count: Int, hash: UInt64) { (self.count, self.hash) = (count, hash) }

  init(_ bytes: Bytes) { append(bytes, 0..<bytes.count) }

  /// Makes it the fingerprint of what it was of, followed by these bytes.
  mutating func append(_ bytes: Bytes, _ range: Range<Int>) {
    count += range.count
    var position = range.lowerBound
    let word = { (position: Int) in bytes.word(at: position).byteSwapped }
    // Eight words at once, as the products of one round do not wait for each other.
    let powers: SIMD8<UInt64> = Residue.wordPowers
    while position &+ 64 <= range.upperBound {
      var (high, low) = hash.multipliedFullWidth(by: powers[0] &* Residue.word)
      for i in 0..<8 {
        let product = word(position &+ 8 &* i).multipliedFullWidth(by: powers[i])
        let (sum, carry) = low.addingReportingOverflow(product.low)
        low = sum
        high &+= product.high &+ (carry ? 1 : 0)
      }
      hash = Residue.of(high, low)
      position &+= 64
    }
    while position &+ 8 <= range.upperBound {
      hash = Residue.of(hash, word(position))
      position &+= 8
    }
    let rest = range.upperBound &- position
    if rest > 0 {
      let digits = word(position) &>> UInt64(64 &- 8 &* rest)
      hash = Residue.of(hash &>> UInt64(64 &- 8 &* rest), hash &<< UInt64(8 &* rest) | digits)
    }
    hash = Residue.canonical(hash)
  }

  /// Makes it the fingerprint of what it was of, followed by what `other` is of.
  mutating func append(_ other: Fingerprint) {
    count += other.count
    hash = Residue.sum(Residue.product(hash, Residue.byteShift(other.count)), other.hash)
  }

  /// What follows `beginning` in the content that this is of.
  func dropping(_ beginning: Fingerprint) -> Fingerprint {
    let rest = count - beginning.count
    let shifted = Residue.product(beginning.hash, Residue.byteShift(rest))
    return Fingerprint(count: rest, hash: Residue.sum(hash, Residue.modulus - shifted))
  }
}

/// Numbers modulo 2^64 - 59.
private enum Residue {
  static let modulus: UInt64 = 0 &- word
  /// What 2^64 leaves.
  static let word: UInt64 = 59
  /// 59^7 … 59^0: what 2^64 to these powers leaves.
  static let wordPowers: SIMD8<UInt64> = {
    var powers = SIMD8<UInt64>(repeating: 1)
    for i in (0..<7).reversed() { powers[i] = powers[i + 1] * word }
    return powers
  }()

  /// A number that leaves as much as high · 2^64 + low.
  @inline(__always) static func of(_ high: UInt64, _ low: UInt64) -> UInt64 {
    let more = high.multipliedFullWidth(by: word)
    let (first, carry) = low.addingReportingOverflow(more.low)
    let (sum, overflow) = first.addingReportingOverflow((more.high &+ (carry ? 1 : 0)) &* word)
    return overflow ? sum &+ word : sum
  }

  static func canonical(_ a: UInt64) -> UInt64 { a < modulus ? a : a &- modulus }

  static func product(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (high, low) = a.multipliedFullWidth(by: b)
    return canonical(of(high, low))
  }

  static func sum(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return canonical(overflow ? sum &+ word : sum)
  }

  /// 256 to the power of `count`.
  static func byteShift(_ count: Int) -> UInt64 {
    var (result, square, rest): (UInt64, UInt64, Int) = (1, 256, count)
    while rest > 0 {
      if rest & 1 == 1 { result = product(result, square) }
      square = product(square, square)
      rest >>= 1
    }
    return result
  }
}

/// The fingerprints of some content and of what edits make of it, for one pass over the content.
struct Fingerprints: Sendable {
  let whole: Fingerprint
  private let bytes: Bytes
  /// Of the first bytes, `step` more each.
  private let beginnings: [Fingerprint]
  private static let step = 1 << 16

  init(of bytes: Bytes) {
    self.bytes = bytes
    var beginning = Fingerprint()
    var beginnings: [Fingerprint] = []
    for start in stride(from: 0, to: bytes.count, by: Self.step) {
      beginnings.append(beginning)
      beginning.append(bytes, start..<min(start + Self.step, bytes.count))
    }
    self.beginnings = beginnings
    whole = beginning
  }

  /// Of the edited content.
  func edited(_ splices: [Splice]) -> Fingerprint {
    var result = Fingerprint()
    splices.forEachPiece(ofFileWith: bytes.count) { kept in
      if kept.count < 2 * Self.step {
        result.append(bytes, kept)
      } else {
        result.append(beginning(kept.upperBound).dropping(beginning(kept.lowerBound)))
      }
    } _: { new in
      // In parts, as a large piece of memory has its price.
      for start in stride(from: 0, to: new.count, by: Self.step) {
        let part = new[start..<min(start + Self.step, new.count)]
        result.append(Bytes(joining: [part]), 0..<part.count)
      }
    }
    return result
  }

  private func beginning(_ count: Int) -> Fingerprint {
    if count == bytes.count { return whole }
    var result = beginnings[count / Self.step]
    result.append(bytes, result.count..<count)
    return result
  }
}
