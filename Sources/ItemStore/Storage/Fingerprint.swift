/// The length and a 64-bit hash of some content: it tells one version of a file from another.
/// Not for use against an adversary, who may write to the file as well.
///
/// The hash is the content, read as a number of base 256, modulo the largest prime below 2^64. So it does
/// not matter in which pieces the content comes, and content that differs within seven bytes only never
/// has the same hash.
struct Fingerprint: Equatable, Sendable {
  private(set) var count = 0
  private(set) var hash: UInt64 = 0

  init() {}

  init(count: Int, hash: UInt64) { (self.count, self.hash) = (count, hash) }

  init(_ bytes: Bytes) { append(bytes, 0..<bytes.count) }

  init(_ bytes: [UInt8]) { self.init(Bytes(bytes)) }

  /// The fingerprint of the content that an edit makes of `bytes`.
  init(_ bytes: Bytes, after splices: [Splice]) {
    var result = Fingerprint()
    splices.forEachPiece(ofFileWith: bytes.count) { kept in
      result.append(bytes, kept)
    } _: { new in
      result.append(Bytes(new), 0..<new.count)
    }
    self = result
  }

  /// Extends the fingerprint by these bytes.
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
}

/// Numbers modulo 2^64 - 59.
private enum Residue {
  /// The residue of 2^64.
  static let word: UInt64 = 59
  /// 59^7 … 59^0: the residues of the powers of 2^64.
  static let wordPowers: SIMD8<UInt64> = {
    var powers = SIMD8<UInt64>(repeating: 1)
    for i in (0..<7).reversed() { powers[i] = powers[i + 1] * word }
    return powers
  }()

  /// A number with the same residue as high · 2^64 + low.
  @inline(__always) static func of(_ high: UInt64, _ low: UInt64) -> UInt64 {
    let more = high.multipliedFullWidth(by: word)
    let (first, carry) = low.addingReportingOverflow(more.low)
    let (sum, overflow) = first.addingReportingOverflow((more.high &+ (carry ? 1 : 0)) &* word)
    return overflow ? sum &+ word : sum
  }

  static func canonical(_ a: UInt64) -> UInt64 { a < 0 &- word ? a : a &+ word }
}
