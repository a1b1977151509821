/// Bytes of a text that are expected again, mostly what lies between two values: `, "title": `.
///
/// The first 24 are kept in words, so that to compare them takes one load each.
package struct Seam {
  let range: Range<Int>
  private var count = Int.max
  private var first = UInt64.max
  private var second = UInt64.max
  private var last = UInt64.max
  /// What of the first word is of the seam.
  private var mask = UInt64.max

  /// Has to be loaded before it is compared: until then no text is equal to it.
  init(_ range: Range<Int> = 0..<0) { self.range = range }

  /// Loads the words of a range that is not empty and has no zeros, as anything that a scanner has taken.
  mutating func load(from bytes: Bytes) {
    let start = range.lowerBound
    count = range.count
    precondition(start >= 0 && count > 0 && range.upperBound <= bytes.count)
    mask = count < 8 ? ~(UInt64.max &<< UInt64(8 * count)) : .max
    let word = unsafe bytes.uncheckedWord(at: start)
    precondition(!(word | ~mask).hasZeroByte)
    first = word & mask
    if count > 8 {
      last = unsafe bytes.uncheckedWord(at: range.upperBound - 8)
      precondition(!last.hasZeroByte)
    }
    if count > 16 {
      second = unsafe bytes.uncheckedWord(at: start + 8)
      precondition(!second.hasZeroByte)
    }
  }

  /// Behind the same bytes at `position`, from which a word can be loaded; nil if there are others. Where
  /// one is equal there are no zeros, so the next begins at the end at most.
  @inline(__always) @unsafe func uncheckedEnd(at position: Int, in bytes: Bytes) -> Int? {
    guard unsafe bytes.uncheckedWord(at: position) & mask == first else { return nil }
    if count > 8 {
      if count > 16 {
        guard unsafe bytes.uncheckedWord(at: position &+ 8) == second else { return nil }
        if count > 24 { return bytes.isEqual(range, at: position) ? position &+ count : nil }
      }
      guard unsafe bytes.uncheckedWord(at: position &+ count &- 8) == last else { return nil }
    }
    return position &+ count
  }
}

extension UInt64 {
  fileprivate var hasZeroByte: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    return (self &- ones) & ~self & (ones &* 0x80) != 0
  }
}
