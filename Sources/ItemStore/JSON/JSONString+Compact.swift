/// Values without the white space around their parts.
extension JSONString {
  /// Appends the value at a range, which a scanner has checked, on one line: no white space except in
  /// strings, numbers and the order of names as they are, escapes only if they must be or all kept. With
  /// `spaced`, a blank follows each colon and comma.
  package static func appendCompact(
    _ range: Range<Int>, of bytes: Bytes, keepingEscapes: Bool = false, spaced: Bool = false,
    to json: inout [UInt8]
  ) {
    // Blanks make it twice as long at most; nothing else makes it longer.
    var memory = [UInt8](
      repeating: 0, count: (spaced ? 2 : 1) * range.count + ByteWriter.slack)
    let count = ByteWriter.fill(&memory) {
      $0.appendCompact(range, of: bytes, keepingEscapes: keepingEscapes, spaced: spaced)
    }
    json += memory[..<count]
  }

  /// Appends the value that begins at `start` likewise.
  package static func appendCompact(
    valueAt start: Int, in bytes: Bytes, keepingEscapes: Bool = false, spaced: Bool = false,
    to json: inout [UInt8]
  ) {
    var scanner = JSONScanner(bytes, at: start)
    guard (try? scanner.skipValue()) != nil else { return }
    appendCompact(
      start..<scanner.position, of: bytes, keepingEscapes: keepingEscapes, spaced: spaced, to: &json
    )
  }
}

extension ByteWriter {
  /// Appends a value as `JSONString.appendCompact` does.
  @inline(__always)
  mutating func appendCompact(
    _ range: Range<Int>, of bytes: Bytes, keepingEscapes: Bool = false, spaced: Bool = false
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    var position = range.lowerBound
    var run = position
    while true {
      position = unsafe bytes.uncheckedNextPart(from: position, orSeparator: spaced)
      if position >= range.upperBound { return append(run..<range.upperBound, of: bytes) }
      switch unsafe bytes.uncheckedByte(at: position) {
      case UInt8(ascii: "\""):
        if let end = unsafe bytes.uncheckedEndOfPlainString(at: position) {
          position = end
          continue
        }
        append(run..<position, of: bytes)
        run = position
        position = bytes.endOfString(at: position)
        if !keepingEscapes {
          append(JSONString.encode(JSONString.decode(run..<position, in: bytes)))
          run = position
        }
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        position &+= 1
        append(run..<position, of: bytes)
        run = position
        append(UInt8(ascii: " "))
      // White space.
      default:
        append(run..<position, of: bytes)
        position &+= 1
        run = position
      }
    }
  }
}

extension Bytes {
  /// Behind a string that has escapes, or the end of the bytes if it is none.
  @inline(never) fileprivate func endOfString(at start: Int) -> Int {
    var scanner = JSONScanner(self, at: start)
    return (try? scanner.skipString()) == nil ? count : scanner.position
  }

  /// The first quote, white space or end at `position` or after it; also a comma or a colon, if it is to
  /// be a separator.
  @inline(__always) @unsafe
  fileprivate func uncheckedNextPart(from position: Int, orSeparator: Bool) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var next = position
    while true {
      let word = unsafe uncheckedWord(at: next)
      let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      var found = ((quotes &- ones) | (word &- ones &* 0x21)) & ~word
      if orSeparator {
        let commas = word ^ (ones &* UInt64(UInt8(ascii: ",")))
        let colons = word ^ (ones &* UInt64(UInt8(ascii: ":")))
        found |= ((commas &- ones) | (colons &- ones)) & ~word
      }
      found &= ones &* 0x80
      if found != 0 { return next &+ found.trailingZeroBitCount >> 3 }
      next &+= 8
    }
  }
}
