import Foundation
import ItemStore
import TestSupport
import Testing

/// Many threads on one file, and the lock that lets one of them change it at a time.
@Suite struct ConcurrencyTests {
  /// Few enough that each can be undone.
  static let (writers, changes) = (4, 24)

  /// The undo log is the proof: it holds a row of changes, each made on what the one before it left.
  /// If one had been lost, or made on anything else, the row could not be taken back to the start.
  @Test func `parallel changes leave the result of some row of them`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    let file = scratch.folder.appending(path: "items.json")
    let shared = Locked(Shared())
    Self.inParallel(Self.writers + 2) { thread in
      if thread < Self.writers {
        Self.write(thread, scratch.store(), shared)
        shared.with { $0.writersDone += 1 }
      } else {
        while shared.with({ $0.writersDone < Self.writers }) {
          Self.read(file, scratch.store(), shared)
        }
      }
    }

    let outcome = shared.with(\.self)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.ids.count == Set(outcome.ids).count, "ids are given once")
    let items = try scratch.store().all(Item.self)
    #expect(Set(items.map { "\($0.title) \($0.number)" }) == outcome.expected)
    #expect(items.map(\.id) == items.map(\.id).sorted())
    #expect(try scratch.names == ["items.json", ".items.json.undo"])

    var history = [try Data(contentsOf: file)]
    for _ in 0..<Self.writers * Self.changes {
      try scratch.store().undo()
      history.append(try Data(contentsOf: file))
    }
    #expect(history.last == Data(Operation.seed.utf8))
    let states = Set(history)
    #expect(!outcome.seen.isEmpty)
    #expect(outcome.seen.isSubset(of: states), "a reader saw what was never the file")
  }

  struct Shared {
    var ids: [Int] = []
    var expected: Set<String> = ["Milk 3", "Eggs 12", "Bread 40"]
    var errors: [String] = []
    var seen: Set<Data> = []
    var writersDone = 0
  }

  /// Changes of all kinds: of each four, an add, an update, an add of a task, and a delete of every
  /// other item added.
  private static func write(_ thread: Int, _ store: Store, _ shared: Locked<Shared>) {
    do {
      for i in 0..<changes / 4 {
        let item = try store.create(Item.Draft(title: "\(thread)-\(i)", number: i))
        shared.with { $0.ids.append(item.id) }
        try store.update(Item.self, id: item.id) { $0.number = -i - 1 }
        let task = try store.create(ToDoTask.Draft(tasknote: "\(thread)-\(i)"))
        if i.isMultiple(of: 2) {
          try store.delete(Item.self, id: item.id)
        } else {
          try store.update(ToDoTask.self, id: task.id) { $0.tasknote = "done" }
          _ = shared.with { $0.expected.insert("\(item.title) \(-i - 1)") }
        }
      }
    } catch {
      shared.with { $0.errors.append("writer: \(error)") }
    }
  }

  private static func read(_ file: URL, _ store: Store, _ shared: Locked<Shared>) {
    do {
      _ = try store.all(Item.self)
      let data = try Data(contentsOf: file)
      _ = shared.with { $0.seen.insert(data) }
    } catch {
      shared.with { $0.errors.append("reader: \(error)") }
    }
  }

  @Test func `parallel first changes make one file and one companion`() throws {
    let scratch = try Sandbox()
    let ids = Locked<[Int]>([])
    Self.inParallel(6) { thread in
      let item = try? scratch.store("a/b/items.json").create(Item.Draft(title: "\(thread)"))
      ids.with { $0.append(item?.id ?? 0) }
    }
    #expect(ids.with { $0.sorted() } == Array(1...6))
    #expect(try scratch.store("a/b/items.json").all(Item.self).map(\.id) == Array(1...6))
    #expect(try scratch.names == ["a", "a/b", "a/b/items.json", "a/b/.items.json.undo"])
  }

  /// All that can change are in the way of each other, so that some must give up what they made.
  @Test func `changes that fail beside others take nothing of theirs away`() throws {
    let scratch = try Sandbox()
    let errors = Locked<[String]>([])
    Self.inParallel(6) { thread in
      // Of two threads, the new content of one can never be synced.
      let system = System { call, path in
        thread.isMultiple(of: 2) && call == .sync && path.hasSuffix(".tmp") ? .fail(EIO) : nil
      }
      for i in 0..<5 {
        do {
          try scratch.store("a/items.json", system).create(Item.Draft(title: "\(thread)-\(i)"))
          if thread.isMultiple(of: 2) { errors.with { $0.append("\(thread) succeeded") } }
        } catch {
          if !thread.isMultiple(of: 2) { errors.with { $0.append("\(thread): \(error)") } }
        }
      }
    }
    errors.with { #expect($0.isEmpty, "\($0)") }
    let store = scratch.store("a/items.json")
    #expect(try store.all(Item.self).map(\.id) == Array(1...15))
    for _ in 1...15 { try store.undo() }
    #expect(try store.all(Item.self).isEmpty)
  }

  @Test func `two names of one file share its lock`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    try FileManager.default.createSymbolicLink(
      at: scratch.folder.appending(path: "link.json"),
      withDestinationURL: scratch.folder.appending(path: "items.json"))
    Self.inParallel(4) { thread in
      for _ in 0..<5 {
        _ = try? scratch.store(thread.isMultiple(of: 2) ? "link.json" : "items.json").create(
          Item.Draft(title: "First Title"))
      }
    }
    #expect(try scratch.store().all(Item.self).count == 23)
    #expect(try scratch.names == ["items.json", "link.json", ".items.json.undo"])
  }

  static func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for i in 0..<count {
      group.enter()
      // A thread each: readers that wait for writers must not keep these from starting.
      Thread.detachNewThread {
        body(i)
        group.leave()
      }
    }
    group.wait()
  }
}
