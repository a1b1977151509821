import Foundation
import TestSupport
import Testing

@testable import ItemStore

@Suite struct JSONStringTests {
  private static func decode(_ json: [UInt8]) -> String {
    JSONString.decode(0..<json.count, in: Bytes(json))
  }

  @Test(arguments: [
    Row("nothing", "", #""""#), Row("plain text", "First Title", #""First Title""#),
    Row("quotes and backslashes", #"a "b" \c"#, #""a \"b\" \\c""#),
    Row("characters with a short escape", "\u{8}\t\n\u{c}\r", #""\b\t\n\f\r""#),
    Row(
      "other control characters", "\0\u{1}\u{b}\u{10}\u{1f}", #""\u0000\u0001\u000b\u0010\u001f""#),
    Row(
      "slashes and letters stay readable", "http://x/é日🎉\u{7f}\u{2028}",
      "\"http://x/é日🎉\u{7f}\u{2028}\""),
  ])
  func `text gets no escape but the necessary ones`(_ row: Row<String, String>) {
    #expect(JSONString.encode(row.input) == Array(row.output.utf8))
    #expect(Self.decode(Array(row.output.utf8)) == row.input)
  }

  @Test(arguments: [
    Row("every short escape", #""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
    Row("unicode escapes", #""\u0041\u00e9\u65E5\u0000""#, "Aé日\0"),
    Row("a surrogate pair", #""x\ud83c\udf89y""#, "x🎉y"),
    Row("an escaped backslash before a letter", #""\\u0041\\n""#, #"\u0041\n"#),
    Row("escapes next to each other", #""\n\n\\\\\"""#, "\n\n\\\\\""),
    Row("an escape behind eight bytes", #""12345678\n""#, "12345678\n"),
  ])
  func `escapes are decoded`(_ row: Row<String, String>) {
    #expect(Array(Self.decode(Array(row.input.utf8)).utf8) == Array(row.output.utf8))
  }

  @Test func `text comes back as it was, and as other readers see it`() throws {
    Fuzz.run(1000) { random in
      let text = random.text(30)
      let json = JSONString.encode(text)
      try check(Array(Self.decode(json).utf8) == Array(text.utf8), json.shown)
      var scanner = JSONScanner(Bytes(json))
      try scanner.skipString()
      try check(scanner.isAtEnd, json.shown)
      let other =
        try JSONSerialization.jsonObject(
          with: Data(json), options: .fragmentsAllowed) as? String
      try check(
        other.map(Self.withoutByteOrderMarks) == Self.withoutByteOrderMarks(text), json.shown)
    }
  }

  /// Foundation drops a U+FEFF that follows an escape.
  private static func withoutByteOrderMarks(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0 != "\u{feff}" }
  }

  @Test func `text is decoded however it is spelled`() {
    Fuzz.run(1000) { random in
      let text = random.text(30)
      let json = Array(random.spelled(text).utf8)
      try check(Array(Self.decode(json).utf8) == Array(text.utf8), json.shown)
      var parser = ReferenceParser(json)
      guard case .string(text) = try parser.value().value else { throw Mismatch(json.shown) }
    }
  }

  @Test(arguments: [
    Row("white space goes", "{ \"a\" :\t[1 ,\r\n 2 ] }", #"{"a":[1,2]}"#),
    Row("white space in strings stays", #"[ " a  b " ]"#, #"[" a  b "]"#),
    Row("numbers stay as they are spelled", "[ 1.0, 1E2, -0 ]", "[1.0,1E2,-0]"),
    Row("needless escapes go", #"["\u00e9\/", "\u0041"]"#, #"["é/","A"]"#),
    Row("needful escapes stay", #"["\u0000\u000A\"\\"]"#, #"["\u0000\n\"\\"]"#),
    Row("names are treated as text is", #"{"\u0061": {}}"#, #"{"a":{}}"#),
  ])
  func `values are made compact`(_ row: Row<String, String>) {
    var json: [UInt8] = []
    JSONString.appendCompact(valueAt: 0, in: Bytes(row.input), to: &json)
    #expect(json == Array(row.output.utf8))
  }

  @Test func `values are laid out with blanks, and keep their escapes, where that is asked for`() {
    let input = Bytes(#"{"\u0061":[1 ,"x:,\/"],"b":{}}"#)
    var json: [UInt8] = []
    JSONString.appendCompact(valueAt: 0, in: input, keepingEscapes: true, spaced: true, to: &json)
    #expect(json == Array(#"{"\u0061": [1, "x:,\/"], "b": {}}"#.utf8))
  }

  @Test func `what is around a value is left alone`() throws {
    Fuzz.run(1000) { random in
      let value = "{\"a\" :\n[ \(random.value()) , 1.0, true ],\t\"b\":{ } }"
      let keeps = random.once(in: 2)
      let spaced = random.once(in: 2)
      var alone: [UInt8] = []
      JSONString.appendCompact(
        valueAt: 0, in: Bytes(value), keepingEscapes: keeps, spaced: spaced, to: &alone)
      try check(!spaced || alone.contains(UInt8(ascii: " ")), value)
      let before = random.pick(["", "[", "[1, "])
      let bytes = Bytes(before + value + random.pick(["", " ", ",", ", {\"c\": 1}", "]}\n"]))
      var json: [UInt8] = Array("[".utf8)
      let range = before.utf8.count..<before.utf8.count + value.utf8.count
      JSONString.appendCompact(
        range, of: bytes, keepingEscapes: keeps, spaced: spaced, to: &json)
      try check(json == Array("[".utf8) + alone, value)
    }
  }
}
