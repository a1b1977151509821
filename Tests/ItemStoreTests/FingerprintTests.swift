import TestSupport
import Testing

@testable import ItemStore

@Suite struct FingerprintTests {
  /// The content as a number of base 256, by long division.
  private static func remainder(_ bytes: [UInt8]) -> UInt64 {
    let modulus = UInt64.max - 58
    return bytes.reduce(0) { remainder, byte in
      let (high, low) = remainder.multipliedFullWidth(by: 256)
      return modulus.dividingFullWidth((high, low | UInt64(byte))).remainder
    }
  }

  @Test func `the hash is the remainder of the content`() {
    Fuzz.run(300) { random in
      let most = random.pick([8, 70, 700])
      // Bytes of one kind make the greatest numbers, and those just above the modulus.
      let kinds: [ClosedRange<Int>] = [0...255, 255...255, 0...0, 196...199, 255...255]
      let kind = random.pick(kinds)
      let bytes = (0..<random.int(0...most)).map { _ in
        UInt8(random.int(random.once(in: 20) ? 0...255 : kind))
      }
      let fingerprint = Fingerprint(Bytes(bytes))
      try check(fingerprint.count == bytes.count, bytes.shown)
      try check(fingerprint.hash == Self.remainder(bytes), "\(fingerprint) of \(bytes)")
    }
  }

  @Test func `content as great as the modulus leaves nothing`() {
    let modulus: [UInt8] = Array(repeating: 0xFF, count: 7) + [0xC5]
    #expect(Fingerprint(Bytes(modulus)) == Fingerprint(count: 8, hash: 0))
    #expect(Fingerprint(Bytes([0] + modulus)) == Fingerprint(count: 9, hash: 0))
    let next = Array(modulus.dropLast()) + [0xC6]
    #expect(Fingerprint(Bytes(next)) == Fingerprint(count: 8, hash: 1))
  }

  @Test func `an edit's fingerprint is that of the edited bytes`() {
    Fuzz.run(20) { random in
      let count = random.int(0...random.pick([40, 5_000, 400_000]))
      var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }
      for _ in 0..<min(count, 50) { bytes[random.int(0...count - 1)] = UInt8(random.int(0...255)) }
      for _ in 0..<8 {
        var splices: [Splice] = []
        var start = 0
        for _ in 0..<random.int(0...4) where start <= count {
          let from = start + random.int(0...count - start)
          let end = min(count, from + random.int(0...random.pick([0, 3, 100_000])))
          splices.append(Splice(from..<end, (0..<random.int(0...90)).map { UInt8($0) }))
          start = end + 1
        }
        let edited = splices.applied(to: Bytes(bytes))
        try check(
          Fingerprint(Bytes(bytes), after: splices) == Fingerprint(Bytes(edited)),
          "\(splices.map(\.range)) of \(count)")
      }
    }
  }
}
