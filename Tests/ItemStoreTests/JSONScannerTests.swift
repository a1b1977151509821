import Foundation
import TestSupport
import Testing

@testable import ItemStore

@Suite struct JSONScannerTests {
  /// Scans the only value of a text.
  private static func fault(in bytes: Bytes) -> Fault? {
    var scanner = JSONScanner(bytes)
    do throws(Fault) {
      scanner.skipByteOrderMark()
      scanner.skipWhitespace()
      try scanner.skipValue()
      scanner.skipWhitespace()
      return scanner.isAtEnd ? nil : scanner.unexpected(expected: "the end")
    } catch {
      return error
    }
  }

  @Test(arguments: [
    Row("an empty object", "{}"),
    Row("an empty array", "[ ]"),
    Row("members and elements", #"{"a": [1, {"b": null}], "": {}}"#),
    Row("every white space", " \t\r\n[\t1\r,\n2 ]\r\n"),
    Row("literals", "[true, false, null]"),
    Row("zero and its spellings", "[0, -0, 0.0, 0e0, 0E+1, -0.0e-00]"),
    Row("numbers", "[1, -1, 10, 1.5, 1e5, 1E+5, 1e-5, 12.340e0012]"),
    Row("a huge number", "1" + String(repeating: "0", count: 9999) + "e99999999999999"),
    Row("every short escape", #""\" \\ \/ \b \f \n \r \t""#),
    Row("unicode escapes of either case", #""\u00e9\u00E9\uFFFF\u0000\ud7ff\uE000""#),
    Row("a surrogate pair", #""\ud83c\udf89\uDBFF\uDFFF""#),
    Row("DEL and line separators as they are", "\"\u{7f}\u{85}\u{2028}\u{2029}\""),
    Row(
      "the first and last characters of each length",
      "\"\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\""),
    Row("characters around the surrogates", "\"\u{d7ff}\u{e000}\""),
    Row("a name that stands twice", #"{"a": 1, "a": 2}"#),
    Row("a byte-order mark", "\u{feff}[]"),
    Row("a name of eight bytes after one of seven", #"{"1234567": 1, "12345678": 2}"#),
  ])
  func `JSON is accepted`(_ row: Row<String, Void>) {
    #expect(Self.fault(in: Bytes(row.input)) == nil)
  }

  @Test(arguments: [
    Row("nothing", "", "1:1: unexpected end, expected a value"),
    Row("nothing but blanks", " \n ", "2:2: unexpected end, expected a value"),
    Row("an open array", "[1", "1:3: unexpected end, expected ',' or ']' after a value"),
    Row("an open object", #"{"a": 1"#, "1:8: unexpected end, expected ',' or '}' after a value"),
    Row("an open name", "{\"a", "1:4: unexpected end, expected '\"' at the end of a string"),
    Row("a name alone", #"{"a""#, "1:5: unexpected end, expected ':' after a name"),
    Row("no value", #"{"a":"#, "1:6: unexpected end, expected a value"),
    Row("no colon", #"{"a" 1}"#, "1:6: expected ':' after a name"),
    Row("two colons", #"{"a":: 1}"#, "1:6: expected a value"),
    Row("no comma in an array", "[1 2]", "1:4: expected ',' or ']' after a value"),
    Row("no comma in an object", #"{"a": 1 "b": 2}"#, "1:9: expected ',' or '}' after a value"),
    Row("the wrong bracket", "[1}", "1:3: expected ',' or ']' after a value"),
    Row("a trailing comma in an array", "[1 , ]", "1:4: trailing comma, which JSON does not allow"),
    Row(
      "a trailing comma in an object", "{\"a\": 1,\n}",
      "1:8: trailing comma, which JSON does not allow"),
    Row("nothing but a comma", "[,]", "1:2: expected a value"),
    Row("two commas", "[1,,2]", "1:4: expected a value"),
    Row("a leading comma", #"{,"a": 1}"#, "1:2: expected a name in double quotes"),
    Row("a name without quotes", "{a: 1}", "1:2: expected a name in double quotes"),
    Row("a name in single quotes", "{'a': 1}", "1:2: expected a name in double quotes"),
    Row("text in single quotes", "['a']", "1:2: expected a value"),
    Row(
      "a comment to the end of the line", "[1, // one\n2]",
      "1:5: comment, which JSON does not allow"),
    Row("a comment between marks", "[1 /* one */]", "1:4: comment, which JSON does not allow"),
    Row("a comment as in a shell", "{\n# one\n}", "2:1: comment, which JSON does not allow"),
    Row("a slash alone", "[/1]", "1:2: expected a value"),
    Row(
      "our side of a conflict", "[\n<<<<<<< HEAD\n1]", "2:1: unresolved merge conflict (<<<<<<<)"),
    Row(
      "the base of a conflict", "[\r\n||||||| base\n1]", "2:1: unresolved merge conflict (|||||||)"),
    Row("the middle of a conflict", "[1\n=======\n2]", "2:1: unresolved merge conflict (=======)"),
    Row("their side of a conflict", "[1\n>>>>>>> b\n]", "2:1: unresolved merge conflict (>>>>>>>)"),
    Row("a conflict in the first line", "<<<<<<< HEAD", "1:1: unresolved merge conflict (<<<<<<<)"),
    Row("no conflict in the middle of a line", "[ <<<<<<<", "1:3: expected a value"),
    Row("a literal in capitals", "True", "1:1: expected a value"),
    Row("a literal cut short", "tru", "1:1: expected a value"),
    Row("a literal misspelled", "[nul]", "1:2: expected a value"),
    Row("a literal too long", "[nulll]", "1:6: expected ',' or ']' after a value"),
    Row("not a number", "NaN", "1:1: expected a value"),
    Row("infinity", "-Infinity", "1:1: invalid number: a digit must follow '-'"),
    Row("a plus", "+1", "1:1: expected a value"),
    Row("a leading zero", "[1, 012]", "1:5: invalid number: a leading zero"),
    Row("a negative leading zero", "-01", "1:1: invalid number: a leading zero"),
    Row("a minus alone", "[-]", "1:2: invalid number: a digit must follow '-'"),
    Row("no digit before the point", "[.5]", "1:2: expected a value"),
    Row("no digit behind the point", "[1.]", "1:2: invalid number: a digit must follow '.'"),
    Row("no digit of the exponent", "[1e]", "1:2: invalid number: a digit must follow 'e'"),
    Row("no digit behind the sign", "[1e+]", "1:2: invalid number: a digit must follow 'e'"),
    Row("a number cut short", "-", "1:2: unexpected end, expected a digit"),
    Row("a fraction cut short", "1.", "1:3: unexpected end, expected a digit"),
    Row("hexadecimal", "[0x1]", "1:3: expected ',' or ']' after a value"),
    Row("two points", "[1.2.3]", "1:5: expected ',' or ']' after a value"),
    Row("digits of another script", "[١]", "1:2: expected a value"),
    Row("an unknown escape", #"["ab\x"]"#, "1:5: invalid escape after '\\'"),
    Row("an escape cut short", #""\u00e"#, "1:2: invalid escape after '\\'"),
    Row("an escape with a sign", #""\u+0e9""#, "1:2: invalid escape after '\\'"),
    Row("a backslash at the end", "\"\\", "1:2: invalid escape after '\\'"),
    Row("a high surrogate alone", #""a\ud800""#, "1:3: lone surrogate escape, half of a pair"),
    Row("a low surrogate alone", #""\udc00""#, "1:2: lone surrogate escape, half of a pair"),
    Row(
      "surrogates the wrong way round", #""\udf89\ud83c""#,
      "1:2: lone surrogate escape, half of a pair"),
    Row("two high surrogates", #""\ud83c\ud83c""#, "1:2: lone surrogate escape, half of a pair"),
    Row(
      "a high surrogate before another escape", #""\ud83c\n""#,
      "1:2: lone surrogate escape, half of a pair"),
    Row(
      "a high surrogate before an escape past the low ones", #""\ud800\ue000""#,
      "1:2: lone surrogate escape, half of a pair"),
    Row(
      "a high surrogate before an escape below the low ones", #""\ud800\udbff""#,
      "1:2: lone surrogate escape, half of a pair"),
    Row(
      "a high surrogate before a letter", #""\ud800xudc00""#,
      "1:2: lone surrogate escape, half of a pair"),
    Row("a pair that is cut short", #""\ud83c\udf""#, "1:8: invalid escape after '\\'"),
    Row(
      "a tab in a string", "\"a\tb\"", "1:3: control character 09 in a string, write it as \\u0009"),
    Row(
      "a line end in a string", "[\"\", \"a\nb\"",
      "1:6: string that does not end in its line: a quote is missing, or a line break is not written as \\n"
    ),
    Row(
      "a NUL in a string", "\"a\0b\"", "1:3: control character 00 in a string, write it as \\u0000"),
    Row(
      "the last control character", "\"\u{1f}\"",
      "1:2: control character 1f in a string, write it as \\u001f"),
    Row("a NUL between values", "[1,\0 2]", "1:4: expected a value"),
    Row("a NUL behind the end", "[]\0", "1:3: expected the end"),
    Row("a second value", "[] []", "1:4: expected the end"),
    Row("a blank that is no JSON", "[1,\u{a0}2]", "1:4: expected a value"),
    Row("a vertical tab", "[\u{b}1]", "1:2: expected a value"),
    Row("a second byte-order mark", "\u{feff}\u{feff}[]", "1:1: expected a value"),
    Row("columns in characters", "[\"日本語é🎉\" 1]", "1:10: expected ',' or ']' after a value"),
    Row("columns behind CRLF", "[1,\r\n\"é\", x]", "2:6: expected a value"),
    Row("columns behind a byte-order mark", "\u{feff}[x]", "1:2: expected a value"),
    Row(
      "columns in the second line behind a byte-order mark", "\u{feff}[\nx]",
      "2:1: expected a value"),
    Row("a carriage return alone ends no line", "[\rx]", "1:3: expected a value"),
  ])
  func `other text is refused at its place`(_ row: Row<String, String>) throws {
    let bytes = Bytes(row.input)
    let fault = try #require(Self.fault(in: bytes))
    let position = Position(offset: fault.offset, in: bytes)
    #expect("\(position.line):\(position.column): \(fault.reason)" == row.output)
  }

  @Test(arguments: [
    Row("a continuation alone", [0x80], 0),
    Row("the last continuation alone", [0xBF], 0),
    Row("two bytes for ASCII", [0xC0, 0xAF], 0),
    Row("two bytes for the last of ASCII", [0xC1, 0xBF], 0),
    Row("two bytes cut short", [0xC3], 0),
    Row("two bytes with a wrong second", [0xC3, 0x28], 0),
    Row("three bytes for two", [0xE0, 0x9F, 0xBF], 0),
    Row("three bytes cut short", [0xE2, 0x82], 0),
    Row("three bytes with a wrong third", [0xE2, 0x82, 0x28], 0),
    Row("three bytes with a third that starts another", [0xE2, 0x82, 0xC3, 0xA9], 0),
    Row("a high surrogate", [0xED, 0xA0, 0x80], 0),
    Row("a low surrogate", [0xED, 0xBF, 0xBF], 0),
    Row("four bytes for three", [0xF0, 0x8F, 0xBF, 0xBF], 0),
    Row("four bytes cut short", [0xF0, 0x9F, 0x8E], 0),
    Row("four bytes with a wrong fourth", [0xF0, 0x9F, 0x8E, 0x28], 0),
    Row("past the last character", [0xF4, 0x90, 0x80, 0x80], 0),
    Row("a first byte past the last", [0xF5, 0x80, 0x80, 0x80], 0),
    Row("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80], 0),
    Row("FE", [0xFE], 0),
    Row("FF", [0xFF], 0),
    Row("behind valid characters", Array("日本é🎉".utf8) + [0xC3, 0x28], 12),
  ])
  func `bytes that are not UTF-8 are refused`(_ row: Row<[UInt8], Int>) {
    let invalid = Fault.Reason.invalidUTF8
    // Eight different places in a word, in a string and in a name.
    for count in 0..<9 {
      let before = [UInt8](repeating: UInt8(ascii: "a"), count: count)
      let string = [UInt8(ascii: "\"")] + before + row.input + [UInt8(ascii: "\"")]
      #expect(Self.fault(in: Bytes(string)) == Fault(invalid, at: 1 + count + row.output))
      let object = [UInt8(ascii: "{")] + string + Array(":1}".utf8)
      #expect(Self.fault(in: Bytes(object)) == Fault(invalid, at: 2 + count + row.output))
      let bytes = Bytes(before + row.input)
      #expect(bytes.firstInvalidUTF8(in: 0..<bytes.count) == count + row.output)
    }
    if row.output == 0 {
      #expect(Self.fault(in: Bytes([UInt8(ascii: "[")] + row.input)) == Fault(invalid, at: 1))
    }
  }

  @Test func `every control character in a string is refused wherever it stands`() {
    for byte in UInt8(0)..<0x20 {
      for count in 0..<9 {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        let json = [UInt8(ascii: "\"")] + text + [byte] + Array("aaaaaaaa\"".utf8)
        let isLineBreak = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        let fault =
          isLineBreak
          ? Fault(.unclosedString, at: 0) : Fault(.controlCharacter(byte), at: 1 + count)
        #expect(Self.fault(in: Bytes(json)) == fault)
      }
    }
  }

  @Test func `of two faults in a string the first is reported`() {
    let wrong = [UInt8](repeating: 0xFF, count: 1)
    for (rest, reason) in [("\n\"", 0), ("\\x\"", 0), ("\u{1}\"", 0), ("", 0)] {
      let json = Array("\"é".utf8) + wrong + Array(rest.utf8)
      #expect(Self.fault(in: Bytes(json)) == Fault(.invalidUTF8, at: 3 + reason))
    }
    let after = Array("\"é\\x".utf8) + wrong + Array("\"".utf8)
    #expect(Self.fault(in: Bytes(after)) == Fault(.invalidEscape, at: 3))
  }

  @Test(arguments: [1, 63, 64, 65, 128, 511, 1023, 1024, 1025, 5000])
  func `arrays and objects are nested up to a limit`(depth: Int) {
    for (opening, closing) in [("[", "]"), (#"{"a": "#, "}"), (#"[{"b": 0, "a": "#, "}]")] {
      let levels = opening.hasPrefix("[{") ? depth / 2 : depth
      let text =
        String(repeating: opening, count: levels) + "0" + String(repeating: closing, count: levels)
      let fault = Self.fault(in: Bytes(text))
      let isDeep = (opening.hasPrefix("[{") ? levels * 2 : levels) > JSONScanner.depthLimit
      #expect((fault?.reason == .tooDeep(limit: JSONScanner.depthLimit)) == isDeep)
      #expect((fault == nil) == !isDeep)
      // Every bracket is needed, at each level.
      #expect(Self.fault(in: Bytes(String(text.dropLast()))) != nil)
    }
  }

  @Test func `a text that is cut anywhere is refused`() throws {
    let whole = Array(#"{"aé🎉\u00e9\ud83c\udf89": [1.5e+10, "x", true, null, {"b": -0}]}"#.utf8)
    #expect(Self.fault(in: Bytes(whole)) == nil)
    for count in 0..<whole.count {
      let fault = try #require(Self.fault(in: Bytes(Array(whole[..<count]))))
      #expect(fault.offset <= count)
    }
  }

  @Test func `nesting has a limit`() {
    let limit = JSONScanner.depthLimit
    let nested = { (open: String, close: String, depth: Int) in
      Bytes(String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth))
    }
    #expect(Self.fault(in: nested("[", "]", limit)) == nil)
    #expect(Self.fault(in: nested("{\"a\":", "}", limit)) == nil)
    #expect(
      Self.fault(in: nested("[", "]", limit + 1)) == Fault(.tooDeep(limit: limit), at: limit))
    #expect(
      Self.fault(in: nested("{\"a\":", "}", limit + 1))
        == Fault(.tooDeep(limit: limit), at: 5 * limit))
    #expect(
      Self.fault(in: Bytes(String(repeating: "[", count: 1_000_000)))
        == Fault(.tooDeep(limit: limit), at: limit))
  }

  @Test(
    arguments: [
      Row("a digit", "7", 7), Row("zero", "0", 0), Row("negative zero", "-0", 0),
      Row("seven digits", "1234567", 1_234_567), Row("eight digits", "12345678", 12_345_678),
      Row("negative", "-98765432", -98_765_432),
      Row("18 digits", "999999999999999999", 999_999_999_999_999_999),
      Row("19 digits", "1000000000000000000", nil), Row("more", "12345678901234567890123", nil),
      Row("a leading zero", "01", nil), Row("a fraction", "1.0", nil),
      Row("an exponent", "1e2", nil),
      Row("an exponent in capitals", "12345678E2", nil), Row("no digit", "-", nil),
      Row("no number", "x", nil), Row("nothing", "", nil), Row("a plus", "+1", nil),
      Row("bytes around the digits", "/:", nil),
    ] as [Row<String, Int?>])
  func `plain integers are read at once`(_ row: Row<String, Int?>) {
    for end in ["", ",", "}", " 1", "\"", "\u{e9}"] {
      var scanner = JSONScanner(Bytes(row.input + end))
      #expect(scanner.skipPlainInteger() == row.output)
      #expect(scanner.position == (row.output == nil ? 0 : row.input.utf8.count))
    }
  }

  @Test func `any plain integer is read as the number that it spells`() {
    Fuzz.run(2000) { random in
      let number = random.int(-1 << 59...1 << 59) >> random.int(0...59)
      var scanner = JSONScanner(Bytes("\(number),"))
      try check(scanner.skipPlainInteger() == number, "\(number)")
    }
  }
}
