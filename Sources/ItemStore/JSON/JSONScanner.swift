/// A cursor over the bytes of a JSON text. It checks RFC 8259 and UTF-8 to the letter, reports where
/// values lie and builds nothing.
///
/// With the position at `v`, `skipValue` moves it behind the value:
///
///     {"id": 1, "tags": [2, 3]}
///            v                     before
///             v                    after
///
/// Every method leaves the position behind what it took; after an error the scanner is spent.
///
/// A position is checked where it enters. From there it moves over bytes that are not zero, and over
/// the end by two at most, so that what is loaded at it lies in the memory of the bytes.
package struct JSONScanner {
  package let bytes: Bytes
  /// The position, which only this file may move without a check.
  private var offset: Int
  private var depth: Int

  /// How deep arrays and objects may be nested.
  package static let depthLimit = 1024

  /// - Parameter depth: how many arrays and objects are around the position.
  package init(_ bytes: Bytes, at position: Int = 0, depth: Int = 0) {
    precondition(0...bytes.count ~= position)
    self.bytes = bytes
    self.offset = position
    self.depth = depth
  }

  /// Bytes before what is next.
  @inline(__always) package var position: Int {
    get { offset }
    set {
      precondition(UInt(bitPattern: newValue) <= UInt(bitPattern: bytes.count))
      offset = newValue
    }
  }

  package var isAtEnd: Bool { offset >= bytes.count }

  /// The byte at the position; zero at the end.
  @inline(__always) package var current: UInt8 { unsafe bytes.uncheckedByte(at: offset) }

  @inline(__always) package mutating func skipWhitespace() {
    while true {
      switch current {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        offset &+= 1
      default: return
      }
    }
  }

  /// Takes the bytes of a seam; if others are next, takes nothing.
  @inline(__always) package mutating func skips(_ seam: Seam) -> Bool {
    guard let end = unsafe seam.uncheckedEnd(at: offset, in: bytes) else { return false }
    offset = end
    return true
  }

  package mutating func skipByteOrderMark() {
    if offset == 0 && bytes.startsWithByteOrderMark { offset = 3 }
  }

  package mutating func skipValue() throws(Fault) {
    switch current {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipContainer()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
    case UInt8(ascii: "t"): try skipLiteral("true")
    case UInt8(ascii: "f"): try skipLiteral("false")
    case UInt8(ascii: "n"): try skipLiteral("null")
    default: throw unexpected(expected: "a value")
    }
  }

  /// Takes an object; `member` gets the range of each name, quotes included, and takes its value.
  @inline(__always)
  package mutating func skipObject(
    _ member: (inout JSONScanner, Range<Int>) throws(Fault) -> Void
  ) throws(Fault) {
    try enter(UInt8(ascii: "{"))
    if current != UInt8(ascii: "}") {
      repeat {
        let name = try skipName()
        try member(&self, name)
      } while try takesComma(orEnd: UInt8(ascii: "}"))
    }
    leave()
  }

  /// Takes the name of a member and what follows up to its value.
  @inline(__always) private mutating func skipName() throws(Fault) -> Range<Int> {
    guard current == UInt8(ascii: "\"") else {
      throw unexpected(expected: "a name in double quotes")
    }
    let start = offset
    try skipString()
    let name = start..<offset
    skipWhitespace()
    guard current == UInt8(ascii: ":") else { throw unexpected(expected: "':' after a name") }
    offset &+= 1
    skipWhitespace()
    return name
  }

  /// Takes an array; `element` takes each element.
  @inline(__always)
  package mutating func skipArray(
    _ element: (inout JSONScanner) throws(Fault) -> Void
  ) throws(Fault) {
    try enter(UInt8(ascii: "["))
    if current != UInt8(ascii: "]") {
      repeat { try element(&self) } while try takesComma(orEnd: UInt8(ascii: "]"))
    }
    leave()
  }

  /// Takes an array or an object with all in it, up to 64 levels before it calls itself: to call itself
  /// for each level would take half a megabyte of the stack.
  private mutating func skipContainer() throws(Fault) {
    // One bit for each level around the position, the innermost the lowest: whether it is an object.
    var (levels, areObjects) = (0, UInt64(0))
    repeat {
      if levels < UInt64.bitWidth, current == UInt8(ascii: "{") || current == UInt8(ascii: "[") {
        let isObject = current == UInt8(ascii: "{")
        try enter(current)
        (levels, areObjects) = (levels + 1, areObjects << 1 | (isObject ? 1 : 0))
        if current != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { _ = try skipName() }
          continue
        }
        leave()
        (levels, areObjects) = (levels - 1, areObjects >> 1)
      } else {
        try skipValue()
      }
      while levels > 0 {
        let isObject = areObjects & 1 == 1
        if try takesComma(orEnd: isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { _ = try skipName() }
          break
        }
        leave()
        (levels, areObjects) = (levels - 1, areObjects >> 1)
      }
    } while levels > 0
  }

  @inline(__always) private mutating func enter(_ opening: UInt8) throws(Fault) {
    precondition(current == opening)
    depth += 1
    guard depth <= Self.depthLimit else {
      throw Fault(.tooDeep(limit: Self.depthLimit), at: offset)
    }
    offset += 1
    skipWhitespace()
  }

  @inline(__always) private mutating func leave() {
    depth -= 1
    offset += 1
  }

  /// Whether another element follows; if not, the position is at `end`.
  @inline(__always) private mutating func takesComma(orEnd end: UInt8) throws(Fault) -> Bool {
    skipWhitespace()
    if current == end { return false }
    guard current == UInt8(ascii: ",") else {
      throw unexpected(expected: "',' or '\(Character(Unicode.Scalar(end)))' after a value")
    }
    let comma = offset
    offset += 1
    skipWhitespace()
    if current == end { throw Fault(.trailingComma, at: comma) }
    return true
  }

  // MARK: Strings

  @inline(__always) package mutating func skipString() throws(Fault) {
    precondition(current == UInt8(ascii: "\""))
    let (end, seen) = unsafe bytes.uncheckedEndOfText(at: offset &+ 1)
    guard unsafe bytes.uncheckedByte(at: end) == UInt8(ascii: "\"") else {
      return try skipUnusualString()
    }
    if seen & Self.highBits != 0 { try checkUTF8(offset &+ 1..<end) }
    offset = end &+ 1
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  @inline(never) private func checkUTF8(_ range: Range<Int>) throws(Fault) {
    if let wrong = bytes.firstInvalidUTF8(in: range) { throw Fault(.invalidUTF8, at: wrong) }
  }

  /// Takes a string that has escapes, or that is wrong.
  @inline(never) private mutating func skipUnusualString() throws(Fault) {
    let start = offset
    offset &+= 1
    while true {
      let (end, seen) = unsafe bytes.uncheckedEndOfText(at: offset)
      // First, so that of two faults the first is reported.
      if seen & Self.highBits != 0 { try checkUTF8(offset..<end) }
      offset = end
      switch current {
      case UInt8(ascii: "\""):
        offset &+= 1
        return
      case UInt8(ascii: "\\"): _ = try skipEscape()
      case 0 where isAtEnd: throw unexpected(expected: "'\"' at the end of a string")
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): throw Fault(.unclosedString, at: start)
      case let byte: throw Fault(.controlCharacter(byte), at: offset)
      }
    }
  }

  /// Takes a string that was checked before, if it has no escape; else takes nothing.
  @inline(__always) package mutating func skipsPlainString() -> Bool {
    guard let end = unsafe bytes.uncheckedEndOfPlainString(at: offset) else { return false }
    offset = end
    return true
  }

  /// Takes one escape, or the two of a surrogate pair, and returns what it stands for.
  package mutating func skipEscape() throws(Fault) -> Unicode.Scalar {
    precondition(current == UInt8(ascii: "\\"))
    let start = offset
    offset += 2
    switch bytes[start + 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw Fault(.invalidEscape, at: start)
    }
    let unit = try skipFourHexDigits(of: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, current == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
    else { throw Fault(.loneSurrogate, at: start) }
    offset += 2
    let low = try skipFourHexDigits(of: offset - 2)
    guard 0xDC00..<0xE000 ~= low,
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw Fault(.loneSurrogate, at: start) }
    return scalar
  }

  private mutating func skipFourHexDigits(of escape: Int) throws(Fault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = hexDigitValue(current) else { throw Fault(.invalidEscape, at: escape) }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }

  // MARK: Numbers and literals

  package mutating func skipNumber() throws(Fault) {
    let start = offset
    if current == UInt8(ascii: "-") { offset += 1 }
    if current == UInt8(ascii: "0") {
      offset += 1
      if isDigit(current) { throw Fault(.invalidNumber("a leading zero"), at: start) }
    } else {
      try skipDigits(of: start, after: "'-'")
    }
    if current == UInt8(ascii: ".") {
      offset += 1
      try skipDigits(of: start, after: "'.'")
    }
    if current | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
      try skipDigits(of: start, after: "'e'")
    }
  }

  private mutating func skipDigits(of number: Int, after sign: String) throws(Fault) {
    guard isDigit(current) else {
      throw isAtEnd
        ? unexpected(expected: "a digit")
        : Fault(.invalidNumber("a digit must follow \(sign)"), at: number)
    }
    while isDigit(current) { offset += 1 }
  }

  /// Takes a whole number of up to seven digits, eight bytes at once, or of up to 18, so that nothing
  /// can overflow. Where there is none, or it is spelled with a leading zero, a point or an exponent,
  /// takes nothing and returns nil.
  @inline(__always) package mutating func skipPlainInteger() -> Int? {
    let negative = current == UInt8(ascii: "-")
    let start = offset &+ (negative ? 1 : 0)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let digits = unsafe bytes.uncheckedWord(at: start) ^ (ones &* UInt64(UInt8(ascii: "0")))
    // The high bit of each byte that is no digit; right up to the lowest.
    let others = ((digits &+ ones &* (0x80 - 10)) | digits) & (ones &* 0x80)
    var end = start &+ others.trailingZeroBitCount >> 3
    var value: Int
    if others != 0 {
      guard end > start else { return nil }
      // The digits become the high bytes, and pairs of them are added up: 10 × a + b and so on.
      var sum = digits << UInt64(truncatingIfNeeded: 64 &- 8 &* (end &- start))
      sum = (sum &* (10 << 8 | 1)) >> 8 & 0x00FF_00FF_00FF_00FF
      sum = (sum &* (100 << 16 | 1)) >> 16 & 0x0000_FFFF_0000_FFFF
      value = Int(truncatingIfNeeded: (sum &* (10_000 << 32 | 1)) >> 32)
    } else {
      (value, end) = (0, start)
      while isDigit(bytes[end]) && end &- start < 19 {
        value = value &* 10 &+ Int(bytes[end] &- UInt8(ascii: "0"))
        end &+= 1
      }
      if end &- start > 18 { return nil }
    }
    let (first, next) = unsafe (bytes.uncheckedByte(at: start), bytes.uncheckedByte(at: end))
    guard first != UInt8(ascii: "0") || end == start &+ 1,
      next != UInt8(ascii: "."), next | 0x20 != UInt8(ascii: "e")
    else { return nil }
    offset = end
    return negative ? 0 &- value : value
  }

  private mutating func skipLiteral(_ literal: StaticString) throws(Fault) {
    let start = offset
    for byte in "\(literal)".utf8 {
      guard current == byte else {
        offset = start
        throw unexpected(expected: "a value")
      }
      offset += 1
    }
  }

  // MARK: Faults

  /// The fault of finding anything but `expected` at the position, named for what it is.
  package func unexpected(expected: String) -> Fault {
    if isAtEnd { return Fault(.unexpectedEnd(expected: expected), at: offset) }
    if let marker = conflictMarker { return Fault(.mergeConflict(marker: marker), at: offset) }
    if bytes.lengthOfCharacter(at: offset) == nil {
      return Fault(.invalidUTF8, at: offset)
    }
    let next = bytes[offset + 1]
    if current == UInt8(ascii: "#")
      || current == UInt8(ascii: "/") && (next == UInt8(ascii: "/") || next == UInt8(ascii: "*"))
    {
      return Fault(.comment, at: offset)
    }
    return Fault(.expected(expected), at: offset)
  }

  /// What git writes at the start of a line where two versions do not merge.
  private var conflictMarker: String? {
    guard offset == 0 || bytes[offset - 1] == UInt8(ascii: "\n") else { return nil }
    return ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].first { marker in
      marker.utf8.enumerated().allSatisfy { bytes[offset + $0.offset] == $0.element }
    }
  }
}

@inline(__always) func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

func hexDigitValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

extension Bytes {
  /// The first quote, backslash, control character or zero at `position` or after it, and what bits were
  /// seen on the way there, or a few bytes further.
  @inline(__always) @unsafe
  fileprivate func uncheckedEndOfText(at position: Int) -> (end: Int, seen: UInt64) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var end = position
    var seen: UInt64 = 0
    while true {
      let word = unsafe uncheckedWord(at: end)
      seen |= word
      let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
      // The high bit of each such byte. Bits above the lowest may be wrong, as borrows run upwards.
      let found =
        ((quotes &- ones) | (backslashes &- ones) | (word &- ones &* 0x20)) & ~word & (ones &* 0x80)
      if found != 0 { return (end &+ found.trailingZeroBitCount >> 3, seen) }
      end &+= 8
    }
  }

  /// Behind the string that begins at `position`, if it has no escape.
  @inline(__always) @unsafe func uncheckedEndOfPlainString(at position: Int) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var end = position &+ 1
    while true {
      let word = unsafe uncheckedWord(at: end)
      let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
      let found =
        ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes) & (ones &* 0x80)
      if found == 0 {
        end &+= 8
        continue
      }
      end &+= found.trailingZeroBitCount >> 3
      // A string that never ends is not one, and ends at the quotes behind the bytes.
      guard end < count, unsafe uncheckedByte(at: end) == UInt8(ascii: "\"") else { return nil }
      return end &+ 1
    }
  }
}
