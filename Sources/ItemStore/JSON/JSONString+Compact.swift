/// Values without the white space around their parts.
extension JSONString {
  /// Appends the value at a range, which a scanner has checked, on one line: no white space except in
  /// strings, numbers and the order of names as they are, escapes only if they must be or all kept. With
  /// `spaced`, a blank follows each colon and comma.
  package static func appendCompact(
    _ range: Range<Int>, of bytes: Bytes, keepingEscapes: Bool = false, spaced: Bool = false,
    to json: inout [UInt8]
  ) {
    var compactor = Compactor(keepsEscapes: keepingEscapes, isSpaced: spaced)
    compactor.append(range, of: bytes, to: &json)
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

/// Makes values compact in memory of its own, which many values share. It copies runs as long as can be:
/// with an append for each a list took a third longer.
package struct Compactor {
  private let keepsEscapes: Bool
  private let isSpaced: Bool
  private var memory: [UInt8] = []

  package init(keepsEscapes: Bool = false, isSpaced: Bool = false) {
    (self.keepsEscapes, self.isSpaced) = (keepsEscapes, isSpaced)
  }

  /// Appends the value at a range to `json`, as `JSONString.appendCompact` does.
  package mutating func append(_ range: Range<Int>, of bytes: Bytes, to json: inout [UInt8]) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    // Room for the longest result, blanks included, and what is written behind the last run.
    let room = (isSpaced ? 2 : 1) * range.count + 8
    if memory.count < room { memory = Array(repeating: 0, count: 2 * room) }
    let (keepsEscapes, isSpaced) = (keepsEscapes, isSpaced)
    let count = unsafe memory.withUnsafeMutableBufferPointer { memory in
      var writer = unsafe Writer(memory: memory.baseAddress!, room: memory.count)
      writer.write(range, of: bytes, keepsEscapes: keepsEscapes, isSpaced: isSpaced)
      return writer.count
    }
    json += memory[..<count]
  }
}

@safe private struct Writer {
  let memory: UnsafeMutablePointer<UInt8>
  let room: Int
  var count = 0

  @inline(__always)
  mutating func write(
    _ range: Range<Int>, of bytes: Bytes, keepsEscapes: Bool, isSpaced: Bool
  ) {
    var position = range.lowerBound
    var run = position
    while true {
      position = unsafe bytes.uncheckedNextPart(from: position, orSeparator: isSpaced)
      if position >= range.upperBound { return copy(run..<range.upperBound, of: bytes) }
      switch unsafe bytes.uncheckedByte(at: position) {
      case UInt8(ascii: "\""):
        if let end = unsafe bytes.uncheckedEndOfPlainString(at: position) {
          position = end
          continue
        }
        copy(run..<position, of: bytes)
        run = position
        position = Self.endOfString(at: position, in: bytes)
        if !keepsEscapes {
          append(JSONString.encode(JSONString.decode(run..<position, in: bytes)))
          run = position
        }
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        position &+= 1
        copy(run..<position, of: bytes)
        run = position
        append([UInt8(ascii: " ")])
      // White space.
      default:
        copy(run..<position, of: bytes)
        position &+= 1
        run = position
      }
    }
  }

  /// Behind a string that has escapes, or the end if it is none.
  @inline(never) private static func endOfString(at start: Int, in bytes: Bytes) -> Int {
    var scanner = JSONScanner(bytes, at: start)
    return (try? scanner.skipString()) == nil ? bytes.count : scanner.position
  }

  @inline(__always) private mutating func copy(_ run: Range<Int>, of bytes: Bytes) {
    // Up to seven bytes more are written.
    precondition(run.count <= room &- count &- 8)
    unsafe bytes.uncheckedCopy(run, to: memory + count)
    count &+= run.count
  }

  private mutating func append(_ text: [UInt8]) {
    precondition(text.count <= room &- count)
    for byte in text {
      unsafe memory[count] = byte
      count += 1
    }
  }
}

extension Bytes {
  /// The first quote, white space or end at `position` or after it; also a comma or a colon if it is to
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
