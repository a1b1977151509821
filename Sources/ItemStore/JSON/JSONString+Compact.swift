/// Values without the white space around their parts.
extension JSONString {
  /// Appends the value at the start of a range on one line: no white space except in strings, numbers
  /// and the order of names as they are, escapes only if they must be or all kept. With `spaced`, a
  /// blank follows each colon and comma.
  ///
  /// - Parameter range: begins with a value that a scanner has checked; after it may follow anything if
  ///   the value is an array or an object, else nothing.
  package static func appendCompact(
    _ range: Range<Int>, of bytes: Bytes, keepingEscapes: Bool = false, spaced: Bool = false,
    to json: inout [UInt8]
  ) {
    let start = json.count
    // Room for the longest result, blanks included.
    for _ in 0..<(spaced ? 2 : 1) { bytes.appendWithRoom(range, to: &json) }
    let count = unsafe json.withUnsafeMutableBufferPointer { memory in
      var compactor = unsafe Compactor(
        bytes: bytes, memory: memory.baseAddress! + start, room: memory.count - start,
        keepsEscapes: keepingEscapes, isSpaced: spaced)
      compactor.take(range)
      return compactor.count
    }
    json.removeLast(json.count - start - count)
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

/// Copies a value in runs as long as can be, straight into memory: with an append for each run a list
/// took a third longer.
@safe private struct Compactor {
  let bytes: Bytes
  let memory: UnsafeMutablePointer<UInt8>
  let room: Int
  let keepsEscapes: Bool
  let isSpaced: Bool
  var count = 0

  mutating func take(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    var position = range.lowerBound
    var run = position
    var depth = 0
    while position < range.upperBound {
      switch unsafe bytes.uncheckedByte(at: position) {
      case UInt8(ascii: "\""):
        if let end = unsafe bytes.uncheckedEndOfPlainString(at: position) {
          position = end
        } else {
          copy(run..<position)
          run = position
          position = takeEscapedString(position)
          if !keepsEscapes { run = position }
        }
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        copy(run..<position)
        position &+= 1
        run = position
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth &-= 1
        if depth == 0 { return copy(run..<position &+ 1) }
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if isSpaced {
          copy(run..<position &+ 1)
          run = position &+ 1
          append([UInt8(ascii: " ")])
        }
      // A digit or a letter, of a number or a literal.
      default: break
      }
      position &+= 1
    }
    copy(run..<min(position, range.upperBound))
  }

  /// Appends a string that has escapes with those that must be, unless it is to be kept as it is.
  ///
  /// - Returns: the position behind it.
  @inline(never) private mutating func takeEscapedString(_ start: Int) -> Int {
    var scanner = JSONScanner(bytes, at: start)
    guard (try? scanner.skipString()) != nil else { return bytes.count }
    if !keepsEscapes {
      append(JSONString.encode(JSONString.decode(start..<scanner.position, in: bytes)))
    }
    return scanner.position
  }

  @inline(__always) private mutating func copy(_ run: Range<Int>) {
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
