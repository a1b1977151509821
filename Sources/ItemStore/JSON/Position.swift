/// A place in a text as a person finds it: both numbers from 1, columns in characters.
package struct Position: Hashable, Sendable {
  package let line: Int
  package let column: Int

  /// The place after `offset` bytes. A byte-order mark is no character.
  package init(offset: Int, in bytes: Bytes) {
    var positions = Positions(in: bytes)
    self = positions.position(at: offset)
  }

  init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

/// Places in one text, found one after another: where the offsets ascend, each byte is looked at once.
package struct Positions {
  private let bytes: Bytes
  private var offset = 0
  private var line = 1
  private var column = 1

  package init(in bytes: Bytes) { self.bytes = bytes }

  package mutating func position(at offset: Int) -> Position {
    if offset < self.offset { self = Positions(in: bytes) }
    if self.offset == 0 && bytes.startsWithByteOrderMark { self.offset = min(3, offset) }
    while self.offset < min(offset, bytes.count) {
      let byte = bytes[self.offset]
      if byte == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        // A character begins at each byte that is not 10xxxxxx.
        column += 1
      }
      self.offset += 1
    }
    return Position(line: line, column: column)
  }
}

extension Bytes {
  package var hasCarriageReturn: Bool { (0..<count).contains { self[$0] == UInt8(ascii: "\r") } }

  package var startsWithByteOrderMark: Bool { word(at: 0) & 0xFF_FFFF == 0xBF_BBEF }
}
