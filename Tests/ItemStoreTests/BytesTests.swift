import Testing

@testable import ItemStore

/// No caller reads memory that is not the bytes' own, whatever positions it gives.
@Suite struct BytesTests {
  private static var bytes: Bytes { Bytes(#"{"id": 1, "title": "Milk"}"#) }

  @Test func `a byte outside is a trap`() async {
    await #expect(processExitsWith: .failure) { _ = Self.bytes[-1] }
    await #expect(processExitsWith: .failure) { _ = Self.bytes[Self.bytes.count + 16] }
    await #expect(processExitsWith: .failure) { _ = Self.bytes[Int.max] }
  }

  @Test func `a word outside is a trap`() async {
    await #expect(processExitsWith: .failure) { _ = Self.bytes.word(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Self.bytes.word(at: Self.bytes.count + 9) }
    await #expect(processExitsWith: .failure) { _ = Self.bytes.word(at: Int.max - 4) }
  }

  @Test func `a range outside is a trap`() async {
    await #expect(processExitsWith: .failure) { _ = Self.bytes[-1..<3] }
    await #expect(processExitsWith: .failure) { _ = Self.bytes.text(3..<Self.bytes.count + 1) }
    await #expect(processExitsWith: .failure) { _ = Self.bytes.firstIndex(of: 1, in: -8..<3) }
    await #expect(processExitsWith: .failure) { _ = Self.bytes.firstIndex(of: 1, in: 3..<999) }
    await #expect(processExitsWith: .failure) { _ = Self.bytes.isEqual(-9..<3, at: 5) }
    await #expect(processExitsWith: .failure) { _ = Self.bytes.isEqual(3..<99, at: 0) }
    await #expect(processExitsWith: .failure) { _ = Self.bytes.isEqual(3..<9, at: -4) }
    await #expect(processExitsWith: .failure) {
      var json: [UInt8] = []
      JSONString.appendCompact(0..<Self.bytes.count + 1, of: Self.bytes, to: &json)
    }
    await #expect(processExitsWith: .failure) { _ = JSONString.decode(-9..<9, in: Self.bytes) }
    await #expect(processExitsWith: .failure) { _ = JSONNumber(99..<120, in: Self.bytes) }
    await #expect(processExitsWith: .failure) { _ = RecordKey(uuidAt: 20..<58, in: Self.bytes) }
  }

  @Test func `a scanner set outside is a trap`() async {
    await #expect(processExitsWith: .failure) { _ = JSONScanner(Self.bytes, at: -1) }
    await #expect(processExitsWith: .failure) { _ = JSONScanner(Self.bytes, at: 999) }
    await #expect(processExitsWith: .failure) {
      var scanner = JSONScanner(Self.bytes)
      scanner.position = -1
    }
    await #expect(processExitsWith: .failure) {
      var scanner = JSONScanner(Self.bytes)
      scanner.position = Self.bytes.count + 1
    }
  }

  @Test func `what is taken must be there`() async {
    await #expect(processExitsWith: .failure) {
      var scanner = JSONScanner(Self.bytes, at: Self.bytes.count)
      try scanner.skipString()
    }
    await #expect(processExitsWith: .failure) {
      var scanner = JSONScanner(Self.bytes, at: Self.bytes.count)
      try scanner.skipObject { (scanner, _) throws(Fault) in try scanner.skipValue() }
    }
    await #expect(processExitsWith: .failure) {
      var scanner = JSONScanner(Self.bytes, at: Self.bytes.count)
      _ = try scanner.skipEscape()
    }
  }

  @Test func `a range exchanged for one of other bytes stays inside`() {
    let zeros = Bytes([UInt8](repeating: 0, count: 40))
    #expect(!zeros.isEqual(0..<30, at: 38))
    #expect(zeros.isEqual(0..<30, at: 10))
    #expect(!Self.bytes.isEqual(0..<8, at: Self.bytes.count))
  }

  /// Calls everything at every position, in a text that is cut anywhere, again and again after errors.
  @Test func `a scanner that is spent goes no further`() {
    let text = Array(#"{"a\ud800\udc00": [1.5e3, "é", true, -12345678901234567890]"#.utf8)
    for end in 0...text.count {
      let bytes = Bytes(Array(text[..<end]))
      for start in 0...end {
        var scanner = JSONScanner(bytes, at: start)
        for _ in 0..<40 {
          _ = try? scanner.skipValue()
          _ = try? scanner.skipNumber()
          _ = scanner.skipPlainInteger()
          _ = scanner.skipsPlainString()
          scanner.skipWhitespace()
          _ = scanner.unexpected(expected: "")
          if scanner.current == UInt8(ascii: "\\") { _ = try? scanner.skipEscape() }
        }
        #expect(scanner.position <= end + 2)
      }
    }
  }
}
