import Foundation
import TestSupport
import Testing

@testable import ItemStore

/// What a command costs in system calls, which no busy machine can change: the file is read once and
/// written once, whatever is in it and however much is asked for.
@Suite struct CostTests {
  static let operations: [(name: String, run: @Sendable (Store) throws -> Void)] = [
    ("all", { _ = try $0.all(Item.self) }),
    ("find", { _ = try $0.find(Item.self, ids: [1, 50, 99]) }),
    ("create", { try $0.create(Item.Draft(title: "Tea", number: 1)) }),
    (
      "create many",
      { try $0.create(Array(repeating: Item.Draft(title: "x"), count: 500)) }
    ),
    ("update", { try $0.update(Item.self, id: 50) { $0.number = -1 } }),
    ("update many", { try $0.update(Item.self, ids: Array(1...90)) { $0.number = -1 } }),
    ("delete", { try $0.delete(Item.self, id: 50) }),
    ("delete many", { try $0.delete(Item.self, ids: Array(stride(from: 1, to: 99, by: 2))) }),
  ]

  /// Without a clone and with one, which here is made without a thread, so that the calls have an order.
  @Test(arguments: operations.map(\.name), [Int.max, 0])
  func `a command makes the same system calls whatever the number of records`(
    name: String, leastToClone: Int
  ) throws {
    let run = try #require(Self.operations.first { $0.name == name }).run
    let few = try calls(ofRecords: 2_000, leastToClone, run)
    let many = try calls(ofRecords: 20_000, leastToClone, run)
    #expect(few == many)
    #expect(few.count < 56)
  }

  /// The second change of a store, as the first makes the companion file.
  private func calls(
    ofRecords count: Int, _ leastToClone: Int, _ run: (Store) throws -> Void
  ) throws -> [System.Call] {
    let records = (1...count).map { #"    {"id": \#($0), "title": "t\#($0)", "number": 7}"# }
    let text = "{\n  \"items\": [\n" + records.joined(separator: ",\n") + "\n  ]\n}\n"
    let scratch = try Sandbox(["items.json": Data(text.utf8)])
    let calls = Locked<[System.Call]>([])
    let system = System { call, _ in
      calls.with { $0.append(call) }
      return nil
    }
    var store = scratch.store("items.json", system)
    store.leastToClone = leastToClone
    try store.update(Item.self, id: 2) { $0.title = "first" }
    calls.with { $0 = [] }
    try run(store)
    return calls.with(\.self)
  }
}
