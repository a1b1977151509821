import Foundation
import TestSupport
import Testing

@testable import ItemStore

/// Random documents and commands. ITEMS_FUZZ_RUNS and ITEMS_FUZZ_SEED make a run longer, or again:
///
///     ITEMS_FUZZ_RUNS=1000000 swift test -Xswiftc -O --filter FuzzTests
@Suite struct FuzzTests {
  @Test func `documents are accepted and refused as the reference does, at the same places`() {
    Fuzz.run(150) { random in
      var bytes = Array(random.document().utf8)
      try DocumentTests.compareWithReference(bytes)
      for _ in 0..<random.int(1...3) {
        bytes = random.changed(bytes)
        try DocumentTests.compareWithReference(bytes)
      }
    }
  }

  @Test func `JSON is accepted and refused as other readers do`() {
    Fuzz.run(300) { random in
      var bytes = Array(random.value().utf8)
      if random.once(in: 2) { bytes = random.changed(bytes) }
      var parser = ReferenceParser(bytes)
      let expected = (try? parser.document()) != nil
      var scanner = JSONScanner(Bytes(bytes))
      scanner.skipByteOrderMark()
      scanner.skipWhitespace()
      let isValue = (try? scanner.skipValue()) != nil
      scanner.skipWhitespace()
      try check((isValue && scanner.isAtEnd) == expected, bytes.shown)
      // Foundation takes some text that RFC 8259 does not allow, but must take all that it does.
      if expected, !Self.isBeyondFoundation(bytes) {
        let object = try? JSONSerialization.jsonObject(
          with: Data(bytes), options: .fragmentsAllowed)
        try check(object != nil, "Foundation refuses \(bytes.shown)")
      }
    }
  }

  /// Numbers out of the range of `Double` are an error to Foundation.
  private static func isBeyondFoundation(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains(/[eE]\+?[0-9]{3}/)
  }

  @Test func `any sequence of changes leaves a file that means what the model does`() {
    Fuzz.run(12) { random in
      let folder = try Sandbox(random.document())
      let store = folder.store
      var model = Model(items: try store.all(), tasks: try store.all())
      var earlier: [(bytes: [UInt8], model: Model)] = []
      for _ in 0..<8 {
        let (bytes, before) = (try folder.bytes, model)
        do {
          try model.change(store, &random)
        } catch let error as StoreError {
          try check(folder.bytes == bytes, "\(error) changed the file")
          model = before
        }
        try check(Model(items: store.all(), tasks: store.all()) == model, folder.bytes.shown)
        try check(ReferenceChecker.faults(in: folder.bytes) == [], folder.bytes.shown)
        if try folder.bytes != bytes { earlier.append((bytes, before)) }
        if random.once(in: 4), let (bytes, before) = earlier.popLast() {
          try store.undo()
          try check(folder.bytes == bytes, "undo gave \(try folder.bytes.shown) for \(bytes.shown)")
          model = before
        }
      }
    }
  }

  @Test func `changes of a file that is not understood leave it byte for byte`() {
    Fuzz.run(60) { random in
      let bytes = random.changed(Array(random.document().utf8))
      let folder = try Sandbox()
      try folder.write(bytes)
      let isValid = ReferenceChecker.faults(in: bytes).isEmpty
      do {
        _ = try random.change(folder.store)
        try check(isValid, "\(bytes.shown) was accepted")
        try check(ReferenceChecker.faults(in: folder.bytes) == [], folder.bytes.shown)
        // What was not there yet is there now, or nothing was changed.
        if try folder.bytes != bytes { try folder.store.undo() }
      } catch let error as StoreError {
        if case .invalid = error { try check(!isValid, "\(error) in \(bytes.shown)") }
      }
      try check(folder.bytes == bytes, "\(try folder.bytes.shown) was \(bytes.shown)")
    }
  }
}

/// What a store holds, kept in the plainest way.
private struct Model: Equatable {
  var items: [Item]
  var tasks: [ToDoTask]

  /// Makes a change in the store and here; some are refused by the store, with an error.
  mutating func change(_ store: Store, _ random: inout SeededGenerator) throws {
    let (title, number) = ("t" + random.text(), random.int(-999...999))
    let values = Item.Draft(title: title, number: number)
    let (newTitle, newNumber) = (
      random.once(in: 4) ? nil : title, random.once(in: 4) ? nil : number
    )
    let some = Array(items.shuffled(using: &random).prefix(random.int(0...3)))
    let unknown = random.once(in: 6) ? [-12345] : []
    switch random.int(0...9) {
    case 0...2:
      let made = try store.create(Array(repeating: values, count: random.int(0...3)))
      for item in made {
        try check(title == item.title && number == item.number, "\(item)")
        try check(item.id > max(0, items.map(\.id).max() ?? 0), "\(item)")
      }
      items += made
    case 3...4:
      let changed = try store.update(Item.self, ids: some.map(\.id) + unknown) {
        if let newTitle { $0.title = newTitle }
        if let newNumber { $0.number = newNumber }
      }
      try check(changed.map(\.id) == some.map(\.id), "\(changed)")
      for item in changed {
        guard let i = items.firstIndex(where: { $0.id == item.id }) else { continue }
        if let newTitle { items[i].title = newTitle }
        if let newNumber { items[i].number = newNumber }
        try check(items[i] == item, "\(item) is not \(items[i])")
      }
    case 5:
      try check(try store.delete(Item.self, ids: some.map(\.id) + unknown) == some, "\(some)")
      items.removeAll(where: some.contains)
    case 6 where random.once(in: 2):
      try check(try store.deleteAll(Item.self) == items, "\(items)")
      items = []
    case 7:
      tasks += try store.create([ToDoTask.Draft(tasknote: title)])
    case 8:
      guard let task = tasks.randomElement(using: &random) else { return }
      try check(try store.delete(ToDoTask.self, id: task.taskid) == task, "\(task)")
      tasks.removeAll { $0 == task }
    default:
      guard let i = tasks.indices.randomElement(using: &random) else { return }
      let id = random.once(in: 2) ? tasks[i].taskid.uppercased() : tasks[i].taskid
      tasks[i].tasknote = title
      let changed = try store.update(ToDoTask.self, id: id) { $0.tasknote = title }
      try check(changed == tasks[i], "\(changed)")
    }
  }
}

extension SeededGenerator {
  /// The bytes with some damage that texts take: a byte, a stretch lost, doubled, moved or put into
  /// another place, an end that is missing.
  mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return [UInt8(int(0...255))] }
    let start = int(0...bytes.count - 1)
    let stretch = start..<min(bytes.count, start + int(1...20))
    var bytes = bytes
    switch int(0...9) {
    case 0: bytes.removeSubrange(stretch)
    case 1: bytes.insert(contentsOf: bytes[stretch], at: int(0...bytes.count))
    case 2: bytes.removeSubrange(start...)
    case 3:
      let words = [
        "null", "1e5", "-0", "\"x\"", "[]", "{}", "\"id\":", "\"items\"", ",", "\\u", "\\ud83c",
        "\\udf89",
        "// x", "\n<<<<<<< ", "\u{feff}", "1.0", "99999999999999999999", "\u{e9}", "\"title\": 1,",
      ]
      bytes.insert(contentsOf: Array(pick(words).utf8), at: start)
    default: return oneByteChanged(in: bytes)
    }
    return bytes
  }
}
