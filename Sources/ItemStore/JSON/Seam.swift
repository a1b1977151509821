/// Bytes of a text that are expected again, mostly what lies between two values: `, "title": `.
///
/// The first 24 are kept in words, so that to compare them takes one load each.
package struct Seam {
  let range: Range<Int>
  private var first = UInt64.max
  private var second = UInt64.max
  private var last = UInt64.max
  /// By how many bits to shift the first word to lose what is not of the seam.
  private var surplus: UInt64 = 0

  private static let most = 24

  /// Has to be loaded before it is compared: until then no text is equal to it.
  init(_ range: Range<Int> = 0..<0) { self.range = range }

  /// Loads the words of a range that is not empty and has no zeros, as anything that a scanner has taken.
  mutating func load(from bytes: Bytes) {
    let (start, count) = (range.lowerBound, range.count)
    precondition(start >= 0 && count > 0 && range.upperBound <= bytes.count)
    first = unsafe bytes.uncheckedWord(at: start)
    surplus = UInt64(max(0, 64 - 8 * count))
    let others = count < 8 ? UInt64.max &<< UInt64(8 * count) : 0
    precondition(!(first | others).hasZeroByte)
    if count > 8 {
      last = unsafe bytes.uncheckedWord(at: range.upperBound - 8)
      precondition(!last.hasZeroByte)
    }
    if count > 16 {
      second = unsafe bytes.uncheckedWord(at: start + 8)
      precondition(!second.hasZeroByte)
    }
  }

  /// Whether the same bytes are at `position`, from which a word can be loaded. Where one is equal there
  /// are no zeros, so the next begins at the end at most.
  @inline(__always) @unsafe func uncheckedIsEqual(at position: Int, in bytes: Bytes) -> Bool {
    let count = range.upperBound &- range.lowerBound
    guard unsafe (bytes.uncheckedWord(at: position) ^ first) &<< surplus == 0 else { return false }
    if count <= 8 { return true }
    if count > 16 {
      guard unsafe bytes.uncheckedWord(at: position &+ 8) == second else { return false }
    }
    if count > Self.most { return bytes.isEqual(range, at: position) }
    return unsafe bytes.uncheckedWord(at: position &+ count &- 8) == last
  }
}

extension UInt64 {
  fileprivate var hasZeroByte: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    return (self &- ones) & ~self & (ones &* 0x80) != 0
  }
}
