import TestSupport
import Testing

@testable import ItemStore
@testable import items

/// Records on standard input: what each format gives, and what it refuses.
@Suite struct InputTests {
  /// The output is the records, one line each, or the messages of the error.
  typealias Case = Row<String, String>

  /// `id: field=value field=value` for each record, the id where it is one to be changed or named.
  private static func summary(
    _ input: String, _ use: Input.Use, _ format: InputFormat, of schema: Schema = Item.schema,
    defaults: [Member] = []
  ) -> String {
    do {
      let input = try Input(Array(input.utf8), schema, use: use, format: format, defaults: defaults)
      let lines = (0..<input.batch.count).map { record in
        let fields = input.batch.members(of: record).map {
          "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))"
        }
        let id = use == .new ? [] : [input.ids[record].text + ":"]
        return (id + fields).joined(separator: " ")
      }
      return lines.joined(separator: "\n")
    } catch {
      return error.messages.joined(separator: "\n")
    }
  }

  // MARK: Lines

  @Test(arguments: [
    Case("a line each", "Milk\nEggs\n", "title=\"Milk\"\ntitle=\"Eggs\""),
    Case("no line end at the end", "Milk\nEggs", "title=\"Milk\"\ntitle=\"Eggs\""),
    Case("CRLF", "Milk\r\nEggs\r\n", "title=\"Milk\"\ntitle=\"Eggs\""),
    Case("one carriage return only", "Milk\r\r\n", "title=\"Milk\\r\""),
    Case("blank lines", "\n \t\nMilk\n\r\n\n", "title=\"Milk\""),
    Case("verbatim", "  a \"b\" \\ \t", "title=\"  a \\\"b\\\" \\\\ \\t\""),
    Case("a byte-order mark", "\u{feff}Milk", "title=\"Milk\""),
    Case("an accent on a blank", " \u{301}", "title=\" \u{301}\""),
    Case("nothing", "", ""),
    Case("white space past ASCII", "a\n\u{a0}\n", "stdin:2:1: \"title\" must not be empty"),
    Case("a zero byte", "a\nb\0c", "stdin:2:2: a NUL byte, which only JSON can spell: \\u0000"),
  ])
  func `text is a title a line`(_ row: Case) {
    #expect(Self.summary(row.input, .new, .text) == row.output)
  }

  @Test func `defaults are for what a record does not have`() {
    let number = [Member("number", number: 9)]
    #expect(
      Self.summary("a\nb", .new, .text, defaults: number)
        == "title=\"a\" number=9\ntitle=\"b\" number=9")
    let json = #"{"title":"a","number":1}{"title":"b"}"#
    #expect(
      Self.summary(json, .new, .json, defaults: number)
        == "title=\"a\" number=1\ntitle=\"b\" number=9")
  }

  @Test(arguments: [
    Case("numbers", "1\n 20 \r\n-3\n", "1:\n20:\n-3:"),
    Case("tab-separated rows", "1\tMilk\t3\n2\n", "1:\n2:"),
    Case("JSON", "[1, \"2\", {\"id\": 3, \"x\": [4]}] 5", "1:\n2:\n3:\n5:"),
    Case("a JSON string first", "\"7\" 8", "7:\n8:"),
    Case("numbers however spelled", "{\"id\": 1e1} {\"id\": 2.0}", "10:\n2:"),
    Case("no id", "{\"title\": \"a\"}", "stdin:1:1: the item has no \"id\""),
    Case(
      "no number", "[1, true]",
      "stdin:1:5: \"id\" must be a whole number, not true"),
  ])
  func `ids are read as lines, rows or JSON`(_ row: Case) {
    #expect(Self.summary(row.input, .ids, .auto) == row.output)
  }

  // MARK: Rows

  @Test(arguments: [
    Case("all cells", "1\tMilk\t3\n", "id=1 title=\"Milk\" number=3"),
    Case("an empty cell is not given", "\tMilk\t", "title=\"Milk\""),
    Case("escapes", "1\ta\\tb\\nc\\\\d\\r\t3", "id=1 title=\"a\\tb\\nc\\\\d\\r\" number=3"),
    Case("CRLF", "1\tMilk\t3\r\n", "id=1 title=\"Milk\" number=3"),
    Case("a blank line", "\n \n1\tMilk\t3", "id=1 title=\"Milk\" number=3"),
    Case(
      "another escape", "1\ta\\x\t3",
      "stdin:1:4: invalid escape, only \\t, \\n, \\r and \\\\ are known"),
    Case(
      "too few cells", "1\tMilk\n2\ta\t3\n",
      "stdin:1:1: 2 cells, expected 3: id, title, number"),
    Case("no number", "1\tMilk\tx", "stdin:1:8: \"number\" must be a whole number, not \"x\""),
    Case("no title", "1\t\t2", "stdin:1:1: the item has no \"title\""),
    Case(
      "all faults", "x\ta\t1\n2\t\t1\n3\tb\ty",
      """
      stdin:1:1: "id" must be a whole number, not "x"
      stdin:2:1: the item has no "title"
      stdin:3:5: "number" must be a whole number, not "y"
      """),
  ])
  func `tab-separated cells are in the order of the fields`(_ row: Case) {
    #expect(Self.summary(row.input, .new, .tsv) == row.output)
  }

  @Test(arguments: [
    Case("any order", "number,title\n3,Milk\n", "number=3 title=\"Milk\""),
    Case("quotes", "title\n\"a,\"\"b\"\"\nc\"\n", "title=\"a,\\\"b\\\"\\nc\""),
    Case(
      "CRLF and no end", "title,number\r\na,1\r\nb,2", "title=\"a\" number=1\ntitle=\"b\" number=2"),
    Case("an empty cell", "title,number\na,", "title=\"a\""),
    Case("an open quote", "title\n\"a\nb", "stdin:2:1: quote that is never closed"),
    Case(
      "a stray quote", "title\na\"b", "stdin:2:2: quote in the middle of a cell"),
    Case("a short row", "title,number\na", "stdin:2:1: 1 cell, expected 2: title, number"),
    Case("no title", "number\n1", "stdin:1:1: the header has no \"title\""),
    Case("a slip", "titel,title\na,b", "stdin:1:1: unknown column 'titel'. Did you mean 'title'?"),
    Case("a column twice", "title,title\na,b", "stdin:1:7: \"title\" stands twice"),
  ])
  func `comma-separated values have a header`(_ row: Case) {
    #expect(Self.summary(row.input, .new, .csv) == row.output)
  }

  // MARK: JSON

  @Test(arguments: [
    Case("an object", #"{"title": "Milk"}"#, "title=\"Milk\""),
    Case("an array", #"[{"title":"a"}, {"title":"b"}]"#, "title=\"a\"\ntitle=\"b\""),
    Case(
      "one after another", "{\"title\":\"a\"}{\"title\":\"b\"}\n[{\"title\":\"c\"}]",
      "title=\"a\"\ntitle=\"b\"\ntitle=\"c\""),
    Case("no element", "[] []", ""),
    Case(
      "spellings are kept", #"{"id": 1e1, "title": "\u0061", "number": 2.0}"#,
      #"id=1e1 title="\u0061" number=2.0"#),
    Case(
      "fields of one's own", "{\"title\":\"a\",\"x\":{\"y\": [1,\n2.0]},\"x\":null}",
      "title=\"a\" x={\"y\":[1,2.0]} x=null"),
    Case(
      "two spellings of a character", "{\"title\":\"a\",\"\u{e9}\":1,\"e\u{301}\":2}",
      "title=\"a\" \u{e9}=1 e\u{301}=2"),
    Case(
      "a name one slip away beside the known one", #"{"titel":1,"title":"a"}"#,
      "titel=1 title=\"a\""),
    Case(
      "a name one slip away", #"{"title":"a","numbr":1}"#,
      "stdin:1:14: unknown field 'numbr'. Did you mean 'number'?"),
    Case(
      "a known field twice", #"{"title":"a","title":"b"}"#, "stdin:1:14: \"title\" stands twice"),
    Case(
      "a wrong type", "[\n  {\"title\": \"a\", \"number\": \"5\"}\n]",
      "stdin:2:28: \"number\" must be a whole number, not \"5\""),
    Case("no object", #"[{"title":"a"}, 3]"#, "stdin:1:17: each item must be an object like {…}"),
    Case("no title", #"{"number":1}"#, "stdin:1:1: the item has no \"title\""),
    Case("a blank title", #"{"title":" "}"#, "stdin:1:10: \"title\" must not be empty"),
    Case(
      "cut off", #"[{"title":"a"}, {"title""#,
      "stdin:1:25: unexpected end, expected ':' after a name"),
    Case(
      "all faults up to the first of syntax", "{\"number\":1}\n{\"title\":1}\n{\"titel\":\"\"}\n{]",
      """
      stdin:1:1: the item has no "title"
      stdin:2:10: "title" must be a string, not 1
      stdin:3:2: unknown field 'titel'. Did you mean 'title'?
      stdin:4:2: expected a name in double quotes
      """),
  ])
  func `JSON comes as objects and arrays of them`(_ row: Case) {
    #expect(Self.summary(row.input, .new, .json) == row.output)
  }

  @Test(arguments: [
    Case("what changes", #"{"id":1,"number":2}"#, "1: number=2"),
    Case("an id of text", #"{"id":"1","title":""}"#, "1: title=\"\""),
    Case(
      "nothing", #"{"id":1}"#, "stdin:1:1: nothing to change: the item has an id and nothing else"),
    Case("no id", #"{"title":"a"}"#, "stdin:1:1: the item has no \"id\""),
  ])
  func `changes need an id and something to change`(_ row: Case) {
    #expect(Self.summary(row.input, .changes, .json) == row.output)
  }

  @Test func `tasks have fields of their own`() {
    let id = "5F2A91C4-0c5e-4a47-9d0e-2f4f5b8e7a10"
    #expect(
      Self.summary("\(id)\tCall\n\tPay", .new, .tsv, of: ToDoTask.schema)
        == "taskid=\"\(id)\" tasknote=\"Call\"\ntasknote=\"Pay\"")
    #expect(
      Self.summary(#"{"taskid":"5f2a","tasknote":"x"}"#, .changes, .json, of: ToDoTask.schema)
        == "5f2a: tasknote=\"x\"")
    #expect(
      Self.summary(#"{"taskid":"5f2a","tasknote":"x"}"#, .new, .json, of: ToDoTask.schema)
        == #"stdin:1:11: "taskid" must be a UUID, not "5f2a""#)
  }

  // MARK: Any format

  @Test(arguments: [
    Case("an object", " \n{\"title\":\"a\"}", "json"), Case("an array", "[", "json"),
    Case("a tab in the first line", "a\tb", "tsv"), Case("an empty first cell", "\tb", "tsv"),
    Case("a tab further down", "a\nb\tc", "text"), Case("commas", "id,title", "text"),
    Case("a string", "\"a\"", "text"), Case("nothing", "", "text"),
  ])
  func `the format is guessed from the beginning`(_ row: Case) {
    let found = try? Input(Array(row.input.utf8), Item.schema, use: .new, format: .auto).format
    let input = found.map(\.rawValue)
    // What cannot be read shows what it was taken for.
    #expect((input ?? (row.name == "nothing" ? "text" : row.output)) == row.output)
  }

  @Test(arguments: [InputFormat.text, .tsv, .csv, .json])
  func `bytes that are no text are refused`(format: InputFormat) {
    let input: [UInt8] = Array("title\nab".utf8) + [0xFF, 0x0A, 0xC3, 0x0A]
    let error = #expect(throws: UsageError.self) {
      try Input(input, Item.schema, use: .new, format: format)
    }
    #expect(
      error?.messages == [
        "stdin:2:3: bytes that are not valid UTF-8", "stdin:3:1: bytes that are not valid UTF-8",
      ])
  }
}
