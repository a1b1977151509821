import TestSupport
import Testing

@testable import ItemStore

/// What is made of records in an editor, as one change.
@Suite struct RevisionTests {
  private static let text = #"""
    {"lastID": 3, "items": [
      {"id": 1, "title": "caf\u00e9", "number": 1e0, "x": 1.50, "y": {"a":  [1], "b": ""}},
      {"id": 2, "title": "Eggs", "number": 12},
      {"id": 3, "title": "Bread", "number": 40, "d": 1, "d": 2}
    ]}
    """#

  /// - Parameter records: an id, or nil for a new record, and the members.
  private static func revision(
    of shown: Selection, _ records: [(id: Int?, members: String)]
  ) throws -> Revision {
    var batch = Batch(shown.schema)
    var references: [RecordReference?] = []
    for (place, record) in records.enumerated() {
      let bytes = Bytes(record.members)
      var scanner = JSONScanner(bytes)
      try scanner.skipObject { (scanner, name) throws(Fault) in
        let start = scanner.position
        try scanner.skipValue()
        batch.append(
          Member(
            name: JSONString.decode(name, in: bytes), value: bytes[start..<scanner.position][...]))
      }
      batch.endRecord(origin: place)
      references.append(try record.id.map { try RecordReference("\($0)", of: shown.schema) })
    }
    return try Revision(shown, to: batch, references)
  }

  private static let cafe =
    (id: 1 as Int?, members: #"{"title":"café","number":1,"x":1.5,"y":{"b":"","a":[1.0]}}"#)
  private static let eggs = (id: 2 as Int?, members: #"{"title":"Eggs","number":12}"#)
  private static let bread =
    (id: 3 as Int?, members: #"{"title":"Bread","number":40,"d":1,"d":2}"#)
  private static let tea = (id: nil as Int?, members: #"{"title":"Tea","number":5}"#)

  @Test func `other spellings are no change`() throws {
    let sandbox = try Sandbox(Self.text)
    let store = sandbox.store
    let shown = try store.select(Query(), of: Item.schema)
    let revision = try Self.revision(of: shown, [Self.cafe, Self.eggs, Self.bread])
    let outcome = try store.edit(revision)
    #expect(!outcome.isMade && outcome.touched.isEmpty && !revision.isReordered)
    #expect(try sandbox.content == Self.text)
    #expect(try sandbox.names == ["items.json"])
  }

  @Test(
    arguments: [
      Row("records", [2, 1, 3], true), Row("one that is gone", [1, 3], false),
      Row("none", [], false),
    ] as [Row<[Int], Bool>])
  func `another order is noticed`(_ row: Row<[Int], Bool>) throws {
    let sandbox = try Sandbox(Self.text)
    let shown = try sandbox.store.select(Query(), of: Item.schema)
    let all = [Self.cafe, Self.eggs, Self.bread]
    #expect(
      try Self.revision(of: shown, row.input.map { all[$0 - 1] }).isReordered == row.output)
  }

  @Test func `another order of members is noticed`() throws {
    let sandbox = try Sandbox(Self.text)
    let shown = try sandbox.store.select(Query(), of: Item.schema)
    let eggs = (id: 2 as Int?, members: #"{"number":12,"title":"Eggs"}"#)
    let revision = try Self.revision(of: shown, [Self.cafe, eggs, Self.bread])
    #expect(revision.isReordered)
    #expect(revision.touched.isEmpty)
  }

  @Test func `a change, a removal and a new record are one step`() throws {
    let sandbox = try Sandbox(Self.text)
    let store = sandbox.store
    let shown = try store.select(Query(), of: Item.schema)
    let cafe = (
      id: 1 as Int?, members: #"{"title":"café","number":2,"y":{"a":[1],"b":""},"z":true}"#
    )
    let outcome = try store.edit(try Self.revision(of: shown, [cafe, Self.eggs, Self.tea]))
    #expect(outcome.changedCount == 1)
    #expect(outcome.removedCount == 1)
    #expect(outcome.addedCount == 1)
    let touched: [Item] = outcome.touched.decoded()
    #expect(touched.map(\.id) == [1, 3, 4])
    let after = #"""
      {"lastID": 4, "items": [
        {"id": 1, "title": "caf\u00e9", "number": 2, "y": {"a":  [1], "b": ""}, "z": true},
        {"id": 2, "title": "Eggs", "number": 12},
        {"id": 4, "title": "Tea", "number": 5}
      ]}
      """#
    #expect(try sandbox.content == after)
    #expect(try store.perform(.undo).verb == .edit)
    #expect(try sandbox.content == Self.text)
    try store.redo()
    #expect(try sandbox.content == after)
  }

  @Test func `all records may give way to new ones`() throws {
    let sandbox = try Sandbox(Self.text)
    let store = sandbox.store
    let shown = try store.select(Query(), of: Item.schema)
    let outcome = try store.edit(try Self.revision(of: shown, [Self.tea]))
    #expect(outcome.removedCount == 3)
    #expect(
      try sandbox.content == #"""
        {"lastID": 4, "items": [
          {"id": 4, "title": "Tea", "number": 5}
        ]}
        """#)
    try store.undo()
    #expect(try sandbox.content == Self.text)
  }

  @Test func `the highest id is not given again after its record was taken out`() throws {
    let sandbox = try Sandbox(Self.text.replacing(#""lastID": 3, "#, with: ""))
    let store = sandbox.store
    let shown = try store.select(Query(), of: Item.schema)
    _ = try store.edit(try Self.revision(of: shown, [Self.cafe, Self.eggs]))
    #expect(try store.document().highestID == 3)
  }

  @Test(
    arguments: [
      Row("an id that was not shown", [Self.cafe, (7, "{}")], .notShown),
      Row("a record that was not shown", [Self.cafe, Self.bread], .notShown),
      Row("an id twice", [Self.eggs, Self.eggs], .givenTwice),
      Row(
        "a field given twice",
        [(2, #"{"title":"Eggs","number":12,"a":1,"a":2}"#)], .invalid(.repeated(field: "a"))),
      Row(
        "a blank title", [(2, #"{"title":" ","number":12}"#)], .invalid(.blank(field: "title"))),
    ] as [Row<[(id: Int?, members: String)], Rejection.Reason>])
  func `refused with its reason:`(
    _ row: Row<[(id: Int?, members: String)], Rejection.Reason>
  ) throws {
    let sandbox = try Sandbox(Self.text)
    let query = Query(targets: try ["1", "2"].map { try RecordReference($0, of: Item.schema) })
    let shown = try sandbox.store.select(query, of: Item.schema)
    let rejection = #expect(throws: Rejection.self) { try Self.revision(of: shown, row.input) }
    #expect(rejection?.problems.map(\.reason) == [row.output])
  }

  @Test(
    arguments: [
      Row("one value changed", #"{"title":"Bread","number":40,"d":1,"d":3}"#),
      Row("one taken out", #"{"title":"Bread","number":40,"d":2}"#),
      Row("both taken out", #"{"title":"Bread","number":40}"#),
    ] as [Row<String, Void>])
  func `a field that is stored twice cannot be edited:`(_ row: Row<String, Void>) throws {
    let sandbox = try Sandbox(Self.text)
    let shown = try sandbox.store.select(Query(), of: Item.schema)
    let rejection = #expect(throws: Rejection.self) {
      try Self.revision(of: shown, [Self.cafe, Self.eggs, (3, row.input)])
    }
    let reasons = Set(rejection?.problems.map(\.reason) ?? [])
    #expect(reasons == [.storedTwice(field: "d")])
  }

  @Test func `changes of other records stand, and those of the same ones win`() throws {
    let sandbox = try Sandbox(Self.text)
    let store = sandbox.store
    let shown = try store.select(Query(), of: Item.schema)
    let duck = (id: 2 as Int?, members: #"{"title":"Duck","number":12}"#)
    let revision = try Self.revision(of: shown, [Self.cafe, duck])
    try store.create(Item.Draft(title: "Salt", number: 1))
    try store.update(Item.self, id: 1) { $0.number = 77 }
    _ = try store.edit(revision)
    #expect(try store.all(Item.self).map(\.title) == ["café", "Duck", "Salt"])
    #expect(try store.find(Item.self, id: 1).number == 77)
    let content = try sandbox.content
    let rejection = #expect(throws: Rejection.self) { try store.edit(revision) }
    #expect(rejection?.problems.map(\.reason) == [.changedSinceShown, .changedSinceShown])
    #expect(try sandbox.content == content)
  }

  @Test func `any revision leaves what the editor had, and goes back and forth`() {
    Fuzz.run(40) { random in
      let sandbox = try Sandbox(random.document())
      let store = sandbox.store
      let before = try sandbox.bytes
      let shown = try store.select(Query(), of: Item.schema)
      let items: [Item] = shown.decoded()
      var records: [(id: Int?, members: String)] = []
      var expected: [String] = []
      for (record, item) in zip(shown.records, items) where !random.once(in: 3) {
        var members: [String] = []
        let isChanged = random.once(in: 2)
        StoredRecord(shown.document, shown.list, record).forEachMember { name, value in
          let (name, value) = (shown.document.bytes[name], shown.document.bytes[value])
          switch JSONString.decode(0..<name.count, in: Bytes(name)) {
          case "id": return
          case "number" where isChanged: members.append("\"number\": -5")
          case _:
            members.append(
              String(decoding: name, as: UTF8.self) + ":" + String(decoding: value, as: UTF8.self))
          }
        }
        records.append((item.id, "{\(members.joined(separator: ","))}"))
        expected.append("\(item.title) \(isChanged ? -5 : item.number)")
      }
      for _ in 0..<random.int(0...2) {
        records.append(Self.tea)
        expected.append("Tea 5")
      }
      let revision = try Self.revision(of: shown, records)
      let outcome = try store.edit(revision)
      let after = try sandbox.bytes
      let titles = try store.all(Item.self).map { "\($0.title) \($0.number)" }
      try check(titles == expected, "\(expected) in \(before.shown) gave \(after.shown)")
      try check(outcome.isMade == (after != before), after.shown)
      guard outcome.isMade else { return }
      let undone = try store.perform(.undo)
      try check(sandbox.bytes == before, "undo gave \(try sandbox.bytes.shown)")
      try check(undone.touched.records.count == outcome.touched.records.count, before.shown)
      try store.redo()
      try check(sandbox.bytes == after, "redo gave \(try sandbox.bytes.shown)")
    }
  }
}
