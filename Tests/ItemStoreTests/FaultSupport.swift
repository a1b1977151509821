import Foundation
import ItemStore
import TestSupport
import Testing

/// What to do to the calls of one operation, which are counted from 1.
enum Sabotage: Sendable {
  case none
  /// The n-th fails.
  case once(at: Int, CInt)
  /// The n-th fails, and all later ones of its kind.
  case persistently(at: Int, CInt)
  /// All of a kind fail.
  case every(System.Call, CInt)
  /// The n-th fails that often in a row, then goes through.
  case repeatedly(at: Int, CInt, times: Int)
  /// As if the process was killed: from the n-th on, none has any effect.
  case death(at: Int)
  /// As `death`, but the n-th call does the first few bytes of its work.
  case tornDeath(at: Int)
  /// Each reads, writes or copies that many bytes at most.
  case short(Int)
}

/// Counts and records the calls of a store, and makes some fail.
final class Saboteur: Sendable {
  struct Event: Sendable, CustomStringConvertible {
    let call: System.Call
    let path: String
    var description: String { "\(call.rawValue) \(path)" }
  }

  struct State: Sendable {
    var events: [Event] = []
    var failures = 0
    var victim: Event?
  }

  private let sabotage: Sabotage
  private let state = Locked(State())

  init(_ sabotage: Sabotage = .none) { self.sabotage = sabotage }

  var events: [Event] { state.with(\.events) }
  /// The call that failed first; nil if none did.
  var victim: Event? { state.with(\.victim) }

  var system: System {
    System { [self] call, path in
      state.with { state in
        state.events.append(Event(call: call, path: path))
        let interference = decide(&state)
        if case .fail? = interference, state.victim == nil { state.victim = state.events.last }
        return interference
      }
    }
  }

  private func decide(_ state: inout State) -> System.Interference? {
    let n = state.events.count
    switch sabotage {
    case .none: return nil
    case .once(n, let code): return .fail(code)
    case .once: return nil
    case .persistently(let first, let code):
      return n >= first && state.events[n - 1].call == state.events[first - 1].call
        ? .fail(code) : nil
    case .every(let call, let code): return state.events[n - 1].call == call ? .fail(code) : nil
    case .repeatedly(let first, let code, let times):
      return first..<first + times ~= n ? .fail(code) : nil
    case .death(let first): return n >= first ? .fail(EIO) : nil
    case .tornDeath(let first): return n > first ? .fail(EIO) : n == first ? .shorten(7) : nil
    case .short(let most): return .shorten(most)
    }
  }
}

/// A change that is tried under faults, and the changes before it.
struct Operation: Sendable, CustomTestStringConvertible {
  let name: String
  var path = "items.json"
  /// The data file at the start; nil if there is none.
  var seed: String? = Self.seed
  /// Changes made before, so that there is something to undo.
  var history: [@Sendable (Store) throws -> Void] = [
    { try $0.update(Item.self, id: 2) { $0.number = 1 } }
  ]
  var isUndo = false
  let run: @Sendable (Store) throws -> Outcome

  var testDescription: String { name }

  static let seed = """
    {
      "lastID": 3,
      "items": [
        {"id": 1, "title": "Milk", "number": 3},
        {"id": 2, "title": "Eggs", "number": 12, "colour": "brown"},
        {"id": 3, "title": "Bread", "number": 40}
      ],
      "tasks": [
        {"taskid": "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "tasknote": "Call the bank"}
      ]
    }

    """

  /// Larger than what is copied by hand, so that the kernel copies it.
  static let largeSeed = seed.replacing(
    "\"lastID\"", with: "\"note\": \"\(String(repeating: "x", count: 70_000))\",\n  \"lastID\"")

  /// With as much after the records as before them.
  static let largerSeed = largeSeed.replacing(
    "  ]\n}", with: "  ],\n  \"more\": \"\(String(repeating: "y", count: 70_000))\"\n}")

  /// The operation with a new file that begins as a copy without a name, as of large files.
  var cloning: Operation {
    Operation(
      name: "\(name), with a clone", path: path, seed: seed, history: history, isUndo: isUndo
    ) { [run] store in
      var store = store
      store.leastToClone = 0
      return try run(store)
    }
  }

  static func add(_ titles: String...) -> @Sendable (Store) throws -> Outcome {
    {
      let records = titles.map { [Member("title", text: $0), Member("number", number: 7)] }
      return try $0.add(Batch(Item.schema, records), to: Item.schema)
    }
  }

  static func targets(_ ids: String...) throws -> Query {
    Query(targets: try ids.map { try RecordReference($0, of: Item.schema) })
  }

  static let undo: @Sendable (Store) throws -> Outcome = { try $0.perform(.undo) }

  static let all = plain + cloned.map(\.cloning)

  /// In a file with large parts before and after the records: one whose end stays where it is, and
  /// others whose end moves either way.
  private static let cloned = [
    Operation(name: "add", run: add("Tea")),
    Operation(name: "add in a large file", seed: largeSeed, run: add("Tea")),
    Operation(name: "update of a number in a large file", seed: largerSeed) {
      try $0.update(
        try targets("1"), of: Item.schema, with: Batch(Item.schema, [[Member("number", number: 4)]])
      )
    },
    Operation(name: "update in a large file", seed: largerSeed) {
      try $0.update(
        try targets("1", "3"), of: Item.schema,
        with: Batch(Item.schema, [[Member("title", text: "Butter")]]))
    },
    Operation(name: "delete in a large file", seed: largerSeed) {
      try $0.delete(try targets("2"), from: Item.schema)
    },
    Operation(
      name: "undo in a large file", seed: largerSeed,
      history: [{ try $0.delete(Item.self, id: 3) }, { _ = try add("Tea")($0) }], isUndo: true,
      run: undo),
  ]

  private static let plain = [
    Operation(name: "add", run: add("Tea")),
    Operation(name: "add of several", run: add("Tea", "Rice", "Salt")),
    Operation(name: "add of a task") {
      let id = "00000000-0000-4000-8000-000000000001"
      let members = [Member("taskid", text: id), Member("tasknote", text: "Pay")]
      return try $0.add(Batch(ToDoTask.schema, [members]), to: ToDoTask.schema)
    },
    Operation(name: "add in a large file", seed: largeSeed, run: add("Tea")),
    Operation(name: "add to an empty file", seed: "", history: [], run: add("Tea")),
    Operation(name: "add where no file is", seed: nil, history: [], run: add("Tea")),
    Operation(
      name: "add where no folder is", path: "a/b/items.json", seed: nil, history: [],
      run: add("Tea")),
    Operation(name: "first change of a file", history: [], run: add("Tea")),
    Operation(name: "update") {
      try $0.update(
        try targets("1", "3"), of: Item.schema,
        with: Batch(Item.schema, [[Member("title", text: "Butter")]]))
    },
    Operation(name: "delete") { try $0.delete(try targets("1", "3"), from: Item.schema) },
    Operation(name: "delete-all") { try $0.deleteAll(of: Item.schema) },
    Operation(
      name: "undo of an update",
      history: [
        { try $0.delete(Item.self, id: 3) },
        { try $0.update(Item.self, id: 1) { $0.title = "Tea" } },
      ], isUndo: true, run: undo),
    Operation(
      name: "undo of an add",
      history: [{ try $0.delete(Item.self, id: 1) }, { _ = try add("Tea")($0) }],
      isUndo: true, run: undo),
    Operation(
      name: "undo of a delete-all",
      history: [{ try $0.delete(Item.self, id: 3) }, { try $0.deleteAll(Item.self) }], isUndo: true,
      run: undo),
  ]
}

/// An operation made ready: the folder that it starts from, and its result if nothing fails.
struct Rehearsal {
  let operation: Operation
  let start: [String: Data]
  /// The data file after each change of the history, oldest first; nil is no file.
  let past: [Data?]
  let new: Data

  var old: Data? { start[operation.path] }
  /// The events of a run that goes well.
  let events: [Saboteur.Event]

  init(_ operation: Operation) throws {
    self.operation = operation
    let scratch = try Sandbox(operation.seed.map { [operation.path: Data($0.utf8)] } ?? [:])
    var past = [scratch.data(operation.path)]
    for change in operation.history {
      try change(scratch.store(operation.path))
      past.append(scratch.data(operation.path))
    }
    self.past = past
    start = try scratch.files
    let saboteur = Saboteur()
    let change = try operation.run(scratch.store(operation.path, saboteur.system))
    #expect(change.failure == nil)
    new = try #require(scratch.data(operation.path))
    events = saboteur.events
  }

  /// The states that undoing leads through from the state that the operation left, newest first.
  func undone(from data: Data?) -> [Data?] {
    let wasMade = data == new
    if operation.isUndo { return past.dropLast(wasMade ? 2 : 1).reversed() }
    return past.dropLast(wasMade ? 0 : 1).reversed()
  }

  /// The names after any change.
  var names: Set<String> {
    let url = URL(filePath: operation.path)
    var names: Set = [operation.path]
    var folder = url.deletingLastPathComponent().relativePath
    if folder == "." { return names.union([".items.json.undo"]) }
    names.insert("\(folder)/.items.json.undo")
    while folder != "." {
      names.insert(folder)
      folder = URL(filePath: folder).deletingLastPathComponent().relativePath
    }
    return names
  }
}
