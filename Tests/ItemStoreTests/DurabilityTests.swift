import Foundation
import ItemStore
import TestSupport
import Testing

/// The order in which changes reach the disk, by the calls that make them.
@Suite struct DurabilityTests {
  @Test(arguments: Operation.all)
  func `new content is synced, then named, then its folder is synced`(operation: Operation) throws {
    let trace = try Trace(operation)
    let renaming = try #require(trace.first { $0.call == .rename })
    let new = trace.events[renaming].path
    #expect(new != trace.file && new.hasPrefix(trace.folder))
    #expect(trace.all { $0.call == .rename } == [renaming], "one rename")

    let writes = trace.all { $0.path == new && [.write, .copy].contains($0.call) }
    let syncs = trace.all { $0.path == new && $0.call == .sync }
    #expect(!writes.isEmpty)
    let sync = try #require(syncs.first, "\(trace.events)")
    #expect(syncs.count == 1)
    #expect(writes.allSatisfy { $0 < sync } && sync < renaming, "\(trace.events)")
    let folderSyncs = trace.all { $0.path == trace.folder && $0.call == .sync }
    #expect(folderSyncs.contains { $0 > renaming }, "\(trace.events)")
  }

  @Test(arguments: Operation.all)
  func `the data file itself is never written to`(operation: Operation) throws {
    let trace = try Trace(operation)
    #expect(
      trace.all {
        $0.path == trace.file
          && [.write, .copy, .truncate, .remove, .sync, .setMode].contains($0.call)
      } == [])
  }

  @Test func `folders that are made are synced into theirs before the file is named`() throws {
    let trace = try Trace(
      Operation(
        name: "add", path: "a/b/items.json", seed: nil, history: [], run: Operation.add("Tea")))
    let made = trace.all { $0.call == .makeFolder }
    #expect(made.map { trace.events[$0].path } == ["a", "a/b"].map { trace.root + $0 })
    for (making, parent) in zip(made, ["", "a/"].map { trace.root + $0 }) {
      let sync = try #require(
        trace.first(from: making) { $0.call == .sync && $0.path == parent }, "\(trace.events)")
      #expect(sync < trace.first { $0.call == .rename } ?? 0)
    }
  }

  @Test func `sync is not tried again after it failed`() throws {
    for code in [EIO, ENOSPC] {
      let rehearsal = try Rehearsal(Operation.all[0])
      for (i, event) in rehearsal.events.enumerated() where event.call == .sync {
        let scratch = try Sandbox(rehearsal.start)
        let saboteur = Saboteur(.once(at: i + 1, code))
        _ = try? rehearsal.operation.run(scratch.store("items.json", saboteur.system))
        let failed = try #require(saboteur.victim)
        #expect(
          saboteur.events.filter { $0.call == .sync && $0.path == failed.path }.count == 1)
      }
    }
  }

  /// It would let a change through whose loss nobody was told of.
  @Test func `content that cannot be synced never gets the name`() throws {
    let rehearsal = try Rehearsal(Operation.all[0])
    let sync = try #require(rehearsal.events.firstIndex { $0.call == .sync })
    let scratch = try Sandbox(rehearsal.start)
    let saboteur = Saboteur(.once(at: sync + 1, EIO))
    #expect(throws: StoreError.self) {
      try rehearsal.operation.run(scratch.store("items.json", saboteur.system))
    }
    #expect(!saboteur.events.contains { $0.call == .rename })
  }

  @Test func `the lock is held from before the file is read until it is replaced`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    try scratch.store().create(Item.Draft(title: "Tea"))
    var rival = scratch.store()
    rival.lockTimeout = 0
    let (attempts, other) = (Locked<[Result<Item, any Error>]>([]), rival)
    let saboteur = Saboteur()
    let spying = saboteur.system
    var system = spying
    system.interfere = { call, path in
      let isLocked = saboteur.events.contains { $0.call == .lock }
      _ = spying.interfere?(call, path)
      if isLocked {
        attempts.with { $0.append(Result { try other.create(Item.Draft(title: "Rival")) }) }
      }
      return nil
    }
    try scratch.store("items.json", system).update(Item.self, id: 1) { $0.number = 4 }

    let companion = scratch.folder.appending(path: ".items.json.undo").path
    attempts.with { attempts in
      #expect(!attempts.isEmpty)
      for attempt in attempts {
        #expect(throws: StoreError.locked(path: companion)) { try attempt.get() }
      }
    }
    let lock = try #require(saboteur.events.firstIndex { $0.call == .lock })
    let file = scratch.folder.appending(path: "items.json").path
    #expect(saboteur.events[lock...].contains { $0.call == .open && $0.path == file })
  }

  @Test func `reading takes no lock and makes, writes and removes nothing`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    let saboteur = Saboteur()
    _ = try scratch.store("items.json", saboteur.system).all(Item.self)
    _ = try scratch.store("none.json", saboteur.system).all(Item.self)
    #expect(
      saboteur.events.allSatisfy { [.open, .read, .status, .readLink].contains($0.call) },
      "\(saboteur.events)")
    #expect(try scratch.names == ["items.json"])
  }

  @Test func `a file that is open keeps the content that it had`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    let file = try FileHandle(forReadingFrom: scratch.folder.appending(path: "items.json"))
    try scratch.store().update(Item.self, id: 1) { $0.title = "Butter" }
    #expect(try file.readToEnd() == Data(Operation.seed.utf8))
  }
}

/// The calls of an operation that went well.
private struct Trace {
  let root: String
  let file: String
  let events: [Saboteur.Event]

  /// As the store spells it: with the slash.
  var folder: String { String(file.dropLast("items.json".count)) }

  init(_ operation: Operation) throws {
    let rehearsal = try Rehearsal(operation)
    let scratch = try Sandbox(rehearsal.start)
    let saboteur = Saboteur()
    _ = try operation.run(scratch.store(operation.path, saboteur.system))
    root = scratch.folder.path + "/"
    file = root + operation.path
    events = saboteur.events
  }

  func all(_ isWanted: (Saboteur.Event) -> Bool) -> [Int] {
    events.indices.filter { isWanted(events[$0]) }
  }

  func first(from start: Int = 0, _ isWanted: (Saboteur.Event) -> Bool) -> Int? {
    events[start...].firstIndex(where: isWanted)
  }
}
