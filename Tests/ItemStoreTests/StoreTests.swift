import Foundation
import TestSupport
import Testing

@testable import ItemStore

@Suite struct StoreTests {
  private static let bank = "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10"
  private static let rent = "5f2ab007-1111-4222-8333-444455556666"

  // MARK: Reading

  @Test func `a store that is not there is empty, and reading makes nothing`() throws {
    let folder = try Sandbox()
    #expect(try folder.store.all(Item.self).isEmpty)
    #expect(try folder.store.all(ToDoTask.self).isEmpty)
    #expect(throws: StoreError.notFound(noun: "item", ids: ["1"])) {
      try folder.store.find(Item.self, id: 1)
    }
    #expect(try folder.names.isEmpty)
  }

  @Test func `records are read in the order of the file`() throws {
    let folder = try Sandbox(Sandbox.seed)
    #expect(
      try folder.store.all() == [
        Item(id: 1, title: "Milk", number: 3), Item(id: 2, title: "Eggs", number: 12),
        Item(id: 3, title: "Bread", number: 40),
      ])
    #expect(
      try folder.store.all() == [
        ToDoTask(taskid: Self.bank, tasknote: "Call the bank"),
        ToDoTask(taskid: Self.rent, tasknote: "Pay rent"),
      ])
    #expect(try folder.names == ["items.json"])
  }

  @Test func `records are found in the order of the ids, each once`() throws {
    let folder = try Sandbox(Sandbox.seed)
    #expect(try folder.store.find(Item.self, ids: [3, 1, 3]).map(\.title) == ["Bread", "Milk"])
    #expect(try folder.store.find(Item.self, ids: []) == [])
    #expect(
      try folder.store.find(ToDoTask.self, ids: [Self.rent, "5f2ab"]).map(\.id) == [Self.rent])
  }

  @Test func `text and numbers are read however they are spelled`() throws {
    let folder = try Sandbox(
      #"{"items": [{"number": -1.20e3, "\u0069d": 10e0, "title": "caf\u00e9 \ud83c\udf89\n"}]}"#)
    #expect(
      try folder.store.find(Item.self, id: 10) == Item(id: 10, title: "café 🎉\n", number: -1200))
  }

  // MARK: Creating

  @Test func `what is given is kept, and a number that is not is 0`() throws {
    let folder = try Sandbox()
    #expect(
      try folder.store.create(Item.Draft(title: "Milk")) == Item(id: 1, title: "Milk", number: 0))
    #expect(
      try folder.store.create(Item.Draft(title: "Eggs", number: .min))
        == Item(id: 2, title: "Eggs", number: .min))
    #expect(try folder.store.all(Item.self).map(\.number).last == .min)
  }

  @Test func `a task gets a random UUID in lower case`() throws {
    let folder = try Sandbox(Sandbox.seed)
    let tasks = try (1...3).map { try folder.store.create(ToDoTask.Draft(tasknote: "\($0)")) }
    for task in tasks {
      let uuid = try #require(UUID(uuidString: task.taskid))
      #expect(task.taskid == uuid.uuidString.lowercased())
      // Version 4 of variant 10.
      #expect(uuid.uuid.6 >> 4 == 4 && uuid.uuid.8 >> 6 == 0b10)
    }
    #expect(Set(tasks.map(\.taskid)).count == 3)
    #expect(try folder.store.all(ToDoTask.self).suffix(3) == tasks)
    #expect(try folder.store.all(Item.self).count == 3)
  }

  @Test func `a batch is added at once, in its order`() throws {
    let folder = try Sandbox(Sandbox.seed)
    let values = (1...500).map { (n: Int) in Item.Draft(title: "t\(n)", number: n) }
    let items = try folder.store.create(values)
    #expect(items == (1...500).map { Item(id: 3 + $0, title: "t\($0)", number: $0) })
    #expect(try folder.store.all().suffix(500) == items)
    try folder.store.undo()
    #expect(try folder.content == Sandbox.seed)
  }

  @Test(arguments: ["", " ", "\t\n", "\u{3000}", "\u{a0}\u{2028}"])
  func `blank text is refused, wherever it stands in a batch`(_ text: String) throws {
    let folder = try Sandbox(Sandbox.seed)
    let blankTitle = StoreError.blank(field: "title")
    let blankNote = StoreError.blank(field: "tasknote")
    #expect(throws: blankTitle) {
      try folder.store.create([Item.Draft(title: "a"), Item.Draft(title: text)])
    }
    #expect(throws: blankTitle) {
      try folder.store.update(Item.self, id: 1) {
        $0.title = text
        $0.number = 8
      }
    }
    #expect(throws: blankNote) { try folder.store.create(ToDoTask.Draft(tasknote: text)) }
    #expect(throws: blankNote) {
      try folder.store.update(ToDoTask.self, id: Self.bank) { $0.tasknote = text }
    }
    #expect(try folder.content == Sandbox.seed)
    #expect(try folder.names == ["items.json"])
  }

  // MARK: Updating

  @Test func `an update changes what is given and returns the records as they are now`() throws {
    let folder = try Sandbox(Sandbox.seed)
    #expect(
      try folder.store.update(Item.self, ids: [3, 1]) { $0.number = 7 } == [
        Item(id: 3, title: "Bread", number: 7), Item(id: 1, title: "Milk", number: 7),
      ])
    #expect(try folder.store.all(Item.self).map(\.number) == [7, 12, 7])
    #expect(
      try folder.store.update(ToDoTask.self, id: "5F2AB") { $0.tasknote = "\"x\"\n" }
        == ToDoTask(taskid: Self.rent, tasknote: "\"x\"\n"))
    #expect(try folder.store.find(ToDoTask.self, id: "5f2ab").tasknote == "\"x\"\n")
  }

  @Test func `what changes nothing writes nothing`() throws {
    let folder = try Sandbox(Sandbox.seed)
    let identity = try folder.identity
    let store = folder.store
    try store.update(Item.self, id: 1) {
      $0.title = "Milk"
      $0.number = 3
    }
    try store.update(ToDoTask.self, id: Self.bank) { $0.tasknote = "Call the bank" }
    #expect(try store.create([Item.Draft]()) == [])
    #expect(try store.delete(Item.self, ids: []) == [])
    #expect(try store.update(Item.self, ids: []) { $0.number = 1 } == [])
    #expect(try folder.names == ["items.json"])
    #expect(try folder.identity == identity)
    // Nor once there is a log.
    try store.create(Item.Draft(title: "First Title"))
    try store.undo()
    let later = try folder.identity
    try store.update(Item.self, id: 1) {
      $0.title = "Milk"
      $0.number = 3
    }
    #expect(try store.create([Item.Draft]()) == [])
    #expect(try store.delete(Item.self, ids: []) == [])
    #expect(try folder.identity == later)
  }

  @Test func `deleting all of an empty list writes nothing`() throws {
    let folder = try Sandbox(#"{"items": [ ]}"#)
    #expect(try folder.store.deleteAll(ToDoTask.self) == [])
    #expect(try folder.content == #"{"items": [ ]}"#)
  }

  // MARK: Deleting

  @Test func `a delete returns the records as they were`() throws {
    let folder = try Sandbox(Sandbox.seed)
    #expect(
      try folder.store.delete(Item.self, ids: [3, 1, 3]) == [
        Item(id: 3, title: "Bread", number: 40), Item(id: 1, title: "Milk", number: 3),
      ])
    #expect(try folder.store.all(Item.self).map(\.id) == [2])
    #expect(try folder.store.delete(ToDoTask.self, id: "5F2A9").tasknote == "Call the bank")
    #expect(try folder.store.all(ToDoTask.self).map(\.id) == [Self.rent])
  }

  @Test func `delete all takes the records of one type and leaves the other`() throws {
    let folder = try Sandbox(Sandbox.seed)
    #expect(try folder.store.deleteAll(Item.self).map(\.id) == [1, 2, 3])
    #expect(try folder.store.all(Item.self).isEmpty)
    #expect(try folder.store.deleteAll(ToDoTask.self).map(\.id) == [Self.bank, Self.rent])
    #expect(try folder.content == "{\n  \"lastID\": 3,\n  \"items\": [],\n  \"tasks\": []\n}\n")
  }

  // MARK: Ids

  @Test func `an id is never given twice`() throws {
    let folder = try Sandbox(#"{"items": [{"id": 5, "title": "a", "number": 0}]}"#)
    let store = folder.store
    var given = [try store.create(Item.Draft(title: "First Title")).id]
    try store.delete(Item.self, id: 6)
    given.append(try store.create(Item.Draft(title: "First Title")).id)
    try store.deleteAll(Item.self)
    given.append(try store.create(Item.Draft(title: "First Title")).id)
    try store.undo()
    given.append(try store.create(Item.Draft(title: "First Title")).id)
    try store.undo()
    try store.create(ToDoTask.Draft(tasknote: "x"))
    given += try store.create([Item.Draft(title: "x"), Item.Draft(title: "x")]).map(\.id)
    #expect(given == [6, 7, 8, 9, 10, 11])
    // The file remembers what was given from it when the log is lost.
    try store.deleteAll(Item.self)
    try FileManager.default.removeItem(at: folder.companion)
    #expect(try store.create(Item.Draft(title: "First Title")).id == 12)
  }

  @Test(arguments: [
    Row("no list", #"{}"#, 1), Row("lastID alone", #"{"lastID": 41}"#, 42),
    Row("no lastID", #"{"items": [{"id": 7, "title": "", "number": 0}]}"#, 8),
    Row(
      "a lastID that is too low", #"{"lastID": 2, "items": [{"id": 7, "title": "", "number": 0}]}"#,
      8),
    Row(
      "ids below one",
      #"{"items": [{"id": -7, "title": "", "number": 0}, {"id": 0, "title": "", "number": 0}]}"#, 1),
    Row("a lastID below one", #"{"lastID": -5}"#, 1),
    Row(
      "the highest first",
      #"{"items": [{"id": 9, "title": "", "number": 0}, {"id": 2, "title": "", "number": 0}]}"#, 10),
    Row("one below the greatest", #"{"lastID": 9223372036854775806}"#, .max),
  ])
  func `the next id is one above all that were given`(_ row: Row<String, Int>) throws {
    let folder = try Sandbox(row.input)
    #expect(try folder.store.create(Item.Draft(title: "First Title")).id == row.output)
  }

  @Test(arguments: [
    Row("an id", #"{"items": [{"id": 9223372036854775807, "title": "", "number": 0}]}"#),
    Row("lastID", #"{"lastID": 9223372036854775807, "items": []}"#),
  ])
  func `past the greatest id there is no other`(_ row: Row<String, Void>) throws {
    let folder = try Sandbox(row.input)
    #expect(throws: StoreError.noFreeID) {
      try folder.store.create(Item.Draft(title: "First Title"))
    }
    #expect(throws: StoreError.noFreeID) {
      try folder.store.create([Item.Draft(title: "x"), Item.Draft(title: "x")])
    }
    #expect(try folder.content == row.input)
    try folder.store.create(ToDoTask.Draft(tasknote: "x"))
  }

  /// Items with these ids as they are spelled, the first at 0 of the input, the next at 1.
  private static func items(_ ids: [String?]) -> Batch {
    var batch = Batch(Item.schema)
    for (i, id) in ids.enumerated() {
      if let id { batch.append(Member(name: "id", value: Array(id.utf8)[...])) }
      batch.append(Member("title", text: "t"))
      batch.endRecord(origin: i)
    }
    return batch
  }

  @Test(
    arguments: [
      Row("free", ["7"], [7]),
      Row("free, and raised above", ["9", nil, "12", nil], [9, 13, 12, 14]),
      Row("below the highest", ["-4", nil], [-4, 4]),
      Row("of another spelling", ["8.0", nil], [8, 9]),
      Row("the greatest", ["9223372036854775807"], [.max]),
    ] as [Row<[String?], [Int]>])
  func `a record that brings its own id keeps it`(_ row: Row<[String?], [Int]>) throws {
    let folder = try Sandbox(Sandbox.seed)
    let change = try folder.store.add(Self.items(row.input), to: Item.schema)
    #expect(change.touched.decoded(as: Item.self).map(\.id) == row.output)
    #expect(try folder.store.all(Item.self).map(\.id) == [1, 2, 3] + row.output)
  }

  @Test func `ids that are taken or brought twice are all named, and nothing is added`() throws {
    let folder = try Sandbox(Sandbox.seed)
    let items = Self.items(["7", "2", "8", "3.0", "7.0", "9"])
    let expected = [("2", 1), ("3", 3), ("7", 4)].map {
      Rejection.Problem(.taken, noun: "item", id: $0, origin: $1)
    }
    #expect(throws: Rejection(expected)) { try folder.store.add(items, to: Item.schema) }
    #expect(try folder.content == Sandbox.seed)
    let task = [Member("taskid", text: Self.bank.uppercased()), Member("tasknote", text: "x")]
    #expect(throws: Rejection([.init(.taken, noun: "task", id: Self.bank)])) {
      try folder.store.add(Batch(ToDoTask.schema, [task]), to: ToDoTask.schema)
    }
    #expect(throws: StoreError.noFreeID) {
      try folder.store.add(Self.items(["9223372036854775807", nil]), to: Item.schema)
    }
    #expect(try folder.content == Sandbox.seed)
  }

  // MARK: Finding

  @Test(arguments: [
    Row("a prefix", "5f2a9", bank), Row("in capitals", "5F2AB0", rent),
    Row("up to a hyphen", "5f2a91c4-", bank), Row("past a hyphen", "5f2ab007-1", rent),
    Row("all of it", bank, bank), Row("all of it in capitals", rent.uppercased(), rent),
  ])
  func `a task is found by what begins its id`(_ row: Row<String, String>) throws {
    let folder = try Sandbox(Sandbox.seed)
    #expect(try folder.store.find(ToDoTask.self, id: row.input).taskid == row.output)
    try folder.store.delete(ToDoTask.self, id: row.input)
    #expect(try folder.store.all(ToDoTask.self).contains { $0.id == row.output } == false)
  }

  @Test(arguments: [
    "5f2", "", "5f2b", "abcd", "5f2a91c40c5e", "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a100", "zzzz",
    "5f2a-", " 5f2a9", "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a1x", "0000",
  ])
  func `text that begins no id finds no task`(_ text: String) throws {
    let folder = try Sandbox(Sandbox.seed)
    let error = StoreError.notFound(noun: "task", ids: [text])
    #expect(throws: error) { try folder.store.find(ToDoTask.self, id: text) }
    #expect(throws: error) { try folder.store.delete(ToDoTask.self, id: text) }
    #expect(try folder.content == Sandbox.seed)
  }

  @Test func `text that is no UUID does not find the UUID of zeros`() throws {
    let zeros = "00000000-0000-0000-0000-000000000000"
    let text = #"{"tasks": [{"taskid": "\#(zeros)", "tasknote": "a"}]}"#
    let folder = try Sandbox(text)
    #expect(throws: StoreError.notFound(noun: "task", ids: ["groceries"])) {
      try folder.store.delete(ToDoTask.self, id: "groceries")
    }
    #expect(try folder.content == text)
    #expect(try folder.store.delete(ToDoTask.self, id: "0000").taskid == zeros)
  }

  @Test func `a prefix of several ids is refused with the candidates`() throws {
    let folder = try Sandbox(Sandbox.seed)
    let error = StoreError.ambiguous(
      noun: "task", id: "5F2A",
      candidates: ["\(Self.bank)  Call the bank", "\(Self.rent)  Pay rent"])
    #expect(throws: error) { try folder.store.find(ToDoTask.self, id: "5F2A") }
    #expect(throws: error) {
      try folder.store.update(ToDoTask.self, id: "5F2A") { $0.tasknote = "x" }
    }
    #expect(throws: error) { try folder.store.delete(ToDoTask.self, ids: ["5f2a9", "5F2A"]) }
    #expect(try folder.content == Sandbox.seed)
  }

  @Test func `an id of many is found among many`() throws {
    let keys = (0..<300).map { RecordKey(high: UInt64($0) << 40, low: UInt64($0)).uuid }
    let records = keys.map { #"{"taskid": "\#($0)", "tasknote": "\#($0)"}"# }
    let folder = try Sandbox(#"{"tasks": [\#(records.joined(separator: ","))]}"#)
    let wanted = stride(from: 298, through: 0, by: -2).map { keys[$0] }
    #expect(try folder.store.find(ToDoTask.self, ids: wanted).map(\.id) == wanted)
    #expect(try folder.store.find(ToDoTask.self, ids: keys).map(\.tasknote) == keys)
  }

  @Test func `numbers are found in lists of any order, looked for in any order`() throws {
    Fuzz.run(60) { random in
      var ids = Array(Set((0..<random.int(0...40)).map { _ in random.int(-30...60) })).sorted()
      if random.once(in: 3) { ids.shuffle(using: &random) }
      let records = ids.map { #"{"id":\#($0),"title":"t","number":\#($0)}"# }
      let folder = try Sandbox(#"{"items":[\#(records.joined(separator: ","))]}"#)
      var wanted = ids.filter { _ in random.once(in: 2) }
      if random.once(in: 2) { wanted.shuffle(using: &random) }
      let found = try folder.store.find(Item.self, ids: wanted).map(\.number)
      try check(found == wanted, "\(found) for \(wanted) of \(ids)")
      let asked = (-32...62).filter { _ in random.once(in: 4) }.shuffled(using: &random)
      let missing = asked.filter { !ids.contains($0) }
      if missing.isEmpty { return }
      do {
        _ = try folder.store.find(Item.self, ids: asked)
        throw Mismatch("\(asked) found in \(ids)")
      } catch StoreError.notFound(_, let ids) {
        try check(ids == missing.map(String.init), "\(asked) of \(ids)")
      }
    }
  }

  @Test func `one id given twice in a batch of changes is refused`() throws {
    let folder = try Sandbox(Sandbox.seed)
    let targets = try ["1", "2", "1", "01"].map { try RecordReference($0, of: Item.schema) }
    let batch = Batch(
      Item.schema, Array(repeating: [Member("number", number: 8)], count: targets.count))
    #expect(
      throws: Rejection(["1", "01"].map { .init(.givenTwice, noun: "item", id: $0) })
    ) { try folder.store.update(targets, of: Item.schema, withEachOf: batch) }
    #expect(try folder.content == Sandbox.seed)
  }

  @Test func `every text of a batch that would become blank is named`() throws {
    let folder = try Sandbox(Sandbox.seed)
    var batch = Batch(Item.schema)
    for (i, title) in ["", "Tea", " ", "\u{3000}"].enumerated() {
      batch.append(Member("title", text: title))
      batch.endRecord(origin: 10 * i)
    }
    let targets = try ["3", "2", "1", "1"].map { try RecordReference($0, of: Item.schema) }
    let blank = [0, 20, 30].map {
      Rejection.Problem(.invalid(.blank(field: "title")), noun: "item", origin: $0)
    }
    let again = Rejection.Problem(.givenTwice, noun: "item", id: "1")
    #expect(throws: Rejection([again] + blank)) {
      try folder.store.update(targets, of: Item.schema, withEachOf: batch)
    }
    #expect(throws: Rejection(Array(blank.dropLast()))) {
      try folder.store.update(Array(targets.dropLast()), of: Item.schema, withEachOf: batch)
    }
    #expect(try folder.content == Sandbox.seed)
  }

  @Test func `fields of a batch stay apart and in their order`() throws {
    let folder = try Sandbox(#"{"items":[]}"#)
    var batch = Batch(Item.schema)
    let value = { (name: String, json: String) in Member(name: name, value: Array(json.utf8)[...]) }
    for members in [
      [value("number", "1"), value("id", "2"), value("x", "3"), value("title", #""a""#)],
      [value("title", #""b""#), value("x", "[4]"), value("y", "5"), value("x", "6")],
      [value("y", "7"), value("title", #""""#), value("number", "-8e0"), value("id", "1")],
    ] {
      for member in members { batch.append(member) }
      if !batch.isGiven(2) { batch.append(value("number", "9")) }
      batch.endRecord()
    }
    _ = try folder.store.add(batch, to: Item.schema)
    let records = [
      #"{"number":1,"id":2,"x":3,"title":"a"}"#,
      #"{"id":3,"title":"b","x":[4],"y":5,"x":6,"number":9}"#,
      #"{"y":7,"title":"","number":-8e0,"id":1}"#,
    ]
    #expect(try folder.content == #"{"items":[\#(records.joined(separator: ","))]}"#)
  }

  @Test func `every id that there is not is named, and nothing is changed`() throws {
    let folder = try Sandbox(Sandbox.seed)
    let error = StoreError.notFound(noun: "item", ids: ["99", "-1"])
    #expect(throws: error) { try folder.store.find(Item.self, ids: [1, 99, 2, -1]) }
    #expect(throws: error) { try folder.store.delete(Item.self, ids: [1, 99, 2, -1]) }
    #expect(throws: error) {
      try folder.store.update(Item.self, ids: [99, 3, -1]) { $0.number = 0 }
    }
    #expect(error.description == "no item with id 99\nno item with id -1")
    #expect(try folder.content == Sandbox.seed)
    #expect(try folder.names == ["items.json"])
  }

  // MARK: Files that are not understood

  @Test(arguments: [
    Row("not JSON", "{\"items\": [}", "1:12: expected a value"),
    Row(
      "a wrong type", #"{"items": [{"id": 1, "title": 5, "number": 1}]}"#,
      #"1:31: "title" must be a string, not 5"#),
    Row(
      "a trailing comma", "{\"items\": [],\n}", "1:13: trailing comma, which JSON does not allow"),
    Row(
      "an array", "[]",
      "1:1: the data must be an object, not an array. To wrap the array: jq '{items: .}'"),
    Row(
      "somebody else's file", #"{"name": "app", "Items": []}"#,
      #"1:1: this seems to be the file of another program: it has no "items", "tasks", "lastID". To keep records in it, add "items": []"#
    ),
    Row("not UTF-8 and nothing else", "\u{ff}", "1:1: expected a value"),
  ])
  func `a file that is not understood is refused by all and left as it is`(
    _ row: Row<String, String>
  ) throws {
    let folder = try Sandbox(row.input)
    let identity = try folder.identity
    let store = folder.store
    let calls: [() throws -> Void] = [
      { _ = try store.all(Item.self) }, { _ = try store.find(Item.self, id: 1) },
      { try store.create(Item.Draft(title: "First Title")) },
      { try store.create(ToDoTask.Draft(tasknote: "x")) },
      { try store.update(Item.self, id: 1) { _ in } }, { try store.delete(Item.self, id: 1) },
      { try store.deleteAll(Item.self) }, { try store.deleteAll(ToDoTask.self) },
      { _ = try store.create([Item.Draft]()) },
    ]
    for call in calls {
      let error = #expect(throws: StoreError.self) { try call() }
      #expect(error?.description == "\(folder.file.path):\(row.output)")
      guard case .invalid? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try folder.identity == identity)
    #expect(try folder.names == ["items.json"])
  }

  @Test func `a folder in place of the file is refused`() throws {
    let folder = try Sandbox()
    try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: false)
    let error = StoreError.notAFile(path: folder.file.path, kind: "a folder")
    #expect(throws: error) { try folder.store.all(Item.self) }
    #expect(throws: error) { try folder.store.create(Item.Draft(title: "First Title")) }
  }
}
