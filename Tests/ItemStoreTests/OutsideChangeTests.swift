import Foundation
import ItemStore
import TestSupport
import Testing

/// Programs that take no lock change the file while a change is under way: at each of its calls.
@Suite struct OutsideChangeTests {
  struct Intrusion: Sendable, CustomTestStringConvertible {
    let name: String
    /// What the other program leaves of what was there; nil if it removes the file.
    let content: @Sendable (Data) -> Data?
    let run: @Sendable (URL) throws -> Void

    var testDescription: String { name }

    init(
      _ name: String, _ content: @escaping @Sendable (Data) -> Data?,
      run: @escaping @Sendable (URL) throws -> Void
    ) {
      (self.name, self.content, self.run) = (name, content, run)
    }

    init(_ name: String, _ content: String, run: @escaping @Sendable (URL) throws -> Void) {
      self.init(name, { _ in Data(content.utf8) }, run: run)
    }
  }

  static let other = Operation.seed.replacing("Milk", with: "Goat milk")
  static let sameSize = Operation.seed.replacing("Milk", with: "Wine")
  static let large = Operation.largeSeed.replacing("Milk", with: "Goat milk")

  static let intrusions = [
    Intrusion("a rename", other) { try replace($0, other) },
    Intrusion("a rename of as many bytes", sameSize) { try replace($0, sameSize) },
    Intrusion("a rename of many more bytes", large) { try replace($0, large) },
    Intrusion("writing in place", other) { try overwrite($0, other) },
    Intrusion("writing as many bytes in place", sameSize) { try overwrite($0, sameSize) },
    Intrusion("writing many more bytes in place", large) { try overwrite($0, large) },
    Intrusion("truncation to nothing", "") { try truncate($0, to: 0) },
    Intrusion(
      "truncation to a part", { $0.dropLast(40) },
      run: { try truncate($0, to: Data(contentsOf: $0).count - 40) }),
    Intrusion("removal", { _ in nil }, run: { try FileManager.default.removeItem(at: $0) }),
    Intrusion("a link in its place", other) {
      let target = $0.deletingLastPathComponent().appending(path: "target.json")
      try Data(other.utf8).write(to: target)
      try FileManager.default.removeItem(at: $0)
      try FileManager.default.createSymbolicLink(at: $0, withDestinationURL: target)
    },
  ]

  static func replace(_ file: URL, _ content: String) throws {
    try Data(content.utf8).write(to: file, options: .atomic)
  }

  static func overwrite(_ file: URL, _ content: String) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data(content.utf8))
    try handle.truncate(atOffset: UInt64(content.utf8.count))
  }

  static func truncate(_ file: URL, to count: Int) throws {
    try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(count))
  }

  static let operations = [
    Operation(name: "add", run: Operation.add("Tea")),
    Operation(name: "update in a large file", seed: Operation.largeSeed, history: []) {
      try $0.update(
        try Operation.targets("1", "2"), of: Item.schema,
        with: Batch(Item.schema, [[Member("number", number: 5)]]))
    },
    Operation(name: "delete") {
      try $0.delete(try Operation.targets("1"), from: Item.schema)
    },
    Operation(name: "delete-all") { try $0.deleteAll(of: Item.schema) },
    Operation(name: "add", seed: Operation.largerSeed, run: Operation.add("Tea")).cloning,
    Operation(name: "delete", seed: Operation.largerSeed) {
      try $0.delete(try Operation.targets("1"), from: Item.schema)
    }.cloning,
  ]

  /// The result is the change on top of what the other program left. One of the two may be lost only if the
  /// other program wrote after the last look at the file.
  @Test(arguments: intrusions, operations)
  func `the newest content is kept and changed`(intrusion: Intrusion, operation: Operation) throws {
    let rehearsal = try Rehearsal(operation)
    let left = intrusion.content(try #require(rehearsal.old))
    let expected = try Expected(operation, on: left, rehearsal.start)
    let renaming = try #require(rehearsal.events.firstIndex { $0.call == .rename })
    for n in 1...rehearsal.events.count {
      let scratch = try Self.scratch(rehearsal)
      let result = Result { try Self.run(operation.run, scratch, intruding: n, intrusion) }
      let outcome = result.map { _ in "success" }
      let comment: Comment = "\(rehearsal.events[n - 1]), call \(n): \(outcome)"
      let data = scratch.data("items.json")
      if n - 1 < renaming {
        #expect(data == expected.data, comment)
        if case .failure(let error) = result {
          #expect(Self.kind(error) == expected.error.map(Self.kind), comment)
        } else {
          #expect(expected.error == nil, comment)
        }
      } else {
        #expect([rehearsal.new, intrusion.content(rehearsal.new)].contains(data), comment)
        #expect(throws: Never.self, comment) { try result.get() }
      }
      let extra = try scratch.names.subtracting([
        "items.json", ".items.json.undo", "target.json", ".target.json.undo",
      ])
      #expect(extra == [], comment)
    }
  }

  /// Nothing that another program did is taken back.
  @Test(arguments: intrusions)
  func `undo refuses where another program came between`(intrusion: Intrusion) throws {
    let operation = Operation(name: "undo", isUndo: true, run: Operation.undo)
    let rehearsal = try Rehearsal(operation)
    let left = intrusion.content(try #require(rehearsal.old))
    let renaming = try #require(rehearsal.events.firstIndex { $0.call == .rename })
    for n in 1...renaming {
      let scratch = try Self.scratch(rehearsal)
      #expect(throws: StoreError.self, "call \(n)") {
        try Self.run(operation.run, scratch, intruding: n, intrusion)
      }
      #expect(scratch.data("items.json") == left, "call \(n)")
    }
  }

  @Test(arguments: intrusions)
  func `a reader sees the old content or the new`(intrusion: Intrusion) throws {
    let rehearsal = try Rehearsal(Self.operations[0])
    let left = intrusion.content(try #require(rehearsal.old))
    let read: @Sendable (Store) throws -> Selection = {
      try $0.select(Query(), of: Item.schema)
    }
    let saboteur = Saboteur()
    _ = try read(Self.scratch(rehearsal).store("items.json", saboteur.system))
    for n in 1...saboteur.events.count {
      let scratch = try Self.scratch(rehearsal)
      do {
        let seen = try Self.run(read, scratch, intruding: n, intrusion).document.bytes
        let data = Data(seen[0..<seen.count])
        // A blank file is read as one with empty lists.
        let isBlank = (left ?? Data()).isEmpty && data.count < 100
        #expect(isBlank || [rehearsal.old, left].contains(data), "call \(n)")
      } catch StoreError.invalid {
        #expect(intrusion.name == "truncation to a part", "call \(n)")
      }
    }
  }

  @Test func `a file that is never at rest is given up`() throws {
    let rehearsal = try Rehearsal(Self.operations[0])
    for call in [System.Call.read, .sync] {
      let scratch = try Self.scratch(rehearsal)
      let file = scratch.folder.appending(path: "items.json")
      let count = Locked(0)
      let system = System { made, _ in
        if made == call {
          // Longer each time, so that no clock is too coarse to show it.
          let blanks = String(
            repeating: " ",
            count: count.with {
              $0 += 1
              return $0
            })
          try? Self.overwrite(file, Operation.seed + blanks)
        }
        return nil
      }
      #expect(throws: StoreError.keepsChanging(path: file.path)) {
        try scratch.store("items.json", system).create(Item.Draft(title: "Tea"))
      }
      #expect(scratch.data("items.json")?.starts(with: Data(Operation.seed.utf8)) == true)
      #expect(try scratch.names == ["items.json", ".items.json.undo"])
      #expect(try scratch.store().create(Item.Draft(title: "Tea")).id == 4, "no id is used up")
    }
  }

  /// The result of a change that begins after the other program is done.
  struct Expected {
    let data: Data?
    let error: (any Error)?

    init(_ operation: Operation, on content: Data?, _ start: [String: Data]) throws {
      var files = start
      files["items.json"] = content
      let scratch = try Sandbox(files)
      let result = Result { try operation.run(scratch.store()) }
      data = scratch.data("items.json")
      error = if case .failure(let error) = result { error } else { nil }
    }
  }

  /// A copy of the start whose file looks old, so that any clock shows that it was written to.
  static func scratch(_ rehearsal: Rehearsal) throws -> Sandbox {
    let scratch = try Sandbox(rehearsal.start)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)],
      ofItemAtPath: scratch.folder.appending(path: "items.json").path)
    return scratch
  }

  static func run<T>(
    _ body: (Store) throws -> T, _ scratch: Sandbox, intruding n: Int, _ intrusion: Intrusion
  ) throws -> T {
    let count = Locked(0)
    let file = scratch.folder.appending(path: "items.json")
    let system = System { _, _ in
      if count.with({
        $0 += 1
        return $0
      }) == n {
        do { try intrusion.run(file) } catch { Issue.record(error) }
      }
      return nil
    }
    return try body(scratch.store("items.json", system))
  }

  /// The case of an error, without the path.
  static func kind(_ error: any Error) -> Substring { "\(error)".split(separator: ":").last ?? "" }
}
