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
        _ = try folder.store.undo()
        versions.removeLast()
        try check(folder.bytes == versions.last, try folder.bytes.shown)
      }
    }
    for expected in versions.dropLast().suffix(Companion.limit).reversed() {
      _ = try folder.store.undo()
      try check(folder.bytes == expected, try folder.bytes.shown)
    }
    #expect(throws: StoreError.nothingToUndo) { try folder.store.undo() }
    #expect(try folder.names == ["items.json", ".items.json.undo"])
  }

  @Test func `the log holds a hundred changes and does not grow beyond`() throws {
    let folder = try Sandbox(Sandbox.seed)
    var sizes: [Int] = []
    for number in 100..<600 {
      try folder.store.update(Item.self, 1, Item.Values(number: number))
      sizes.append(try Data(contentsOf: folder.companion).count)
    }
    let full = sizes[Companion.limit - 1]
    // What is dropped takes no more room than what is kept, and the newest entry.
    #expect(sizes.allSatisfy { $0 <= 2 * full + 200 })
    #expect(sizes[200...].contains { $0 <= full + 200 })
    for number in (500..<599).reversed() {
      _ = try folder.store.undo()
      #expect(try folder.store.find(Item.self, 1).number == number)
    }
    _ = try folder.store.undo()
    #expect(throws: StoreError.nothingToUndo) { try folder.store.undo() }
    #expect(try folder.store.find(Item.self, 1).number == 499)
  }

  @Test func `entries of very different lengths are dropped and moved whole`() throws {
    let folder = try Sandbox(Sandbox.seed)
    var versions: [[UInt8]] = []
    for i in 0..<250 {
      versions.append(try folder.bytes)
      let title = String(repeating: "x", count: i % 7 == 0 ? 20_000 : i % 11) + "\(i)"
      try folder.store.update(Item.self, 2, Item.Values(title: title))
    }
    #expect(
      try Data(contentsOf: folder.companion).count < 2 * 20_000 * Companion.limit / 7 + 100_000)
    for expected in versions.suffix(Companion.limit).reversed() {
      _ = try folder.store.undo()
      #expect(try folder.bytes == expected)
    }
  }

  // MARK: What it says

  @Test func `an undo returns what it took back`() throws {
    let folder = try Sandbox(Sandbox.seed)
    let store = folder.store
    try store.create(Item.self, [Item.Values(title: "a"), Item.Values(title: "b")])
    try store.update(Item.self, [1, 4], Item.Values(number: 99))
    try store.delete(Item.self, [2, 5])
    try store.deleteAll(ToDoTask.self)
    let expected: [(Verb, String, [String])] = [
      (.deleteAll, "task", ["Call the bank", "Pay rent"]), (.delete, "item", ["Eggs", "b"]),
      (.update, "item", ["Milk", "a"]), (.add, "item", ["a", "b"]),
    ]
    for (verb, noun, texts) in expected {
      let change = try store.undo()
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
    try folder.store.update(Item.self, 2, Item.Values(title: "x", number: 1))
    #expect(
      try folder.store.undo().touched.decoded() == [Item(id: 2, title: "Eggs", number: 12)])
  }

  @Test(arguments: ["", "{}", " \n", "\u{feff}{ }\r\n"])
  func `the first record of a file without any is taken back`(_ content: String) throws {
    let folder = try Sandbox(content)
    try folder.store.create()
    _ = try folder.store.undo()
    #expect(try folder.content == content)
  }

  @Test func `the first record of a file that was not there is taken back`() throws {
    let folder = try Sandbox()
    try folder.store.create()
    _ = try folder.store.undo()
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
    Row("another valid file", #"{"items": []}"#), Row("nothing in it", ""),
  ])
  func `an edit by something else is not undone`(_ row: Row<String, Void>) throws {
    let folder = try Sandbox(Sandbox.seed)
    try folder.store.update(Item.self, 1, Item.Values(number: 9))
    try folder.write(Array(row.input.utf8))
    #expect(throws: StoreError.changedSince(path: folder.file.path)) { try folder.store.undo() }
    #expect(try folder.content == row.input)
    // What is changed from then on can be taken back, down to that edit.
    try folder.store.create()
    _ = try folder.store.undo()
    #expect(try folder.content == row.input)
    #expect(throws: StoreError.changedSince(path: folder.file.path)) { try folder.store.undo() }
    #expect(try folder.content == row.input)
  }

  @Test func `an earlier version that something else brought back is not undone`() throws {
    let folder = try Sandbox(Sandbox.seed)
    try folder.store.update(Item.self, 1, Item.Values(number: 9))
    let middle = try folder.bytes
    try folder.store.update(Item.self, 1, Item.Values(number: 10))
    try folder.write(middle)
    #expect(throws: StoreError.changedSince(path: folder.file.path)) { try folder.store.undo() }
    #expect(try folder.bytes == middle)
  }

  @Test func `a task that is added does not make the next item repeat an id`() throws {
    for text in [Sandbox.seed, #"{"items": [{"id": 3, "title": "a", "number": 1}]}"#] {
      let folder = try Sandbox(text)
      #expect(try folder.store.create().id == 4)
      _ = try folder.store.undo()
      let before = try folder.content
      try folder.store.create(ToDoTask.Values(tasknote: "t"))
      #expect(try folder.content.contains("\"lastID\": 4") == before.contains("\"lastID\": 4"))
      #expect(try folder.store.create().id == 5)
    }
  }

  @Test func `a broken file is not undone`() throws {
    let folder = try Sandbox(Sandbox.seed)
    try folder.store.update(Item.self, 1, Item.Values(number: 9))
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
    try folder.store.update(Item.self, 1, Item.Values(number: 9))
    let middle = try folder.bytes
    try folder.store.delete(Item.self, [1, 3])
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
        _ = try folder.store.undo()
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
    let item = try folder.store.create(Item.Values(title: "x"))
    try #require(item.id > 3, comment)
    _ = try folder.store.undo()
    try #require(try folder.bytes == before, comment)
  }

  @Test func `a log with any byte flipped costs the undo and nothing else`() throws {
    let (folder, versions, log) = try Self.changed()
    for i in log.indices {
      var damaged = log
      damaged[i] ^= [1, 0x80, 0xFF][i % 3]
      try Self.expectHarmless(damaged, folder, versions, "byte \(i)")
    }
  }

  @Test func `a log cut anywhere costs the undo and nothing else`() throws {
    let (folder, versions, log) = try Self.changed()
    for count in 0..<log.count {
      try Self.expectHarmless(Array(log[..<count]), folder, versions, "\(count) bytes")
    }
  }

  @Test func `garbage for a log costs the undo and nothing else`() throws {
    let (folder, versions, log) = try Self.changed()
    for garbage in [
      Array("garbage\n".utf8), [], Array(repeating: 0, count: 500),
      Array(repeating: 0xFF, count: 500), log + log, Array(log.reversed()),
      Array(log[..<64]) + Array(repeating: 0xFF, count: log.count - 64),
    ] {
      try Self.expectHarmless(garbage, folder, versions, "\(garbage.prefix(8))")
    }
    // With the log itself both changes are taken back.
    try folder.write(versions[2])
    try Data(log).write(to: folder.companion)
    _ = try folder.store.undo()
    _ = try folder.store.undo()
    #expect(try folder.bytes == versions[0])
  }

  @Test func `a log whose checksums fit but whose numbers do not is damaged too`() throws {
    let (folder, versions, log) = try Self.changed()
    let header = log[..<Companion.Header.size]
    let length = Self.number(log.suffix(8))
    let (older, entry) = (log[64..<(log.count - length)], log[(log.count - length)...])
    let values = [-1, 1 << 20, .max, .min, Int.max / 24 + 1]
    // The list, the number of splices, and the place, the length and the old bytes of the first.
    for word in [2, 7, 8, 9, 10] {
      for value in values {
        let forged = Self.forged(entry.dropLast(8), word, value) + entry.suffix(8)
        try Self.expectHarmless(header + older + forged, folder, versions, "\(word): \(value)")
      }
    }
    // The start, the end and the number of entries; with these no later change need be possible.
    for word in [4, 5, 6] {
      for value in values {
        try folder.write(versions[2])
        try Data(Self.forged(header, word, value) + older + entry).write(to: folder.companion)
        _ = try? folder.store.undo()
        #expect(versions.contains(try folder.bytes))
        _ = try? folder.store.create()
        #expect(try folder.store.all(Item.self).count <= 4)
      }
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// The same bytes with another number at a place, and a checksum at their end that fits.
  private static func forged(_ bytes: ArraySlice<UInt8>, _ word: Int, _ value: Int) -> [UInt8] {
    let little = { (word: UInt64) in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    var forged = Array(bytes.dropLast(8))
    forged.replaceSubrange(8 * word..<8 * word + 8, with: little(UInt64(bitPattern: Int64(value))))
    return forged + little(Fingerprint(Bytes(forged)).hash)
  }

  @Test func `losing the log costs the undo and nothing else`() throws {
    let (folder, versions, _) = try Self.changed()
    try FileManager.default.removeItem(at: folder.companion)
    #expect(throws: StoreError.nothingToUndo) { try folder.store.undo() }
    #expect(try folder.bytes == versions[2])
    try folder.store.create()
    _ = try folder.store.undo()
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
    case 3...5: return try store.update(selector, of: schema, with: members)
    case 6:
      let targets = selector.targets ?? []
      let batch = Batch(schema, Array(repeating: members, count: targets.count))
      return try store.update(targets, of: schema, with: batch)
    default:
      let batch = Batch(schema, Array(repeating: members, count: int(1...3)))
      return try store.add(batch, to: schema)
    }
  }
}
