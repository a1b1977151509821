import ItemStore

/// The ranges of the lines that are not blank, without their ends: LF, or CR and LF.
struct InputLines: IteratorProtocol, Sequence {
  private let bytes: Bytes
  private var position: Int
  /// Whether tabs separate cells, so that a line of tabs is not blank.
  private let hasCells: Bool

  init(of bytes: Bytes, from start: Int, hasCells: Bool = false) {
    (self.bytes, position, self.hasCells) = (bytes, start, hasCells)
  }

  mutating func next() -> Range<Int>? {
    while position < bytes.count {
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"), in: position..<bytes.count)
      let hasReturn = end > position && bytes[end - 1] == UInt8(ascii: "\r")
      let line = position..<(hasReturn ? end - 1 : end)
      position = end + 1
      if !isBlank(line) { return line }
    }
    return nil
  }

  private func isBlank(_ line: Range<Int>) -> Bool {
    for place in line {
      switch bytes[place] {
      case UInt8(ascii: "\t") where hasCells: return false
      case 0x20, 0x09...0x0D: continue
      case 0x80...: return bytes.text(place..<line.upperBound).isBlank
      default: return false
      }
    }
    return true
  }
}
