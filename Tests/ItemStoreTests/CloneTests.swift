import Foundation
import TestSupport
import Testing

@testable import ItemStore

/// The new file of a large one begins as a copy that a thread makes while the old one is read.
@Suite struct CloneTests {
  @Test func `what is made from a clone is the same as what is made without`() throws {
    Fuzz.run(25) { random in
      let document = random.paddedDocument(count: random.int(1...6), most: 150_000)
      try Self.compare(document, leastToClone: 0, &random)
    }
  }

  @Test func `so it is where threads are at work`() throws {
    Fuzz.run(3) { random in
      let document = random.paddedDocument(count: random.int(5...9), most: 700_000)
      try Self.compare(document, leastToClone: Store(path: "").leastToClone, &random)
    }
  }

  /// Makes the same changes to two copies of a file.
  private static func compare(
    _ document: String, leastToClone: Int, _ random: inout SeededGenerator
  ) throws {
    let scratches = [
      try Sandbox(["items.json": Data(document.utf8)]),
      try Sandbox(["items.json": Data(document.utf8)]),
    ]
    var versions = [Data(document.utf8)]
    for _ in 0..<5 {
      let id = random.int(1...6)
      let title = String(repeating: "t", count: random.pick([1, 8, 300]))
      let what = random.int(0...3)
      for (i, scratch) in scratches.enumerated() {
        var store = scratch.store()
        store.leastToClone = i == 0 ? leastToClone : .max
        do {
          try Self.change(store, what, id, title)
        } catch let error as StoreError {
          guard case .notFound = error else { throw error }
        }
      }
      let data = scratches.map { $0.data("items.json") }
      try check(data[0] == data[1], "\(what) of \(id) in \(document.count) bytes")
      try check(scratches[0].names.isSubset(of: [".items.json.undo", "items.json"]), "litter")
      if let new = data[0], new != versions.last { versions.append(new) }
    }
    var store = scratches[0].store()
    store.leastToClone = leastToClone
    for version in versions.dropLast().reversed() {
      try store.undo()
      try check(scratches[0].data("items.json") == version, "undo of \(document.count) bytes")
    }
  }

  private static func change(
    _ store: Store, _ what: Int, _ id: Int, _ title: String
  ) throws {
    switch what {
    case 0: try store.create(Item.Draft(title: title, number: 7))
    case 1: try store.delete(Item.self, id: id)
    case 2: try store.update(Item.self, id: id) { $0.number = title.count }
    default: try store.update(Item.self, id: id) { $0.title = title }
    }
  }

  @Test func `a change that comes to nothing leaves nothing behind`() throws {
    let seed = Operation.largeSeed
    let scratch = try Sandbox(["items.json": Data(seed.utf8)])
    var store = scratch.store()
    store.leastToClone = 0
    try store.update(Item.self, id: 1) { $0.number = 4 }
    let names = try scratch.names
    try store.update(Item.self, id: 1) { $0.number = 4 }
    #expect(throws: StoreError.self) { try store.delete(Item.self, id: 99) }
    #expect(throws: StoreError.self) { try store.create(Item.Draft(title: " ")) }
    #expect(try scratch.names == names)
  }

  @Test func `a clone gets its name before it is synced, and what keeps it from that is no matter`()
    throws
  {
    let operation = try #require(Operation.all.first { $0.name == "add, with a clone" })
    let rehearsal = try Rehearsal(operation)
    let calls = rehearsal.events.map(\.call)
    // Not all file systems have files without names.
    guard let link = calls.firstIndex(of: .link) else { return }
    #expect(calls[..<link].contains(.copy) && !calls[..<link].contains(.sync))
    for code in [EXDEV, ENOENT, EPERM] {
      let scratch = try Sandbox(rehearsal.start)
      let saboteur = Saboteur(.every(.link, code))
      _ = try operation.run(scratch.store("items.json", saboteur.system))
      #expect(scratch.data("items.json") == rehearsal.new)
      #expect(try scratch.names == rehearsal.names)
    }
  }
}

extension SeededGenerator {
  /// A data file with items 1 to `count`, and texts of up to `most` bytes here and there.
  fileprivate mutating func paddedDocument(count: Int, most: Int) -> String {
    var items: [String] = []
    for id in 1...count {
      items.append(
        #"    {"id": \#(id), "title": "t", "number": \#(id), "more": "\#(padding(most))"}"#)
    }
    let (before, after, lastID) = (padding(most), padding(most), int(0...12))
    return """
      {
        "before": "\(before)",
        "lastID": \(lastID),
        "items": [
      \(items.joined(separator: ",\n"))
        ],
        "after": "\(after)"
      }
      """
  }

  private mutating func padding(_ most: Int) -> String {
    String(repeating: "x", count: pick([0, 10, most / 2, most]))
  }
}
