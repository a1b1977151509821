import TestSupport
import Testing

@testable import ItemStore

/// A value given to a field that items do not have of themselves, and the record after that.
private struct ForeignRow: CustomTestStringConvertible {
  let testDescription: String
  let field: String
  let value: String
  let after: String

  init(_ name: String, _ field: String, _ value: String, _ after: String) {
    (testDescription, self.field, self.value, self.after) = (name, field, value, after)
  }
}

/// Fields of a record, those given for it, and those it has then; nil where they are refused.
private struct FieldsRow: CustomTestStringConvertible {
  let testDescription: String
  let stored: String
  let given: String
  let after: String?

  init(_ name: String, _ stored: String, _ given: String, _ after: String?) {
    (testDescription, self.stored, self.given, self.after) = (name, stored, given, after)
  }
}

/// What is around and between the members of a record.
private struct LayoutRow: CustomTestStringConvertible {
  let testDescription: String
  let opening: String
  let between: String
  let closing: String

  init(_ name: String, _ opening: String, _ between: String, _ closing: String) {
    (testDescription, self.opening, self.between, self.closing) = (name, opening, between, closing)
  }
}

@Suite struct EditTests {
  private static let record = #"{"id": 1, "title": "New", "number": 7}"#

  @Test(
    arguments: [
      Row(
        "no file", nil,
        "{\n  \"lastID\": 1,\n  \"items\": [\n    \(record)\n  ],\n  \"tasks\": []\n}\n"),
      Row(
        "nothing", "",
        "{\n  \"lastID\": 1,\n  \"items\": [\n    \(record)\n  ],\n  \"tasks\": []\n}\n"),
      Row(
        "a byte-order mark", "\u{feff}",
        "\u{feff}{\n  \"lastID\": 1,\n  \"items\": [\n    \(record)\n  ],\n  \"tasks\": []\n}\n"),
      Row(
        "no member, and no line end", "{}",
        "{\n  \"lastID\": 1,\n  \"items\": [\n    \(record)\n  ],\n  \"tasks\": []\n}"),
      Row(
        "no member, and CRLF", "{\r\n}\r\n",
        "{\r\n  \"lastID\": 1,\r\n  \"items\": [\r\n    \(record)\r\n  ],\r\n  \"tasks\": []\r\n}\r\n"
      ),
      Row(
        "no member, with blanks around", "\n{ }\n\n",
        "\n{\n  \"lastID\": 1,\n  \"items\": [\n    \(record)\n  ],\n  \"tasks\": []\n}\n\n"),
      Row(
        "an empty list", "{\n  \"lastID\": 0,\n  \"items\": []\n}\n",
        "{\n  \"lastID\": 1,\n  \"items\": [\n    \(record)\n  ]\n}\n"),
      Row(
        "an empty list on two lines", "{\n  \"items\": [\n  ]\n}\n",
        "{\n  \"items\": [\n    \(record)\n  ]\n}\n"),
      Row(
        "an empty list, minified", #"{"items":[],"tasks":[]}"#,
        #"{"items":[{"id":1,"title":"New","number":7}],"tasks":[]}"#),
      Row("an empty list on one line", #"{"items": [ ]}"#, #"{"items": [\#(record)]}"#),
      Row(
        "an empty list with tabs and CRLF", "{\r\n\t\"items\": []\r\n}\r\n",
        "{\r\n\t\"items\": [\r\n\t\t\(record)\r\n\t]\r\n}\r\n"),
      Row(
        "no list, minified", #"{"tasks":[]}"#,
        #"{"tasks":[],"items":[{"id":1,"title":"New","number":7}]}"#),
      Row("no list, on one line", #"{"lastID": 0}"#, #"{"lastID": 1, "items": [\#(record)]}"#),
      Row(
        "no list, four blanks", "{\n    \"lastID\": 0\n}\n",
        "{\n    \"lastID\": 1,\n    \"items\": [\n        \(record)\n    ]\n}\n"),
      Row(
        "no list beside one with one member a line",
        "{\n  \"tasks\": [\n    {\n      \"taskid\": \"5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10\",\n      \"tasknote\": \"a\"\n    }\n  ]\n}\n",
        "{\n  \"tasks\": [\n    {\n      \"taskid\": \"5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10\",\n      \"tasknote\": \"a\"\n    }\n  ],\n  \"items\": [\n    {\n      \"id\": 1,\n      \"title\": \"New\",\n      \"number\": 7\n    }\n  ]\n}\n"
      ),
    ] as [Row<String?, String>])
  func `the first record is laid out after what is around it`(_ row: Row<String?, String>) throws {
    let folder = try Sandbox(row.input)
    try folder.store.create(Item.Draft(title: "New", number: 7))
    #expect(try folder.content == row.output)
  }

  @Test(arguments: [
    Row(
      "lastID is spelled as a fraction", #"{"lastID": 2.0, "items": []}"#,
      #"{"lastID": 3, "items": [{"id": 3, "title": "New", "number": 7}]}"#),
    Row(
      "lastID is lower than an id",
      #"{"lastID": 1, "items": [{"id": 5, "title": "a", "number": 0}]}"#,
      #"{"lastID": 6, "items": [{"id": 5, "title": "a", "number": 0}, {"id": 6, "title": "New", "number": 7}]}"#
    ),
    Row(
      "lastID is negative", #"{"items": [], "lastID": -7}"#,
      #"{"items": [{"id": 1, "title": "New", "number": 7}], "lastID": 1}"#),
    Row(
      "lastID stands behind", #"{"items":[],"lastID":9}"#,
      #"{"items":[{"id":10,"title":"New","number":7}],"lastID":10}"#),
    Row(
      "lastID is written with escapes", #"{"last\u0049D": 3, "items": []}"#,
      #"{"last\u0049D": 4, "items": [{"id": 4, "title": "New", "number": 7}]}"#),
  ])
  func `an added record raises lastID`(_ row: Row<String, String>) throws {
    let folder = try Sandbox(row.input)
    try folder.store.create(Item.Draft(title: "New", number: 7))
    #expect(try folder.content == row.output)
  }

  @Test(arguments: [
    Row("the first", [1], [2, 3, 4, 5]), Row("one in the middle", [3], [1, 2, 4, 5]),
    Row("the last", [5], [1, 2, 3, 4]), Row("neighbours", [2, 3], [1, 4, 5]),
    Row("the first two", [2, 1], [3, 4, 5]), Row("the last two", [4, 5], [1, 2, 3]),
    Row("every other", [5, 1, 3], [2, 4]), Row("all but the last", [1, 2, 3, 4], [5]),
    Row("all but the first", [5, 4, 3, 2], [1]), Row("all", [1, 2, 3, 4, 5], []),
  ])
  func `records are taken out with their commas and lines`(_ row: Row<[Int], [Int]>) throws {
    let text = { (ids: [Int]) in
      let lines = ids.map { "\n    {\"id\": \($0), \"title\": \"a\", \"number\": 1}" }
      return "{\n  \"lastID\": 5,\n  \"items\": [\(lines.joined(separator: ","))"
        + (ids.isEmpty ? "]\n}\n" : "\n  ]\n}\n")
    }
    let folder = try Sandbox(text([1, 2, 3, 4, 5]))
    let deleted = try folder.store.delete(Item.self, ids: row.input)
    #expect(deleted.map(\.id) == row.input)
    #expect(try folder.content == text(row.output))
  }

  @Test(arguments: [
    Row("as it is spelled", #"1"#, #""a""#), Row("a fraction", "1.0", #""a""#),
    Row("an exponent", "10e-1", #""a""#), Row("an escape", "1", #""\u0061""#),
  ])
  func `a value that is there already keeps its spelling`(_ row: Row<String, String>) throws {
    let text = #"{"items": [{"id": 1, "title": \#(row.output), "number": \#(row.input)}]}"#
    let folder = try Sandbox(text)
    let identity = try folder.identity
    try folder.store.update(Item.self, id: 1) {
      $0.title = "a"
      $0.number = 1
    }
    #expect(try folder.content == text)
    #expect(try folder.identity == identity)
    try folder.store.update(Item.self, id: 1) {
      $0.title = "a"
      $0.number = 2
    }
    #expect(try folder.content == text.replacing("\(row.input)}", with: "2}"))
  }

  private static func change(
    _ folder: Sandbox, _ id: String, _ members: [Member]
  ) throws -> Outcome {
    try folder.store.update(
      [try RecordReference(id, of: Item.schema)], of: Item.schema,
      withEachOf: Batch(Item.schema, [members]))
  }

  @Test(arguments: [
    ForeignRow("a number", "due", "1.50", #"{"id": 1, "due": 1.50, "title": "a", "number": 1}"#),
    ForeignRow("text", "due", #""b""#, #"{"id": 1, "due": "b", "title": "a", "number": 1}"#),
    ForeignRow(
      "an equal object", "due", #"{"x": [1,2.0]}"#,
      #"{"id": 1, "due": {"x":[1, 2.0]}, "title": "a", "number": 1}"#),
    ForeignRow(
      "a new field", "price", "2",
      #"{"id": 1, "due": {"x":[1, 2.0]}, "title": "a", "number": 1, "price": 2}"#),
    ForeignRow(
      "a new field with a list", "tags", #"["a","b"]"#,
      #"{"id": 1, "due": {"x":[1, 2.0]}, "title": "a", "number": 1, "tags": ["a", "b"]}"#),
    ForeignRow(
      "a new field whose name needs escapes", "a\"b", "null",
      #"{"id": 1, "due": {"x":[1, 2.0]}, "title": "a", "number": 1, "a\"b": null}"#),
  ])
  private func `a field of the user's own is changed or added`(_ row: ForeignRow) throws {
    let before = #"{"id": 1, "due": {"x":[1, 2.0]}, "title": "a", "number": 1}"#
    let folder = try Sandbox("{\"items\": [\(before)]}")
    let value = Array(row.value.utf8)[...]
    _ = try Self.change(folder, "1", [Member(name: row.field, value: value)])
    #expect(try folder.content == "{\"items\": [\(row.after)]}")
  }

  /// Names are told apart by their bytes, and of a name that stands several times the last is meant.
  @Test(arguments: [
    FieldsRow("equal ones", #""x": 1, "x": 2"#, #""x": 1, "x": 2"#, #""x": 1, "x": 2"#),
    FieldsRow("the last of two", #""x": 1, "x": 2"#, #""x": 2"#, #""x": 1, "x": 2"#),
    FieldsRow("another last of two", #""x": 1, "x": 2"#, #""x": 3"#, nil),
    FieldsRow("another first of two", #""x": 1, "x": 2"#, #""x": 3, "x": 2"#, nil),
    FieldsRow(
      "two of three", #""x": 1, "y": 0, "x": 2, "x": 3"#, #""x": 2, "x": 3, "y": 4"#,
      #""x": 1, "y": 4, "x": 2, "x": 3"#),
    FieldsRow("however they are spelled", #""\u0078": 1"#, #""x": 2"#, #""\u0078": 2"#),
    FieldsRow("more than there are", #""x": 1"#, #""x": 2, "x": 3"#, nil),
    FieldsRow("two new ones", #""x": 1"#, #""y": 2, "y": 2"#, nil),
    FieldsRow(
      "another spelling of the same character", #""\#u{e9}": 0"#, #""e\#u{301}": 3"#,
      #""\#u{e9}": 0, "e\#u{301}": 3"#),
    FieldsRow(
      "two spellings of one character", #""\#u{e9}": 0, "e\#u{301}": 1"#,
      #""\#u{e9}": 0, "e\#u{301}": 2"#, #""\#u{e9}": 0, "e\#u{301}": 2"#),
    FieldsRow("the sign for kelvin", #""K": 0"#, #""\#u{212a}": 3"#, #""K": 0, "\#u{212a}": 3"#),
  ])
  private func `fields of the user's own are found by their names`(_ row: FieldsRow) throws {
    let text = { (fields: String) in
      #"{"items": [{"id": 1, "title": "a", "number": 1, \#(fields)}]}"#
    }
    let folder = try Sandbox(text(row.stored))
    let given = try Document(Bytes(text(row.given)))
    var members: [Member] = []
    StoredRecord(given, given.list(Item.schema), 0).forEachMember { name, value in
      let name = JSONString.decode(name, in: given.bytes)
      if name != "id" { members.append(Member(name: name, value: given.bytes[value][...])) }
    }
    if let after = row.after {
      _ = try Self.change(folder, "1", members)
      #expect(try folder.bytes == Array(text(after).utf8))
    } else {
      #expect(throws: Rejection.self) { try Self.change(folder, "1", members) }
      #expect(try folder.content == text(row.stored))
    }
  }

  /// What is given for a field, and the record after that.
  @Test(arguments: [
    Row("the text that is printed", "low", #""low""#), Row("another text", "5", #""5""#),
    Row("a number as printed", "n=1.50", "1.50"), Row("another number", "n=1.5", "1.5"),
    Row("a word for a number", "n=many", #""many""#),
    Row("a number with zeros", "n=007", #""007""#),
    Row("a truth", "t=false", "false"), Row("no truth", "t=0", #""0""#),
    Row("null as printed", "z=null", "null"), Row("something for null", "z=1", #""1""#),
    Row("an array as printed", #"a=[1,"b"]"#, #"[1,  "b"]"#), Row("another array", "a=[2]", "[2]"),
    Row("a broken array", "a=[2", #""[2""#), Row("a word for null", "z=nul", #""nul""#),
    Row("two values", "n=1 2", #""1 2""#), Row("blanks around", "n= 2", #"" 2""#),
    Row("a new field", "new=5", #""5""#),
  ])
  func `a cell takes the kind of the value that it replaces`(_ row: Row<String, String>) throws {
    let record =
      #"{"id": 1, "title": "a", "number": 1, "s": "low", "n": 1.50, "t": true, "z": null, "a": [1,  "b"]}"#
    let folder = try Sandbox("{\"items\": [\(record)]}")
    let parts = row.input.split(separator: "=", maxSplits: 1).map(String.init)
    let (name, text) = parts.count == 1 ? ("s", parts[0]) : (parts[0], parts[1])
    var batch = Batch(Item.schema)
    batch.append(batch.field(named: name), as: .cell) { $0 += JSONString.encode(text) }
    batch.endRecord()
    _ = try folder.store.update(Query(), of: Item.schema, with: batch)
    let document = try folder.store.document()
    let range = StoredRecord(document, document.list(Item.schema), 0).range(of: name)
    #expect(document.bytes.text(try #require(range)) == row.output)
  }

  @Test(arguments: [
    LayoutRow("one line", "{", ", ", "}"), LayoutRow("minified", "{", ",", "}"),
    LayoutRow("one member a line", "{\n    ", ",\n    ", "\n  }"),
    LayoutRow("commas first", "{ ", "\n  , ", "\n  }"),
  ])
  private func `a member is taken out with its comma`(_ row: LayoutRow) throws {
    let members = [
      #""x": [1, 2]"#, #""id": 1"#, #""y": "a""#, #""title": "t""#, #""number": 1"#, #""z": 0"#,
    ]
    let text = { (out: Set<String>) in
      let kept = members.filter { !out.contains(String($0.dropFirst().prefix(1))) }
      return "{\"items\": [\(row.opening)\(kept.joined(separator: row.between))\(row.closing)]}"
    }
    for out in [["x"], ["y"], ["z"], ["x", "y"], ["y", "z"], ["x", "y", "z"], ["w"]]
      as [Set<String>]
    {
      let folder = try Sandbox(text([]))
      var batch = Batch(Item.schema)
      for name in out { batch.appendRemoval(of: name) }
      batch.endRecord()
      let outcome = try folder.store.update(Query(), of: Item.schema, with: batch)
      #expect(try folder.content == text(out))
      #expect(outcome.changedCount == (out == ["w"] ? 0 : 1))
      if out != ["w"] { try folder.store.undo() }
      #expect(try folder.content == text([]))
    }
  }

  @Test func `a member that is there twice is neither changed nor taken out`() throws {
    let text = #"{"items": [{"id": 7, "title": "a", "number": 1, "x": 1, "x": 2}]}"#
    let folder = try Sandbox(text)
    var removal = Batch(Item.schema)
    removal.appendRemoval(of: "x")
    removal.endRecord()
    for batch in [removal, Batch(Item.schema, [[Member("x", number: 3)]])] {
      #expect(throws: Rejection([.init(.storedTwice(field: "x"), noun: "item", id: "7")])) {
        try folder.store.update(Query(), of: Item.schema, with: batch)
      }
    }
    #expect(try folder.content == text)
  }

  @Test(arguments: [
    Row("the last of a line", [2], "[1,\n   3, 4,\n   5]"),
    Row("all of the first line", [1, 2], "[\n   3, 4,\n   5]"),
    Row("the first of a line", [3], "[1, 2,\n   4,\n   5]"),
    Row("the last of a line in the middle", [4], "[1, 2,\n   3,\n   5]"),
    Row("the last one and a whole line", [2, 3, 4], "[1,\n   5]"),
    Row("a whole line", [3, 4], "[1, 2,\n   5]"),
    Row("the last line", [5], "[1, 2,\n   3, 4]"),
  ])
  func `a delete leaves the next line where it is`(_ row: Row<[Int], String>) throws {
    let text = { (ids: String) in
      var text = ids
      for id in 1...5 {
        text = text.replacing("\(id)", with: "{'id': \(id), 'title': 'a', 'number': 0}")
      }
      return "{'lastID': 9, 'items': \(text)}".replacing("'", with: "\"")
    }
    let folder = try Sandbox(text("[1, 2,\n   3, 4,\n   5]"))
    try folder.store.delete(Item.self, ids: row.input)
    #expect(try folder.content == text(row.output))
    try folder.store.undo()
    #expect(try folder.content == text("[1, 2,\n   3, 4,\n   5]"))
  }

  @Test(arguments: [
    Row(
      "the neighbour's order", #"{"number": 1, "x": 0, "title": "a", "id": 1}"#,
      #"{"number": 7, "x": 5, "title": "b", "id": 2, "y": 6}"#),
    Row("no neighbour", "", #"{"id": 1, "y": 6, "number": 7, "title": "b", "x": 5}"#),
  ])
  func `a new record has its members in the order of its neighbour`(
    _ row: Row<String, String>
  ) throws {
    let folder = try Sandbox("{\"items\": [\(row.input)]}")
    let members = [
      Member("y", number: 6), Member("number", number: 7), Member("title", text: "b"),
      Member("x", number: 5),
    ]
    _ = try folder.store.add(Batch(Item.schema, [members]), to: Item.schema)
    #expect(
      try folder.content
        == "{\"items\": [\(row.input)\(row.input.isEmpty ? "" : ", ")\(row.output)]}")
  }

  // MARK: Any layout

  private static func tree(_ bytes: [UInt8]) throws -> ReferenceNode {
    var parser = ReferenceParser(bytes)
    return try parser.document()
  }

  private static func expect(_ folder: Sandbox, _ model: ReferenceNode) throws {
    let bytes = try folder.bytes
    try check(ReferenceChecker.faults(in: bytes) == [], bytes.shown)
    let found = try tree(bytes).meaning
    try check(found == model.meaning, "\(bytes.shown) is not \(model.meaning)")
  }

  @Test func `an update in any layout changes the bytes of the value and no others`() {
    Fuzz.run(60) { random in
      let folder = try Sandbox(random.document())
      let before = try folder.bytes
      let tree = try Self.tree(before)
      guard let record = tree["items"]?.elements.randomElement(using: &random),
        let id = record["id"]?.integer, let title = record["title"], let number = record["number"]
      else { return }
      let (text, value) = ("unlike any " + random.text(), random.int(-200 ... -100))
      try folder.store.update(Item.self, id: id) {
        $0.title = text
        $0.number = value
      }
      var expected = before
      let splices = [(title, JSONString.encode(text)), (number, Array(String(value).utf8))]
      for (node, new) in splices.sorted(by: { $0.0.offset > $1.0.offset }) {
        expected.replaceSubrange(node.range, with: new)
      }
      try check(folder.bytes == expected, "\(try folder.bytes.shown) is not \(expected.shown)")
    }
  }

  @Test func `a delete in any layout takes out one stretch of bytes with the record in it`() {
    Fuzz.run(60) { random in
      let folder = try Sandbox(random.document())
      let before = try folder.bytes
      let tree = try Self.tree(before)
      guard let records = tree["tasks"]?.elements,
        let record = records.randomElement(using: &random),
        case .string(let id)? = record["taskid"]?.value
      else { return }
      try folder.store.delete(ToDoTask.self, id: id)
      let after = try folder.bytes
      let removed = before.count - after.count
      // A stretch that can be taken out may be shifted where it begins as what follows it does.
      let starts = max(0, record.range.upperBound - removed)...record.offset
      let isOneStretch = starts.contains { start in
        before[..<start] + before[(start + removed)...] == after[...]
      }
      try check(isOneStretch, "\(before.shown) became \(after.shown)")
      var model = tree
      model["tasks"]?.value = .array(records.filter { $0.offset != record.offset })
      try Self.expect(folder, model)
    }
  }

  @Test func `a record added in any layout comes last, and goes without a trace`() {
    Fuzz.run(60) { random in
      let folder = try Sandbox(random.document())
      let before = try folder.bytes
      var model = try Self.tree(before)
      let item = try folder.store.create(Item.Draft(title: random.text() + "!", number: 7))
      if case .object(let members) = model.value, !members.isEmpty {
        if model["items"] == nil { model["items"] = ReferenceNode(value: .array([])) }
        if let last = model["lastID"]?.integer, last < item.id {
          model["lastID"] = ReferenceNode(value: .number(String(item.id)))
        }
        let list = model["items"]?.elements ?? []
        model["items"]?.value = .array(list + [ReferenceNode(item, after: list.last)])
        try Self.expect(folder, model)
        guard !list.isEmpty else { return }
        try folder.store.delete(Item.self, id: item.id)
        model["items"]?.value = .array(list)
        if model["lastID"] == nil {
          guard case .object(let members) = model.value else { return }
          let last = ReferenceNode(value: .number(String(item.id)))
          model.value = .object([("lastID", 0, last)] + members)
        }
        try Self.expect(folder, model)
        // All but `lastID` is as it was, byte for byte.
        var expected = before
        if let old = try Self.tree(before)["lastID"] {
          if let last = old.integer, last < item.id {
            expected.replaceSubrange(old.range, with: Array(String(item.id).utf8))
          }
          try check(folder.bytes == expected, "\(try folder.bytes.shown) is not \(expected.shown)")
        } else {
          let added = try folder.bytes.count - before.count
          let (start, after) = (before.firstIndex(of: UInt8(ascii: "{")) ?? 0, try folder.bytes)
          let name = after[start...].firstIndex(of: UInt8(ascii: "\"")) ?? 0
          try check(Array(after[..<name] + after[(name + added)...]) == before, after.shown)
        }
      }
    }
  }
}
