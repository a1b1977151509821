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
    columns: [String]? = nil, defaults: [Member] = []
  ) -> String {
    do throws(UsageError) {
      let input = try Input(
        Array(input.utf8), schema, use: use, format: format, columns: columns, defaults: defaults)
      if !input.faults.isEmpty {
        throw InputProblem.error(input.faults.map(InputProblem.init), in: input)
      }
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
    Case(
      "blanks past ASCII", "a\n\u{a0}\n\u{3000}\r\n \u{c}\u{b}\n\u{85}\nb",
      "title=\"a\"\ntitle=\"b\""),
    Case(
      "a zero byte", "a\nb\0c",
      "stdin:2:2: NUL byte, which JSON writes as \\u0000 and tab-separated values as \\0"),
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

  private static func notWhole(_ field: String, _ cell: String) -> String {
    "\"\(field)\" must be a whole number of 64 bits, not \"\(cell)\""
  }

  @Test(arguments: [
    Case("all cells", "1\tMilk\t3\n", "id=1 title=\"Milk\" number=3"),
    Case("an empty cell is not given", "\tMilk\t", "title=\"Milk\""),
    Case("escapes", "1\ta\\tb\\nc\\\\d\\r\t3", "id=1 title=\"a\\tb\\nc\\\\d\\r\" number=3"),
    Case("CRLF", "1\tMilk\t3\r\n", "id=1 title=\"Milk\" number=3"),
    Case("a blank line", "\n \n1\tMilk\t3", "id=1 title=\"Milk\" number=3"),
    Case(
      "another escape", "1\ta\\x\t3",
      "stdin:1:4: invalid escape, only \\t, \\n, \\r, \\0 and \\\\ are known"),
    Case("a NUL", "1\ta\\0b\t3", "id=1 title=\"a\\u0000b\" number=3"),
    Case("blanks past ASCII", "\u{a0}\n1\tMilk\t3\n\u{3000}", "id=1 title=\"Milk\" number=3"),
    Case("signs and zeros", "+1\ta\t-007\n", "id=1 title=\"a\" number=-7"),
    Case(
      "too few cells", "1\tMilk\n2\ta\t3\n",
      "stdin:1:1: 2 cells, expected 3: id, title, number"),
    Case("no number", "1\tMilk\tx", "stdin:1:8: \(notWhole("number", "x"))"),
    Case("an exponent", "1\tMilk\t1e3", "stdin:1:8: \(notWhole("number", "1e3"))"),
    Case("a fraction", "1\tMilk\t2.0", "stdin:1:8: \(notWhole("number", "2.0"))"),
    Case("no title", "1\t\t2", "stdin:1:1: the item has no \"title\""),
    Case(
      "all faults", "x\ta\t1\n2\t\t1\n3\tb\ty",
      """
      stdin:1:1: \(notWhole("id", "x"))
      stdin:2:1: the item has no "title"
      stdin:3:5: \(notWhole("number", "y"))
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
    Case(
      "fields of the user's own", "title,shelf,size\na,top,\nb,,9",
      "title=\"a\" shelf=\"top\"\ntitle=\"b\" size=\"9\""),
    Case("a NUL", "title\na\0b\n\"c\0\"", "title=\"a\\u0000b\"\ntitle=\"c\\u0000\""),
    Case("blank lines", "title\n\u{a0}\na\n \r\n", "title=\"a\""),
    Case("a slip", "titel,title\na,b", "stdin:1:1: unknown field 'titel'. Did you mean 'title'?"),
    Case("a column without a name", "title,\na,b", "stdin:1:7: column without a name"),
    Case("a column twice", "title,title\na,b", "stdin:1:7: duplicate key \"title\""),
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
      "a known field twice", #"{"title":"a","title":"b"}"#, "stdin:1:14: duplicate key \"title\""),
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
    Case("nothing", #"{"id":1}"#, "1:"),
    Case("no id", #"{"title":"a"}"#, "stdin:1:1: the item has no \"id\""),
  ])
  func `changes need an id`(_ row: Case) {
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
    Case("a tab further down", "a\nb\tc", "text"), Case("a string", "\"a\"", "text"),
    Case("blanks past ASCII first", "\u{a0}\n\u{3000}\na\tb", "tsv"), Case("nothing", "", "text"),
    Case("other commas", "eggs,milk", "text"),
    Case("a blank after a comma", "title, number", "text"),
    Case("one name", "title", "text"), Case("a header", "title,number\na,1", "csv"),
    Case("a header in quotes", "\"title\",\"shelf\"", "csv"),
    Case("a header in capitals", "Shelf,TITLE\r\n", "csv"),
  ])
  func `the format is guessed from the beginning, but never CSV`(_ row: Case) throws {
    let read = { try Input(Array(row.input.utf8), Item.schema, use: .new, format: .auto) }
    if row.output == "csv" {
      let error = #expect(throws: UsageError.self, performing: read)
      #expect(error?.hint?.contains("--input csv") == true)
    } else {
      #expect(try read().format.rawValue == row.output)
    }
  }

  @Test func `columns name the cells of tab-separated values, own ones too`() {
    let columns = ["shelf", "id", "number"]
    #expect(
      Self.summary("top\t1\t3\n\t2\t\n", .changes, .auto, columns: columns)
        == "1: shelf=\"top\" number=3\n2:")
    #expect(Self.summary("top\t1", .ids, .tsv, columns: columns) == "1:")
    #expect(
      Self.summary("a\n", .new, .auto, columns: ["title"], defaults: [Member("shelf", text: "x")])
        == "title=\"a\" shelf=\"x\"")
    #expect(
      Self.summary("1", .new, .tsv, columns: ["number"])
        == "stdin:1:1: the list of columns has no \"title\"")
    #expect(
      Self.summary("number,title\n3,a", .new, .csv, columns: columns) == "number=3 title=\"a\"")
  }

  @Test func `blank texts of changes are noted at their places`() throws {
    let json = #"{"id": 1, "title": " "} {"id": 2, "title": "a"} {"title": "\u00a0", "id": 3}"#
    let input = try Input(Array(json.utf8), Item.schema, use: .changes, format: .json)
    #expect(input.faults.isEmpty)
    #expect(input.blanks.map(\.record) == [0, 2])
    #expect(input.blanks.map(\.origin) == [19, 58])
    #expect(input.blanks.map(\.text) == [" ", "\u{a0}"])
  }

  @Test(arguments: [InputFormat.text, .tsv, .csv, .json])
  func `bytes that are no text are refused`(format: InputFormat) throws {
    let input: [UInt8] = Array("title\nab".utf8) + [0xFF, 0x0A, 0xC3, 0x0A]
    let error = InputProblem.error(
      try Input(input, Item.schema, use: .new, format: format).faults.map(InputProblem.init),
      in: try Input(input, Item.schema, use: .new, format: format))
    #expect(
      error.messages == [
        "stdin:2:3: bytes that are not valid UTF-8", "stdin:3:1: bytes that are not valid UTF-8",
      ])
  }
}
