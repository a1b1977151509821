import Foundation
import ItemStore
import TestSupport
import Testing

/// The library as a client meets it: by what is public alone.
@Suite struct PublicInterfaceTests {
  fileprivate struct Refusal: Error {}

  /// Own fields, an odd layout and odd spellings.
  private static let odd =
    "\u{feff}{\r\n\t\"own\" : [ 1.0, 1e2 ],\r\n\t\"items\" : [\r\n"
    + "\t\t{\"title\":\"Milk\",\"shelf\":1.50,\"id\":1.0,\"number\":3e0},\r\n"
    + "\t\t{ \"id\" : 2, \"title\" : \"caf\\u00e9\", \"number\" : 12.0 }\r\n\t],\r\n"
    + "\t\"tasks\" : [ {\"tasknote\": \"a\\/b\", \"done\": null, \"taskid\": "
    + "\"5F2A91C4-0C5E-4A47-9D0E-2F4F5B8E7A10\"} ] , \"lastID\" : 2e0 }"

  typealias Operation = @Sendable (Store) throws -> Void

  /// What is replaced in the file, and by what.
  static let updates: [Row<Operation, [String: String]>] = [
    Row("a number", { try $0.update(Item.self, id: 1) { $0.number += 1 } }, ["3e0": "4"]),
    Row(
      "a title", { try $0.update(Item.self, id: 2) { $0.title = "Tea" } },
      ["\"caf\\u00e9\"": "\"Tea\""]),
    Row(
      "both", { try $0.update(Item.self, id: 2) { ($0.title, $0.number) = ("Tea", 5) } },
      ["\"caf\\u00e9\"": "\"Tea\"", "12.0": "5"]),
    Row(
      "some", { try $0.update(Item.self, ids: [2, 1, 2]) { $0.number *= 2 } },
      ["3e0": "6", "12.0": "24"]),
    Row("all", { try $0.updateAll(Item.self) { $0.number = 12 } }, ["3e0": "12"]),
    Row(
      "a note", { try $0.update(ToDoTask.self, id: "5f2a") { $0.tasknote += "!" } },
      ["\"a\\/b\"": "\"a/b!\""]),
    Row("nothing", { try $0.update(Item.self, id: 1) { _ in } }, [:]),
    Row("the same value", { try $0.updateAll(ToDoTask.self) { $0.tasknote = "a/b" } }, [:]),
  ]

  @Test(arguments: updates)
  func `an update replaces the values that changed, and no other byte`(
    _ row: Row<Operation, [String: String]>
  ) throws {
    let sandbox = try Sandbox(Self.odd)
    let identity = try sandbox.identity
    try row.input(sandbox.store)
    let expected = row.output.reduce(Self.odd) { $0.replacing($1.key, with: $1.value) }
    #expect(try sandbox.content == expected)
    if row.output.isEmpty { #expect(try sandbox.identity == identity, "the file is written") }
  }

  static let changes: [Row<Operation, Void>] = [
    Row("create", { try $0.create(Item.Draft(title: "Tea")) }),
    Row("create several", { try $0.create(["a", "b"].map { ToDoTask.Draft(tasknote: $0) }) }),
    Row("delete", { try $0.delete(Item.self, id: 1) }),
    Row("delete some", { try $0.delete(Item.self, ids: [2, 1]) }),
    Row("delete all", { try $0.deleteAll(ToDoTask.self) }),
    Row("update all", { try $0.updateAll(Item.self) { $0.title += "?" } }),
  ]

  @Test(arguments: changes)
  func `undo and redo restore every byte`(_ row: Row<Operation, Void>) throws {
    let sandbox = try Sandbox(Self.odd)
    let store = sandbox.store
    try row.input(store)
    let after = try sandbox.content
    #expect(after != Self.odd)
    #expect(after.hasPrefix(Self.odd.prefix { $0 != "[" }))
    try store.undo()
    #expect(try sandbox.content == Self.odd)
    try store.redo()
    #expect(try sandbox.content == after)
  }

  static let refusals: [Row<Operation, Void>] = [
    Row("a closure that throws", { try $0.update(Item.self, id: 1) { _ in throw Refusal() } }),
    Row(
      "a closure that throws for the last record",
      {
        try $0.update(Item.self, ids: [1, 2]) {
          if $0.id == 2 { throw Refusal() }
          $0.number = 99
        }
      }),
    Row("a title made blank", { try $0.update(Item.self, id: 1) { $0.title = "\u{3000}" } }),
    Row(
      "one of the titles made blank",
      { try $0.updateAll(Item.self) { $0.title = $0.id == 2 ? "" : "Tea" } }),
    Row(
      "another id",
      { try $0.update(Item.self, id: 1) { $0 = Item(id: 7, title: $0.title, number: 0) } }),
    Row(
      "another id of a task",
      { try $0.updateAll(ToDoTask.self) { $0 = ToDoTask(taskid: "x", tasknote: $0.tasknote) } }),
    Row("a blank draft", { try $0.create([Item.Draft(title: "a"), Item.Draft(title: "\t")]) }),
    Row("one id that is not there", { try $0.delete(Item.self, ids: [1, 3]) }),
    Row("a short start of an id", { try $0.delete(ToDoTask.self, id: "5f2") }),
    Row("no id at all", { _ = try $0.find(ToDoTask.self, id: "") }),
  ]

  @Test(arguments: refusals)
  func `what is refused changes nothing`(_ row: Row<Operation, Void>) throws {
    let sandbox = try Sandbox(Self.odd)
    let identity = try sandbox.identity
    #expect { try row.input(sandbox.store) } throws: { $0 is StoreError || $0 is Refusal }
    #expect(try sandbox.content == Self.odd)
    #expect(try sandbox.identity == identity)
    #expect(throws: StoreError.nothingToUndo) { try sandbox.store.undo() }
  }

  @Test func `tasks that count in one number lose nothing`() async throws {
    let sandbox = try Sandbox(["items.json": Data(Sandbox.seed.utf8)])
    let store = Store(path: sandbox.file.path, lockTimeout: .seconds(300))
    try await withThrowingTaskGroup { group in
      for _ in 1...8 {
        group.addTask {
          for _ in 1...100 { try store.update(Item.self, id: 1) { $0.number += 1 } }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.find(Item.self, id: 1).number == 803)
  }

  // MARK: Anything that a client may give

  private static let starts = [
    nil, "", "{}", Sandbox.seed, odd, #"{"lastID": 9223372036854775805}"#,
    #"{"items": [{"id": 9223372036854775806, "title": "a", "number": -9223372036854775808}]}"#,
    #"{"items": [{"id": -9223372036854775808, "title": "", "number": 0}], "tasks": []}"#,
  ]

  @Test func `whatever is called, the store accepts the file after it`() {
    Fuzz.run(60) { random in
      let start = random.pick(Self.starts)
      let sandbox = try Sandbox(start.map { ["items.json": Data($0.utf8)] } ?? [:])
      let store = sandbox.store
      for _ in 0..<50 {
        do {
          if random.once(in: 2) {
            try random.call(store, of: Item.self)
          } else {
            try random.call(store, of: ToDoTask.self)
          }
        } catch is StoreError {} catch is Refusal {}
        _ = try store.all(Item.self)
        _ = try store.all(ToDoTask.self)
      }
    }
  }
}

// MARK: Random calls

/// A type of record, and random values of it.
private protocol RandomRecord: Store.Record where Draft.Record == Self, Draft: Store.Draft {
  static func randomID(_ random: inout SeededGenerator) -> ID
  static func draft(_ random: inout SeededGenerator) -> Draft
  mutating func change(_ random: inout SeededGenerator)
}

extension Item: RandomRecord {
  fileprivate static func randomID(_ random: inout SeededGenerator) -> Int {
    random.once(in: 3) ? random.pick([.min, .max, 0, -1, .max - 1]) : random.int(1...9)
  }

  fileprivate static func draft(_ random: inout SeededGenerator) -> Draft {
    Draft(title: random.anyText(), number: random.pick([0, 1, -7, .min, .max]))
  }

  fileprivate mutating func change(_ random: inout SeededGenerator) {
    if random.once(in: 2) { title = random.anyText() }
    if random.once(in: 2) { number = random.pick([number, 0, .min, .max]) }
    if random.once(in: 8) { self = Item(id: Self.randomID(&random), title: title, number: number) }
  }
}

extension ToDoTask: RandomRecord {
  fileprivate static func randomID(_ random: inout SeededGenerator) -> String {
    random.pick([
      "", "5f2a", "5F2A91C4", "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "----", "00000000",
      String(repeating: "5f2a", count: 100), random.anyText(),
    ])
  }

  fileprivate static func draft(_ random: inout SeededGenerator) -> Draft {
    Draft(tasknote: random.anyText())
  }

  fileprivate mutating func change(_ random: inout SeededGenerator) {
    if random.once(in: 2) { tasknote = random.anyText() }
    if random.once(in: 8) { self = ToDoTask(taskid: Self.randomID(&random), tasknote: tasknote) }
  }
}

extension SeededGenerator {
  /// Blank now and then, and long now and then.
  fileprivate mutating func anyText() -> String {
    switch int(0...9) {
    case 0: pick(["", " ", "\u{2028}", "\0", "\u{feff}", "\"", "\\"])
    case 1: String(repeating: text(4), count: 500)
    default: text()
    }
  }

  private mutating func ids<R: RandomRecord>(of type: R.Type, in store: Store) throws -> [R.ID] {
    let present = try store.all(R.self).map(\.id)
    return (0..<pick([0, 1, 1, 2, 5])).map { _ in
      present.isEmpty || once(in: 5) ? R.randomID(&self) : pick(present)
    }
  }

  fileprivate mutating func call<R: RandomRecord>(_ store: Store, of type: R.Type) throws {
    let ids = try ids(of: type, in: store)
    var random = self
    let change = { (record: inout R) in
      if random.once(in: 9) { throw PublicInterfaceTests.Refusal() }
      record.change(&random)
    }
    switch int(0...11) {
    case 0...2: try store.create((0..<int(0...3)).map { _ in R.draft(&self) })
    case 3: try store.create(R.draft(&self))
    case 4: _ = try store.find(R.self, ids: ids)
    case 5: _ = try store.find(R.self, id: R.randomID(&self))
    case 6: try store.update(R.self, ids: ids, change)
    case 7: try store.updateAll(R.self, change)
    case 8: try store.delete(R.self, ids: ids)
    case 9 where once(in: 4): try store.deleteAll(R.self)
    case 10: try store.redo()
    default: try store.undo()
    }
  }
}
