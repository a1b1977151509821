import TestSupport
import Testing

@testable import ItemStore

@Suite struct DocumentTests {
  /// The place of a key that stands twice is not mixed up of both, or looking at it later would leave
  /// the file.
  @Test func `keys that stand twice do not hide where the keys are`() throws {
    for count in [1, 40, 700] {
      let twice = (1...count).map { #"{"id": \#($0), "title": "t", "number": 1, "id": \#($0)}"# }
      let once = #"{"id": 1, "title": "t", "number": 1}"#
      let text = #"{"items": [\#((twice + [once]).joined(separator: ", "))]}"#
      let error = #expect(throws: FaultList.self) { try Document(Bytes(Array(text.utf8))) }
      #expect(error?.faults.first?.reason == .repeated(field: "id"))
      if count == 1 { #expect(error?.faults.last?.reason == .usedID("1", line: 1)) }
    }
  }

  /// LINE:COLUMN: REASON for each fault.
  static func faults(in bytes: [UInt8]) -> [String] {
    let bytes = Bytes(bytes)
    do throws(FaultList) {
      _ = try Document(bytes)
      return []
    } catch {
      return error.faults.map {
        let position = Position(offset: $0.offset, in: bytes)
        return "\(position.line):\(position.column): \($0.reason)"
      }
    }
  }

  private static let task = #""taskid": "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10""#

  @Test(arguments: [
    Row("nothing", ""), Row("blanks", " \r\n\t"), Row("a byte-order mark", "\u{feff}"),
    Row("a byte-order mark and a line end", "\u{feff}\n"), Row("no member", "{}"),
    Row("no member but blanks", " {\n} \n"), Row("empty lists", #"{"items": [], "tasks": [ ]}"#),
    Row("no list", #"{"lastID": 5, "note": "mine"}"#),
  ])
  func `a file without records is an empty store`(_ row: Row<String, Void>) throws {
    let document = try Document(Bytes(row.input))
    #expect(document.lists.map(\.count) == [0, 0])
  }

  @Test(arguments: [
    Row("the usual layout", Sandbox.seed),
    Row(
      "names with escapes",
      #"{"\u0069tems": [{"\u0069d": 1, "titl\u0065": "a", "numb\u0065r": 2}]}"#),
    Row(
      "whole numbers of any spelling",
      #"{"lastID": 2E0, "items": [{"id": 1.0, "title": "", "number": -5e2}]}"#),
    Row(
      "the limits of 64 bits",
      #"{"items": [{"id": 9223372036854775807, "title": "a", "number": -9223372036854775808}]}"#),
    Row(
      "ids that are negative, zero, or out of order",
      #"{"items": [{"id": 5, "title": "", "number": 0}, {"id": -1, "title": "", "number": 0}, {"id": 0, "title": "", "number": 0}]}"#
    ),
    Row(
      "the id of an item and a lower lastID",
      #"{"lastID": -3, "items": [{"id": 5, "title": "", "number": 0}]}"#),
    Row(
      "a UUID in capitals",
      #"{"tasks": [{"taskid": "5F2A91C4-0C5E-4A47-9D0E-2F4F5B8E7A10", "tasknote": "a"}]}"#),
    Row(
      "a UUID of zeros",
      #"{"tasks": [{"taskid": "00000000-0000-0000-0000-000000000000", "tasknote": "a"}]}"#),
    Row(
      "foreign fields, also twice",
      #"{"x": 1, "x": 2, "items": [{"y": 1, "id": 1, "y": {"id": "z"}, "title": "a", "number": 0}]}"#
    ),
    Row(
      "names that differ in case",
      #"{"Items": 1, "LASTID": "x", "items": [{"id": 1, "ID": "x", "title": "a", "number": 0}]}"#),
  ])
  func `a valid file is accepted`(_ row: Row<String, Void>) {
    #expect(Self.faults(in: Array(row.input.utf8)) == [])
    #expect(ReferenceChecker.faults(in: Array(row.input.utf8)) == [])
  }

  @Test(arguments: [
    Row(
      "an array", "[]",
      ["1:1: the data must be an object, not an array. To wrap the array: jq '{items: .}'"]),
    Row(
      "a string", "\n\"x\"",
      [#"2:1: the data must be an object like {"items": […]}"#]),
    Row("null", "null", [#"1:1: the data must be an object like {"items": […]}"#]),
    Row(
      "a list that is an object", #"{"items": {}}"#, [#"1:11: "items" must be an array like […]"#]),
    Row(
      "a list that is null", #"{"items": [], "tasks": null}"#,
      [#"1:24: "tasks" must be an array like […]"#]),
    Row(
      "a list that stands twice", #"{"items": [], "items": []}"#, [#"1:15: duplicate key "items""#]),
    Row(
      "a list that stands twice, once with escapes", #"{"items": [], "it\u0065ms": []}"#,
      [#"1:15: duplicate key "items""#]),
    Row(
      "lastID that is text", #"{"lastID": "7"}"#,
      [#"1:12: "lastID" must be a whole number, not "7""#]),
    Row(
      "lastID that is a fraction", #"{"lastID": 7.5}"#,
      [#"1:12: "lastID" must be a whole number, not 7.5"#]),
    Row(
      "lastID that is too large", #"{"lastID": 1e30}"#,
      [#"1:12: "lastID" must be a whole number of 64 bits, not 1e30"#]),
    Row(
      "lastID that ends like an exponent", #"{"lastID": true}"#,
      [#"1:12: "lastID" must be a whole number, not true"#]),
    Row(
      "lastID that stands twice", #"{"lastID": 1, "lastID": 1}"#, [#"1:15: duplicate key "lastID""#]
    ),
    Row(
      "an item that is a number", #"{"items": [5]}"#, ["1:12: each item must be an object like {…}"]
    ),
    Row(
      "a task that is an array", #"{"tasks": [[]]}"#, ["1:12: each task must be an object like {…}"]
    ),
    Row(
      "a task that is text", #"{"tasks": ["x"]}"#, ["1:12: each task must be an object like {…}"]),
    Row(
      "an item of nothing", #"{"items": [{}]}"#,
      [
        #"1:12: the item has no "id""#, #"1:12: the item has no "title""#,
        #"1:12: the item has no "number""#,
      ]),
    Row(
      "a task of nothing", #"{"tasks": [ { } ]}"#,
      [#"1:13: the task has no "taskid""#, #"1:13: the task has no "tasknote""#]),
    Row(
      "an id that is text", #"{"items": [{"id": "1", "title": "a", "number": 1}]}"#,
      [#"1:19: "id" must be a whole number, not "1""#]),
    Row(
      "an id that is a fraction", #"{"items": [{"id": 1.5, "title": "a", "number": 1}]}"#,
      [#"1:19: "id" must be a whole number, not 1.5"#]),
    Row(
      "an id past 64 bits", #"{"items": [{"id": 9223372036854775808, "title": "a", "number": 1}]}"#,
      [#"1:19: "id" must be a whole number of 64 bits, not 9223372036854775808"#]),
    Row(
      "a title that is null", #"{"items": [{"id": 1, "title": null, "number": 1}]}"#,
      [#"1:31: "title" must be a string, not null"#]),
    Row(
      "a title that is an object", #"{"items": [{"id": 1, "title": {"a": [1, 2]}, "number": 1}]}"#,
      [#"1:31: "title" must be a string, not {"a":[1,2]}"#]),
    Row(
      "a number that is true", #"{"items": [{"id": 1, "title": "a", "number": true}]}"#,
      [#"1:46: "number" must be a whole number, not true"#]),
    Row(
      "a number that is long text",
      #"{"items": [{"id": 1, "title": "a", "number": "0123456789012345678901234567890123456789"}]}"#,
      [#"1:46: "number" must be a whole number, not "01234567890123456789012345678901234567…"#]),
    Row(
      "a task id that is a number", #"{"tasks": [{"taskid": 5, "tasknote": "a"}]}"#,
      [#"1:23: "taskid" must be a UUID, not 5"#]),
    Row(
      "a task id without hyphens",
      #"{"tasks": [{"taskid": "5f2a91c40c5e4a479d0e2f4f5b8e7a10", "tasknote": "a"}]}"#,
      [#"1:23: "taskid" must be a UUID, not "5f2a91c40c5e4a479d0e2f4f5b8e7a10""#]),
    Row(
      "a task id that is too short",
      #"{"tasks": [{"taskid": "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a1", "tasknote": "a"}]}"#,
      [#"1:23: "taskid" must be a UUID, not "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a1""#]),
    Row(
      "a task id that is too long",
      #"{"tasks": [{"taskid": "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a100", "tasknote": "a"}]}"#,
      [#"1:23: "taskid" must be a UUID, not "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a100""#]),
    Row(
      "a task id with a letter that is no digit",
      #"{"tasks": [{"taskid": "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a1g", "tasknote": "a"}]}"#,
      [#"1:23: "taskid" must be a UUID, not "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a1g""#]),
    Row(
      "a note that is a number", "{\"tasks\": [{\(task), \"tasknote\": 5}]}",
      [#"1:75: "tasknote" must be a string, not 5"#]),
    Row(
      "a field twice", #"{"items": [{"id": 1, "title": "a", "number": 1, "title": "b"}]}"#,
      [#"1:49: duplicate key "title""#]),
    Row(
      "a field twice, once with escapes",
      #"{"items": [{"id": 1, "title": "a", "number": 1, "titl\u0065": "b"}]}"#,
      [#"1:49: duplicate key "title""#]),
    Row(
      "an id twice in an item", #"{"items": [{"id": 1, "id": 2, "title": "a", "number": 1}]}"#,
      [#"1:22: duplicate key "id""#]),
    Row(
      "columns in characters", #"{"items": [{"é🎉日": 1, "title": 5, "id": 1, "number": 1}]}"#,
      [#"1:32: "title" must be a string, not 5"#]),
    Row(
      "a line end behind a byte-order mark", "\u{feff}{\r\n\"items\": 5}",
      [#"2:10: "items" must be an array like […]"#]),
    Row(
      "faults in both lists", #"{"tasks": [1], "items": [2], "lastID": "x"}"#,
      [
        "1:12: each task must be an object like {…}", "1:26: each item must be an object like {…}",
        #"1:40: "lastID" must be a whole number, not "x""#,
      ]),
    Row(
      "the faults of a record, in order",
      #"{"items": [{"number": "x", "id": 1.5}, {"id": true, "title": 1, "number": 0}]}"#,
      [
        #"1:12: the item has no "title""#, #"1:23: "number" must be a whole number, not "x""#,
        #"1:34: "id" must be a whole number, not 1.5"#,
        #"1:47: "id" must be a whole number, not true"#, #"1:62: "title" must be a string, not 1"#,
      ]),
    Row(
      "faults of content before one of syntax", "{\"items\": [1],\n\"tasks\": [2,]}",
      [
        "1:12: each item must be an object like {…}", "2:11: each task must be an object like {…}",
        "2:12: trailing comma, which JSON does not allow",
      ]),
    Row("text behind the end", "{}\n{}", ["2:1: unexpected text after the end"]),
    Row("a NUL behind the end", "{}\0", ["1:3: unexpected text after the end"]),
    Row("a comment behind the end", "{}\n// x", ["2:1: comment, which JSON does not allow"]),
    Row(
      "a conflict behind the end", "{}\n>>>>>>> b\n", ["2:1: unresolved merge conflict (>>>>>>>)"]),
    Row(
      "a conflict between records",
      Sandbox.seed.replacing("    {\"id\": 3", with: "<<<<<<< HEAD\n    {\"id\": 3"),
      ["6:1: unresolved merge conflict (<<<<<<<)"]),
    Row("text before the object", "x{}", ["1:1: expected a value"]),
  ])
  func `what is wrong is named with its place`(_ row: Row<String, [String]>) {
    #expect(Self.faults(in: Array(row.input.utf8)) == row.output)
  }

  @Test(arguments: [
    Row("ascending", [1, 2, 3, 4, 4], "id 4 is already used on line 4"),
    Row("the first again", [1, 2, 3, 4, 1], "id 1 is already used on line 1"),
    Row("descending", [9, 8, 7, 6, 8], "id 8 is already used on line 2"),
    Row("in no order", [3, 9, 1, 7, 9], "id 9 is already used on line 2"),
    Row("negative", [-1, -2, -3, -4, -1], "id -1 is already used on line 1"),
    Row("the least", [.min, 1, 2, 3, .min], "id -9223372036854775808 is already used on line 1"),
  ])
  func `an id that is used twice is found`(_ row: Row<[Int], String>) {
    let records = row.input.map { #"{"id": \#($0), "title": "a", "number": 0}"# }
    let text = #"{"items": [\#(records.joined(separator: ",\n"))]}"#
    #expect(Self.faults(in: Array(text.utf8)) == ["5:8: " + row.output])
  }

  @Test(arguments: ["2.0", "2e0", "20E-1", "0.2e1"])
  func `an id that is spelled another way is the same id`(_ id: String) {
    let other = #""title": "a", "number": 0}"#
    let text = #"{"items": [{"id": 2, \#(other), {"id": \#(id), \#(other)]}"#
    #expect(
      Self.faults(in: Array(text.utf8)).map { $0.suffix(30) } == ["id 2 is already used on line 1"])
  }

  @Test(arguments: [
    "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "5F2A91C4-0C5E-4A47-9D0E-2F4F5B8E7A10",
    #"\u0035f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7A10"#,
  ])
  func `a task id that is used twice is found, whatever its case`(_ id: String) {
    let text = """
      {"tasks": [{\(Self.task), "tasknote": "a"},
      {"taskid": "\(id)", "tasknote": "b"}]}
      """
    #expect(
      Self.faults(in: Array(text.utf8)) == [
        "2:12: id 5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10 is already used on line 1"
      ])
  }

  @Test func `of many faults the first ones are reported`() {
    let faults = (1...30).map { "1:\(10 + 2 * $0): each item must be an object like {…}" }
    let items = [String](repeating: "0", count: 30).joined(separator: ",")
    let limit = FaultList.limit
    #expect(Self.faults(in: Array(#"{"items": [\#(items)]}"#.utf8)) == Array(faults[..<limit]))
    #expect(
      Self.faults(in: Array(#"{"items": [\#(items),]}"#.utf8))
        == faults[..<(limit - 1)] + ["1:71: trailing comma, which JSON does not allow"])
    let lists = [String](repeating: #""lastID": 0"#, count: 30).joined(separator: ",")
    #expect(Self.faults(in: Array("{\(lists)}".utf8)).count == limit)
  }

  // MARK: Records that look alike

  @Test func `records mean the same however each is laid out`() throws {
    Fuzz.run(60) { random in
      let records = random.records(random.int(0...20))
      let uniform = records.map { $0.text() }
      let mixed = records.map { record in
        random.once(in: 2) ? record.text() : random.laidOut(record)
      }
      let documents = try [uniform, mixed].map { texts in
        let gap = ",\n    "
        let text = "{\"items\": [\n    \(texts.joined(separator: gap))\n  ]}"
        do throws(FaultList) {
          return try Document(Bytes(text))
        } catch {
          throw Mismatch("\(error.faults) in \(text.debugDescription)")
        }
      }
      for document in documents {
        let list = document.list(Item.schema)
        let items = (0..<list.count).map { Item.model.record(StoredRecord(document, list, $0)) }
        try check(items == records.map(\.item), "\(items) in \(document.bytes.all.shown)")
        let highest = max(0, records.map(\.item.id).max() ?? 0)
        try check(document.highestID == highest, document.bytes.all.shown)
      }
    }
  }

  @Test(arguments: [
    Row("a blank more before a foreign value", #"{"id": 3, "x":  1, "title": "c", "number": 0}"#),
    Row(
      "a line end before a foreign value",
      "{\"id\": 3, \"x\": \n1, \"title\": \"c\", \"number\": 0}"),
    Row("a blank more before a known value", #"{"id":  3, "x": 1, "title": "c", "number": 0}"#),
    Row("a blank more before the colon", #"{"id" : 3, "x": 1, "title": "c", "number": 0}"#),
    Row("a blank more at the end", #"{"id": 3, "x": 1, "title": "c", "number": 0 }"#),
    Row("another field at the end", #"{"id": 3, "x": 1, "title": "c", "number": 0, "y": 0}"#),
    Row(
      "a foreign value of another kind", #"{"id": 3, "x": {"a": [ ]}, "title": "c", "number": 0}"#),
    Row("a number of another spelling", #"{"id": 3.0, "x": 1, "title": "c", "number": 0e5}"#),
    Row("another order", #"{"x": 1, "id": 3, "title": "c", "number": 0}"#),
    Row("a field less", #"{"id": 3, "title": "c", "number": 0}"#),
  ])
  func `a record that is nearly like those before it is read`(_ row: Row<String, Void>) throws {
    let alike = (1...2).map { #"{"id": \#($0), "x": 1, "title": "c", "number": 0}"# }
    let document = try Document(
      Bytes(#"{"items": [\#((alike + [row.input]).joined(separator: ", "))]}"#))
    let list = document.list(Item.schema)
    #expect(
      Item.model.record(StoredRecord(document, list, 2)) == Item(id: 3, title: "c", number: 0))
  }

  @Test func `the limit of nesting is the same for every record`() {
    let nested = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    for depth in JSONScanner.depthLimit - 4...JSONScanner.depthLimit - 2 {
      let faults = (1...4).map { deepest in
        let records = (1...4).map {
          #"{"id": \#($0), "title": "a", "number": 0, "x": \#(nested($0 == deepest ? depth : 1))}"#
        }
        return Self.faults(in: Array(#"{"items": [\#(records.joined(separator: ", "))]}"#.utf8))
          .count
      }
      #expect(faults == Array(repeating: depth > JSONScanner.depthLimit - 3 ? 1 : 0, count: 4))
    }
  }

  @Test(arguments: [
    Row("one record a line", #"{"id": 0, "title": "Title", "number": 7}"#),
    Row("minified", #"{"id":0,"title":"Title","number":7}"#),
    Row("a foreign field", #"{"id": 0, "x": [1.5, "é"], "title": "Title", "number": 7}"#),
    Row("escapes", #"{"\u0069d": 0, "title": "\ud83c\udf89", "number": 7e1}"#),
  ])
  func `one wrong byte anywhere is found at its place`(_ row: Row<String, Void>) {
    let records = (1...50).map { row.input.replacing("0", with: "\($0 * 3)", maxReplacements: 1) }
    let bytes = Array(
      "{\"items\": [\n\(records.joined(separator: ",\n"))\n],\n\"tasks\": []}\n".utf8)
    Fuzz.run(80) { random in try Self.compareWithReference(random.oneByteChanged(in: bytes)) }
  }

  @Test func `one wrong byte anywhere among tasks is found at its place`() {
    let records = (1...50).map {
      #"{"taskid": "\#(RecordKey(high: 7, low: UInt64($0) << 30).uuid)", "tasknote": "Call"}"#
    }
    let bytes = Array("{\"lastID\": 7, \"tasks\": [\(records.joined(separator: ",\n"))]}".utf8)
    Fuzz.run(80) { random in try Self.compareWithReference(random.oneByteChanged(in: bytes)) }
  }

  /// The one fault of syntax, or all of content.
  static func compareWithReference(_ bytes: [UInt8]) throws {
    let expected = ReferenceChecker.faults(in: bytes)
    var found: [ReferenceFault] = []
    do throws(FaultList) {
      _ = try Document(Bytes(bytes))
    } catch {
      found = error.faults.map { ReferenceFault($0) }
      // Faults of content come before one of syntax; the reference has none then.
      if expected.first?.tag == "syntax" { found = found.suffix(1) }
    }
    // What stands at one place is in no order.
    try check(
      found.sorted() == expected.prefix(FaultList.limit).sorted(),
      "found \(found), expected \(expected) in \(bytes.shown)")
  }
}

/// An item and fields of its user's own.
struct SampleRecord {
  let item: Item
  let foreign: [(name: String, value: String)]

  func text() -> String {
    let own = foreign.map { #", "\#($0.name)": \#($0.value)"# }.joined()
    let title = String(decoding: JSONString.encode(item.title), as: UTF8.self)
    return #"{"id": \#(item.id), "title": \#(title), "number": \#(item.number)\#(own)}"#
  }
}

extension SeededGenerator {
  mutating func records(_ count: Int) -> [SampleRecord] {
    let hasForeign = once(in: 2)
    let ids =
      once(in: 3) ? (0..<count).map { $0 - 3 }.shuffled(using: &self) : Array(1..<count + 1)
    return ids.map { id in
      SampleRecord(
        item: Item(id: id, title: text(), number: int(-9...99_999_999)),
        foreign: hasForeign ? [("due", value(depth: 1)), ("x", value(depth: 1))] : [])
    }
  }

  /// The same record with its fields in any order and white space anywhere.
  mutating func laidOut(_ record: SampleRecord) -> String {
    let item = record.item
    var members = [
      (spelled("id"), spelled(item.id)), (spelled("title"), spelled(item.title)),
      (spelled("number"), spelled(item.number)),
    ]
    members += record.foreign.map { (spelled($0.name), $0.value) }
    if once(in: 3) { members.append((spelled("mine"), value(depth: 2))) }
    if once(in: 3) { members.shuffle(using: &self) }
    let isUniform = once(in: 2)
    let text = members.map { name, value in
      isUniform ? "\(name): \(gap())\(value)" : "\(gap())\(name)\(gap()):\(gap())\(value)\(gap())"
    }
    return "{" + text.joined(separator: isUniform ? ", " : ",") + "}"
  }

  mutating func oneByteChanged(in bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let i = int(0...bytes.count - 1)
    let telling = Array("\"\\{}[],:0123456789-.eEutfn /#<\n\r\t\0".utf8) + [0x80, 0xC3, 0xED, 0xFF]
    switch int(0...3) {
    case 0: bytes.remove(at: i)
    case 1: bytes.insert(pick(telling), at: i)
    default: bytes[i] = once(in: 3) ? UInt8(int(0...255)) : pick(telling)
    }
    return bytes
  }
}
