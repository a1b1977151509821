/// Whether text is UTF-8: RFC 3629, section 4.
extension Bytes {
  /// The first byte in a range of a character that is none, or that the range cuts off.
  package func firstInvalidUTF8(in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    // The blocks go past the end, where something else may be wrong.
    if unsafe uncheckedIsUTF8(range) { return nil }
    var position = range.lowerBound
    while position < range.upperBound {
      guard let length = lengthOfCharacter(at: position), position + length <= range.upperBound
      else { return position }
      position += length
    }
    return nil
  }

  /// How many bytes the character at `position` has; nil if it is none.
  func lengthOfCharacter(at position: Int) -> Int? {
    let (first, second) = (self[position], self[position + 1])
    let length: Int
    switch first {
    case ..<0x80: return 1
    case 0xC2...0xDF where 0x80...0xBF ~= second: length = 2
    case 0xE0 where 0xA0...0xBF ~= second: length = 3
    case 0xE1...0xEC where 0x80...0xBF ~= second: length = 3
    case 0xED where 0x80...0x9F ~= second: length = 3
    case 0xEE...0xEF where 0x80...0xBF ~= second: length = 3
    case 0xF0 where 0x90...0xBF ~= second: length = 4
    case 0xF1...0xF3 where 0x80...0xBF ~= second: length = 4
    case 0xF4 where 0x80...0x8F ~= second: length = 4
    default: return nil
    }
    // A range of none if the length is 2. The zeros after the end are no continuation.
    for i in 2..<max(2, length) where self[position + i] & 0xC0 != 0x80 { return nil }
    return length
  }

  /// Checks 16 bytes at a time without a branch, each together with the three before it: so the text of
  /// every script takes the same time. A byte must continue a character if and only if one of the three
  /// before it begins one that is long enough; and four first bytes limit the second.
  @inline(never) @unsafe private func uncheckedIsUTF8(_ range: Range<Int>) -> Bool {
    let load = { (position: Int) in
      unsafe UnsafeRawPointer(base + position).loadUnaligned(as: Block.self)
    }
    var wrong = Block.Mask(repeating: false)
    var position = range.lowerBound
    // The byte after the range belongs to it: a character that is cut off shows there.
    while position <= range.upperBound {
      let byte = load(position)
      let (one, two, three) = (load(position &- 1), load(position &- 2), load(position &- 3))
      let must =
        one.has(0xC0, of: 0xC0) .| two.has(0xE0, of: 0xE0) .| three.has(0xF0, of: 0xF0)
      wrong .|= (byte.has(0x80, of: 0xC0) .^ must)
      wrong .|= byte.has(0xC0, of: 0xFE) .| (byte .> Block(repeating: 0xF4))
      let isBelowA0 = byte.has(0, of: 0x20)
      wrong .|= (one.has(0xE0) .& isBelowA0) .| (one.has(0xED) .& .!isBelowA0)
      let isBelow90 = byte.has(0, of: 0x30)
      wrong .|= (one.has(0xF0) .& isBelow90) .| (one.has(0xF4) .& .!isBelow90)
      position &+= 16
    }
    let words = unsafe unsafeBitCast(wrong, to: SIMD2<UInt64>.self)
    return words.x | words.y == 0
  }

  fileprivate typealias Block = SIMD16<UInt8>
}

extension Bytes.Block {
  fileprivate typealias Mask = SIMDMask<SIMD16<Int8>>

  /// Which bytes have these bits of `mask`. Only operators with vectors on both sides are fast.
  @inline(__always) fileprivate func has(_ bits: UInt8, of mask: UInt8 = 0xFF) -> Mask {
    (self & Self(repeating: mask)) .== Self(repeating: bits)
  }
}
