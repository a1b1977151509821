import Foundation
import TestSupport
import Testing

@testable import ItemStore

@Suite struct UndoTests {
  @Test func `of a thousand changes the last hundred are taken back byte for byte`() throws {
    Fuzz.once { random in try Self.changeAndUndo(1000, &random) }
  }

  private static func changeAndUndo(_ changes: Int, _ random: inout SeededGenerator) throws {
    let folder = try Sandbox(random.document())
    var versions = [try folder.bytes]
    var ids: Set<Int> = []
    for i in 0..<changes {
      let known = Set(try folder.store.all(Item.self).map(\.id))
      let change = try random.change(folder.store)
      if case .add = change.verb, change.touched.schema.list == "items" {
        let given = change.touched.decoded(as: Item.self).map(\.id)
        try check(known.isDisjoint(with: given), "\(given)")
        // No id of a file that was not edited by hand is given twice, deleted or undone in between.
        try check(ids.isDisjoint(with: given), "\(given)")
        ids.formUnion(given)
      }
      let bytes = try folder.bytes
      if bytes != versions.last { versions.append(bytes) }
      // Some are taken back on the way, but for the last ones: what is dropped does not come back.
      if i < changes / 2, versions.count > 1, random.once(in: 10) {
        try folder.store.undo()
        versions.removeLast()
        try check(folder.bytes == versions.last, try folder.bytes.shown)
      }
    }
    for expected in versions.dropLast().suffix(ChangeLog.limit).reversed() {
      try folder.store.undo()
      try check(folder.bytes == expected, try folder.bytes.shown)
    }
    #expect(throws: StoreError.nothingToUndo) { try folder.store.undo() }
    #expect(try folder.names == ["items.json", ".items.json.undo"])
  }

  @Test func `the log holds a hundred changes and does not grow beyond`() throws {
    let folder = try Sandbox(Sandbox.seed)
    var sizes: [Int] = []
    for number in 100..<600 {
      try folder.store.update(Item.self, id: 1) { $0.number = number }
      sizes.append(try Data(contentsOf: folder.companion).count)
    }
    let full = sizes[ChangeLog.limit - 1]
    // A change is written before the oldest is dropped.
    #expect(sizes.allSatisfy { $0 <= full + 200 })
    for number in (500..<599).reversed() {
      try folder.store.undo()
      #expect(try folder.store.find(Item.self, id: 1).number == number)
    }
    try folder.store.undo()
    #expect(throws: StoreError.nothingToUndo) { try folder.store.undo() }
    #expect(try folder.store.find(Item.self, id: 1).number == 499)
  }

  @Test func `entries of very different lengths are dropped and moved whole`() throws {
    let folder = try Sandbox(Sandbox.seed)
    var versions: [[UInt8]] = []
    for i in 0..<250 {
      versions.append(try folder.bytes)
      let title = String(repeating: "x", count: i % 7 == 0 ? 20_000 : i % 11) + "\(i)"
      try folder.store.update(Item.self, id: 2) { $0.title = title }
    }
    #expect(
      try Data(contentsOf: folder.companion).count < 2 * 20_000 * ChangeLog.limit / 7 + 100_000)
    for expected in versions.suffix(ChangeLog.limit).reversed() {
      try folder.store.undo()
      #expect(try folder.bytes == expected)
    }
  }

  // MARK: What it says

  @Test func `an undo returns what it took back`() throws {
    let folder = try Sandbox(Sandbox.seed)
    let store = folder.store
    try store.create([Item.Draft(title: "a"), Item.Draft(title: "b")])
    try store.update(Item.self, ids: [1, 4]) { $0.number = 99 }
    try store.delete(Item.self, ids: [2, 5])
    try store.deleteAll(ToDoTask.self)
    let expected: [(Verb, String, [String])] = [
      (.deleteAll, "task", ["Call the bank", "Pay rent"]), (.delete, "item", ["Eggs", "b"]),
      (.update, "item", ["Milk", "a"]), (.add, "item", ["a", "b"]),
    ]
    for (verb, noun, texts) in expected {
      let change = try store.perform(.undo)
      #expect(change.verb == verb)
      #expect(change.touched.schema.noun == noun)
      let found =
        noun == "item"
        ? change.touched.decoded(as: Item.self).map(\.title)
        : change.touched.decoded(as: ToDoTask.self).map(\.tasknote)
      #expect(found == texts)
    }
    #expect(try folder.content == Sandbox.seed)
  }

  @Test func `an undo of an update returns the records as they are again`() throws {
    let folder = try Sandbox(Sandbox.seed)
    try folder.store.update(Item.self, id: 2) {
      $0.title = "x"
      $0.number = 1
    }
    #expect(
      try folder.store.perform(.undo).touched.decoded() == [Item(id: 2, title: "Eggs", number: 12)])
  }

  @Test(arguments: ["", "{}", " \n", "\u{feff}{ }\r\n"])
  func `the first record of a file without any is taken back`(_ content: String) throws {
    let folder = try Sandbox(content)
    try folder.store.create(Item.Draft(title: "First Title"))
    try folder.store.undo()
    #expect(try folder.content == content)
  }

  @Test func `the first record of a file that was not there is taken back`() throws {
    let folder = try Sandbox()
    try folder.store.create(Item.Draft(title: "First Title"))
    try folder.store.undo()
    #expect(try folder.content == "")
    #expect(throws: StoreError.nothingToUndo) { try folder.store.undo() }
  }

  // MARK: Refusals

  @Test func `where nothing was changed there is nothing to undo, and nothing is made`() throws {
    let folder = try Sandbox(Sandbox.seed)
    #expect(throws: StoreError.nothingToUndo) { try folder.store.undo() }
    #expect(try folder.names == ["items.json"])
  }

  @Test(arguments: [
    Row("a record", Sandbox.seed.replacing("Bread", with: "Rye")),
    Row("white space", Sandbox.seed + "\n"),
    Row("another valid file", #"{"items": []}"#), Row("nothing in it", "{}"),
  ])
  func `an edit by something else is not undone`(_ row: Row<String, Void>) throws {
    let folder = try Sandbox(Sandbox.seed)
    try folder.store.update(Item.self, id: 1) { $0.number = 9 }
    try folder.write(Array(row.input.utf8))
    #expect(throws: StoreError.changedSince(path: folder.file.path)) { try folder.store.undo() }
    #expect(try folder.content == row.input)
    // What is changed from then on can be taken back, down to that edit.
    try folder.store.create(Item.Draft(title: "First Title"))
    try folder.store.undo()
    #expect(try folder.content == row.input)
    #expect(throws: StoreError.changedSince(path: folder.file.path)) { try folder.store.undo() }
    #expect(try folder.content == row.input)
  }

  @Test func `an earlier version that something else brought back is not undone`() throws {
    let folder = try Sandbox(Sandbox.seed)
    try folder.store.update(Item.self, id: 1) { $0.number = 9 }
    let middle = try folder.bytes
    try folder.store.update(Item.self, id: 1) { $0.number = 10 }
    try folder.write(middle)
    #expect(throws: StoreError.changedSince(path: folder.file.path)) { try folder.store.undo() }
    #expect(try folder.bytes == middle)
  }

  @Test func `a task that is added does not make the next item repeat an id`() throws {
    for text in [Sandbox.seed, #"{"items": [{"id": 3, "title": "a", "number": 1}]}"#] {
      let folder = try Sandbox(text)
      #expect(try folder.store.create(Item.Draft(title: "First Title")).id == 4)
      try folder.store.undo()
      let before = try folder.content
      try folder.store.create(ToDoTask.Draft(tasknote: "t"))
      #expect(try folder.content.contains("\"lastID\": 4") == before.contains("\"lastID\": 4"))
      #expect(try folder.store.create(Item.Draft(title: "First Title")).id == 5)
    }
  }

  @Test func `a broken file is not undone`() throws {
    let folder = try Sandbox(Sandbox.seed)
    try folder.store.update(Item.self, id: 1) { $0.number = 9 }
    try folder.write(Array("{".utf8))
    let error = #expect(throws: StoreError.self) { try folder.store.undo() }
    #expect(
      error?.description
        == "\(folder.file.path):1:2: unexpected end, expected a name in double quotes")
    #expect(try folder.content == "{")
  }

  // MARK: Damage

  /// Two changes, and a log of them.
  private static func changed() throws -> (Sandbox, versions: [[UInt8]], log: [UInt8]) {
    let folder = try Sandbox(Sandbox.seed)
    try folder.store.update(Item.self, id: 1) { $0.number = 9 }
    let middle = try folder.bytes
    try folder.store.delete(Item.self, ids: [1, 3])
    let log = Array(try Data(contentsOf: folder.companion))
    return (folder, [Array(Sandbox.seed.utf8), middle, try folder.bytes], log)
  }

  /// An undo either gives an earlier version or changes nothing, and the next change works.
  private static func expectHarmless(
    _ log: [UInt8], _ folder: Sandbox, _ versions: [[UInt8]], _ comment: Comment
  ) throws {
    try folder.write(versions[2])
    try Data(log).write(to: folder.companion)
    var allowed = [versions[1], versions[0]]
    while true {
      let before = try folder.bytes
      do {
        try folder.store.undo()
        let after = try folder.bytes
        try #require(after == allowed.first, comment)
        allowed.removeFirst()
      } catch let error as StoreError {
        try #require(
          [.nothingToUndo, .changedSince(path: folder.file.path)].contains(error), comment)
        try #require(try folder.bytes == before, comment)
        break
      }
    }
    let before = try folder.bytes
    let item = try folder.store.create(Item.Draft(title: "x"))
    try #require(item.id > 3, comment)
    try folder.store.undo()
    try #require(try folder.bytes == before, comment)
  }

  @Test func `a log with any byte flipped costs the undo and nothing else`() throws {
    let (folder, versions, log) = try Self.changed()
    // The first bytes say that it is a log. Most of the room for directories is empty.
    for i in log.indices.dropFirst(8) where log[i] != 0 || i % 997 == 0 {
      var damaged = log
      damaged[i] ^= [1, 0x80, 0xFF][i % 3]
      try Self.expectHarmless(damaged, folder, versions, "byte \(i)")
    }
  }

  @Test func `a log cut anywhere costs the undo and nothing else`() throws {
    let (folder, versions, log) = try Self.changed()
    let ends = Array(0...130) + Array(stride(from: 131, to: log.count, by: 257))
    for count in ends + Array(ChangeLog.Directory.end - 8..<log.count) where count < 1 || count >= 8
    {
      try Self.expectHarmless(Array(log[..<count]), folder, versions, "\(count) bytes")
    }
  }

  @Test func `garbage in a log costs the undo and nothing else`() throws {
    let (folder, versions, log) = try Self.changed()
    let magic = Array(log[..<8])
    let fill = { (byte: UInt8, count: Int) in [UInt8](repeating: byte, count: count) }
    let rest: [[UInt8]] = [
      fill(0, 500), fill(0xFF, 500), Array(log[8...]) + log, Array(log.reversed()),
      Array(log[8..<64]) + fill(0xFF, log.count - 64),
    ]
    for garbage in [[]] + rest.map({ magic + $0 }) {
      try Self.expectHarmless(garbage, folder, versions, "\(garbage.prefix(16))")
    }
    // With the log itself both changes are taken back.
    try folder.write(versions[2])
    try Data(log).write(to: folder.companion)
    try folder.store.undo()
    try folder.store.undo()
    #expect(try folder.bytes == versions[0])
  }

  @Test func `a file that does not begin like a log is left as it is`() throws {
    for garbage in ["garbage\n", "x", "itundo1 and more"] {
      let folder = try Sandbox(Sandbox.seed)
      try Data(garbage.utf8).write(to: folder.companion)
      for change in [{ _ = try $0.create(Item.Draft(title: "a")) }, { try $0.undo() }]
        as [(Store) throws -> Void]
      {
        let error = #expect(throws: StoreError.self) { try change(folder.store) }
        #expect(error?.description.contains(folder.companion.path) == true)
      }
      #expect(try Data(contentsOf: folder.companion) == Data(garbage.utf8))
      #expect(try folder.content == Sandbox.seed)
    }
  }

  @Test func `a log whose checksums fit but whose numbers do not is damaged too`() throws {
    let (folder, versions, log) = try Self.changed()
    let values = [-1, 1 << 20, .max, .min, Int.max / 24 + 1]
    for start in [64, 64 + 8192] {
      let count = 7 + 8 * Self.number(log[(start + 24)...].prefix(8))
      for word in 3..<count where word != 6 {
        for value in values {
          let forged = Self.forged(log, start, words: count, word, value)
          try Self.expectHarmless(forged, folder, versions, "\(start), \(word): \(value)")
        }
      }
      // The highest id; with this no later item need be possible.
      let forged = Self.forged(log, start, words: count, 2, .max)
      try folder.write(versions[2])
      try Data(forged).write(to: folder.companion)
      _ = try? folder.store.create(Item.Draft(title: "x"))
      #expect(throws: Never.self) { try folder.store.create(ToDoTask.Draft(tasknote: "x")) }
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// The same log with another number at a place of a directory, and a checksum after it that fits.
  private static func forged(
    _ log: [UInt8], _ start: Int, words: Int, _ word: Int, _ value: Int
  ) -> [UInt8] {
    let little = { (word: UInt64) in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    var forged = log
    let place = start + 8 * word
    forged.replaceSubrange(place..<place + 8, with: little(UInt64(bitPattern: Int64(value))))
    let end = start + 8 * words
    let checksum = Fingerprint(Array(forged[start..<end])).hash
    forged.replaceSubrange(end..<end + 8, with: little(checksum))
    return forged
  }

  @Test func `losing the log costs the undo and nothing else`() throws {
    let (folder, versions, _) = try Self.changed()
    try FileManager.default.removeItem(at: folder.companion)
    #expect(throws: StoreError.nothingToUndo) { try folder.store.undo() }
    #expect(try folder.bytes == versions[2])
    try folder.store.create(Item.Draft(title: "First Title"))
    try folder.store.undo()
    #expect(try folder.bytes == versions[2])
  }
}

extension SeededGenerator {
  /// Makes some change in the store, which may come to nothing.
  mutating func change(_ store: Store) throws -> Outcome {
    if once(in: 4) {
      let ids = try store.all(ToDoTask.self).map(\.id)
      return try change(store, ToDoTask.schema, ids, [Member("tasknote", text: text() + "n")])
    }
    let ids = try store.all(Item.self).map { String($0.id) }
    var members = [Member("title", text: text() + "t"), Member("number", number: int(-99...99))]
    if once(in: 2) { members.remove(at: int(0...1)) }
    if once(in: 4) {
      members.append(Member(name: pick(["due", "x"]), value: Array(value(depth: 1).utf8)[...]))
    }
    return try change(store, Item.schema, ids, members)
  }

  private mutating func change(
    _ store: Store, _ schema: Schema, _ ids: [String], _ members: [Member]
  ) throws -> Outcome {
    let some = Array(ids.shuffled(using: &self).prefix(int(1...3)))
    let selector = Query(targets: try some.map { try RecordReference($0, of: schema) })
    switch int(0...9) {
    case 0: return try store.deleteAll(of: schema)
    case 1...2: return try store.delete(selector, from: schema)
    case 3...5: return try store.update(selector, of: schema, with: Batch(schema, [members]))
    case 6:
      let targets = selector.targets ?? []
      let batch = Batch(schema, Array(repeating: members, count: targets.count))
      return try store.update(targets, of: schema, withEachOf: batch)
    default:
      let batch = Batch(schema, Array(repeating: members, count: int(1...3)))
      return try store.add(batch, to: schema)
    }
  }
}
