/// The length and a 64-bit hash of some content: it tells one version of a file from another.
/// Not for use against an adversary, who may write to the file as well.
struct Fingerprint: Equatable, Sendable {
  let count: Int
  let hash: UInt64
}

/// Makes a fingerprint of content that comes in pieces: a product of 128 bits, folded, for each 16
/// bytes, in two independent lanes that keep the processor's multiplier busy.
struct FingerprintHasher {
  private var lanes: (UInt64, UInt64) = (factor, ~factor)
  private var count = 0
  private var pending: [UInt8] = []
  private static let block = 32
  private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func combine(_ bytes: Bytes, _ range: Range<Int>) {
    count += range.count
    var position = range.lowerBound
    if !pending.isEmpty {
      let end = min(range.upperBound, position + Self.block - pending.count)
      pending += bytes[position..<end]
      position = end
      flush()
    }
    while position + Self.block <= range.upperBound {
      mixBlock(of: bytes, at: position)
      position += Self.block
    }
    pending += bytes[position..<range.upperBound]
  }

  mutating func combine(_ bytes: [UInt8]) {
    combine(Bytes(bytes), 0..<bytes.count)
  }

  func finalize() -> Fingerprint {
    var copy = self
    copy.pending += Array(repeating: 0, count: Self.block - pending.count)
    copy.flush()
    let hash = Self.product(copy.lanes.0 ^ UInt64(count), copy.lanes.1 ^ Self.factor)
    return Fingerprint(count: count, hash: hash)
  }

  /// Mixes in a block that has become full.
  private mutating func flush() {
    guard pending.count == Self.block else { return }
    mixBlock(of: Bytes(pending), at: 0)
    pending.removeAll(keepingCapacity: true)
  }

  @inline(__always) private mutating func mixBlock(of bytes: Bytes, at position: Int) {
    lanes.0 = Self.product(
      bytes.word(at: position) ^ lanes.0, bytes.word(at: position + 8) ^ Self.factor)
    lanes.1 = Self.product(
      bytes.word(at: position + 16) ^ lanes.1, bytes.word(at: position + 24) ^ Self.factor)
  }

  @inline(__always) private static func product(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (high, low) = a.multipliedFullWidth(by: b)
    return high ^ low
  }
}

extension Fingerprint {
  init(_ bytes: Bytes) { self.init(bytes, edited: []) }

  /// The fingerprint that `bytes` have after an edit.
  init(_ bytes: Bytes, edited splices: [Splice]) {
    var hasher = FingerprintHasher()
    splices.forEachPiece(ofFileWith: bytes.count) {
      hasher.combine(bytes, $0)
    } _: {
      hasher.combine($0)
    }
    self = hasher.finalize()
  }
}
