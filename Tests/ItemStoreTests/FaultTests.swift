import Foundation
import TestSupport
import Testing

@testable import ItemStore

/// Each change with each of its system calls failing, and with a death at each of them.
@Suite struct FaultTests {
  /// What each call fails with in the wild.
  static let errors: [System.Call: [CInt]] = [
    .open: [EACCES, EMFILE, ENOSPC, EDQUOT, EROFS, EIO],
    .read: [EIO],
    .write: [ENOSPC, EDQUOT, EIO],
    .copy: [ENOSPC, EDQUOT, EIO],
    .status: [EACCES, EIO],
    .readLink: [EACCES, EIO],
    .lock: [ENOLCK, EIO],
    .sync: [EIO, ENOSPC, EDQUOT],
    .link: [EXDEV, EPERM, ENOENT, ENOSPC, EIO],
    .rename: [EACCES, ENOSPC, EROFS, EIO],
    .remove: [EACCES, EROFS, EIO],
    .makeFolder: [EACCES, ENOSPC, EDQUOT, EROFS, EIO],
    .setMode: [EPERM, EROFS, EIO],
    .setOwner: [EPERM, EIO],
    .attributes: [EACCES, ENOSPC, EIO],
    .truncate: [EIO],
  ]

  @Test func `there are errors for every call`() {
    // Watching changes nothing.
    #expect(Set(Self.errors.keys) == Set(System.Call.allCases).subtracting([.watch]))
  }

  @Test(arguments: Operation.all)
  func `a call that fails once is reported, or has not mattered`(operation: Operation) throws {
    let rehearsal = try Rehearsal(operation)
    for (i, event) in rehearsal.events.enumerated() {
      for code in Self.errors[event.call] ?? [] {
        try Trial(rehearsal, .once(at: i + 1, code)).run()
      }
    }
  }

  @Test(arguments: Operation.all)
  func `a call that goes on failing is reported, or has not mattered`(operation: Operation) throws {
    let rehearsal = try Rehearsal(operation)
    for (i, event) in rehearsal.events.enumerated() {
      for code in Self.errors[event.call]?.suffix(1) ?? [] {
        try Trial(rehearsal, .persistently(at: i + 1, code)).run()
      }
    }
  }

  @Test(arguments: Operation.all)
  func `a call that signals interrupt is made again`(operation: Operation) throws {
    let rehearsal = try Rehearsal(operation)
    for i in rehearsal.events.indices {
      let trial = try Trial(rehearsal, .repeatedly(at: i + 1, EINTR, times: 3))
      #expect(throws: Never.self, trial.comment) { try operation.run(trial.store) }
      #expect(trial.data == rehearsal.new, trial.comment)
      #expect(try trial.scratch.names == rehearsal.names, trial.comment)
    }
  }

  @Test(arguments: Operation.all, [1, 2, 7, 1000])
  func `reads, writes and copies that stop short go on`(operation: Operation, most: Int) throws {
    let rehearsal = try Rehearsal(operation)
    // A call for each byte of a large file takes long and shows no more.
    let trial = try Trial(rehearsal, .short((rehearsal.old?.count ?? 0) > 10_000 ? 999 : most))
    let change = try operation.run(trial.store)
    #expect(change.failure == nil, trial.comment)
    #expect(trial.data == rehearsal.new, trial.comment)
    try trial.goOn()
  }

  @Test(arguments: Operation.all)
  func `a death at any call leaves the old file or the new one`(operation: Operation) throws {
    let rehearsal = try Rehearsal(operation)
    for n in 1...rehearsal.events.count + 1 {
      for sabotage in [Sabotage.death(at: n), .tornDeath(at: n)] {
        let trial = try Trial(rehearsal, sabotage)
        _ = try? operation.run(trial.store)
        #expect([rehearsal.old, rehearsal.new].contains(trial.data), trial.comment)
        try trial.goOn()
      }
    }
  }

  @Test(arguments: [
    Operation(name: "add", run: Operation.add("Tea")),
    Operation(
      name: "undo of an add", history: [{ _ = try Operation.add("Tea")($0) }], run: Operation.undo),
  ])
  func `an id that was given out and taken back is not given again after a death`(
    operation: Operation
  ) throws {
    let rehearsal = try Rehearsal(operation)
    for n in 1...rehearsal.events.count + 1 {
      let trial = try Trial(rehearsal, .death(at: n))
      let store = trial.scratch.store(operation.path)
      var given = Set(try store.all(Item.self).map(\.id))
      given.insert(try store.create(Item.Draft(title: "Gone")).id)
      try store.undo()
      _ = try? operation.run(trial.store)
      given.formUnion(try store.all(Item.self).map(\.id))
      #expect(given.insert(try store.create(Item.Draft(title: "after")).id).inserted, trial.comment)
    }
  }

  @Test(arguments: Operation.all)
  func `deaths one after another pile up nothing`(operation: Operation) throws {
    let rehearsal = try Rehearsal(operation)
    let trial = try Trial(rehearsal, .none)
    var most: [Int] = []
    for _ in 0..<2 {
      most.append(0)
      for n in 1...rehearsal.events.count {
        let store = trial.scratch.store(operation.path, Saboteur(.death(at: n)).system)
        _ = try? operation.run(store)
        most[most.count - 1] = max(most[most.count - 1], try trial.scratch.names.count)
      }
    }
    #expect(most[1] <= rehearsal.names.count + 1)
    _ = try Operation.add("after")(trial.scratch.store(operation.path))
    #expect(try trial.scratch.names == rehearsal.names)
  }
}

/// The log drops what is too old.
@Suite struct UndoLogFaultTests {
  @Test func `trouble while the oldest change is dropped costs no level of the log`() throws {
    let start = try Self.folderWithFullLog()
    #expect(try Self.countOfLevels(Sandbox(start)) == 100)
    let saboteur = Saboteur()
    try Self.change(Sandbox(start), saboteur)
    for (i, event) in saboteur.events.enumerated()
    where event.path.hasSuffix(".undo") && [.write, .truncate].contains(event.call) {
      for sabotage in [
        Sabotage.once(at: i + 1, ENOSPC), .death(at: i + 1), .tornDeath(at: i + 1),
      ] {
        let scratch = try Sandbox(start)
        let comment: Comment = "\(sabotage) \(event)"
        try? Self.change(scratch, Saboteur(sabotage))
        #expect(try Self.countOfLevels(scratch) == 100, comment)
      }
    }
  }

  @Test func `changes that fail again and again cost no level of the log`() throws {
    let scratch = try Sandbox(try Self.folderWithFullLog())
    for _ in 1...10 {
      #expect(throws: StoreError.self) {
        try Self.change(scratch, Saboteur(.every(.rename, EIO)))
      }
    }
    #expect(try Self.countOfLevels(scratch) == 100)
  }

  private static func change(_ scratch: Sandbox, _ saboteur: Saboteur) throws {
    let item = try scratch.store().find(Item.self, id: 2)
    try scratch.store("items.json", saboteur.system).update(Item.self, id: 2) {
      $0.number = item.number + 1
    }
  }

  private static func countOfLevels(_ scratch: Sandbox) throws -> Int {
    let store = scratch.store()
    var last = try store.find(Item.self, id: 2).number
    var count = 0
    while (try? store.undo()) != nil {
      let number = try store.find(Item.self, id: 2).number
      #expect(number == last - 1)
      (last, count) = (number, count + 1)
    }
    return count
  }

  /// A folder whose log has as many changes as it holds.
  private static func folderWithFullLog() throws -> [String: Data] {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    for _ in 0..<ChangeLog.limit { try change(scratch, Saboteur()) }
    return try scratch.files
  }
}

/// One run of an operation under sabotage.
private struct Trial {
  let rehearsal: Rehearsal
  let sabotage: Sabotage
  let saboteur: Saboteur
  let scratch: Sandbox

  init(_ rehearsal: Rehearsal, _ sabotage: Sabotage) throws {
    self.rehearsal = rehearsal
    self.sabotage = sabotage
    saboteur = Saboteur(sabotage)
    scratch = try Sandbox(rehearsal.start)
  }

  var path: String { rehearsal.operation.path }
  var store: Store { scratch.store(path, saboteur.system) }
  var data: Data? { scratch.data(path) }

  var comment: Comment {
    "\(rehearsal.operation.name), \(sabotage): \(saboteur.victim?.description ?? "nothing failed")"
  }

  /// Runs the operation and checks that it tells the truth.
  func run() throws {
    let before = try scratch.names
    do {
      let change = try rehearsal.operation.run(store)
      #expect(data == rehearsal.new, comment)
      if let failure = change.failure { try check(failure) }
    } catch let error as StoreError {
      #expect(data == rehearsal.old, comment)
      try check(refusal: error)
      if case .once = sabotage { try checkNothingIsLeft(besides: before) }
    }
    #expect(saboteur.victim != nil, comment)
    try goOn()
  }

  /// What is reported of a change that was made: that its folder was not synced.
  private func check(_ failure: StoreError) throws {
    guard case .unsynced(store.path, _) = failure else {
      Issue.record("\(comment): \(failure)")
      return
    }
    let renaming = try #require(saboteur.events.firstIndex { $0.call == .rename })
    let last = try #require(
      saboteur.events[renaming...].first { [.open, .sync].contains($0.call) })
    #expect(last.path + "items.json" == store.path, comment)
  }

  /// What is reported of a change that was not made: the system's own words for the call that failed.
  private func check(refusal error: StoreError) throws {
    guard case .once(_, let code) = sabotage else { return }
    switch error {
    case .failed(let path, Errno(code)): #expect(path.hasPrefix(scratch.folder.path), comment)
    case .readOnly(store.path): #expect([EACCES, EROFS].contains(code), comment)
    default: Issue.record("\(comment): \(error)")
    }
  }

  /// A new companion may not be removed by one who is not sure to hold its lock: another may.
  private func checkNothingIsLeft(besides before: Set<String>) throws {
    let companion = rehearsal.names.subtracting([path])
    let allowed =
      [.lock, .status].contains(saboteur.victim?.call) ? before.union(companion) : before
    #expect(try scratch.names.isSubset(of: allowed), comment)
  }

  /// The next change works and tidies up, and undoing gives every earlier state, byte for byte.
  func goOn() throws {
    let left = data
    let store = scratch.store(path)
    let change = try Operation.add("after")(store)
    #expect(change.failure == nil, comment)
    #expect(try store.all(Item.self).last?.title == "after", comment)
    #expect(try scratch.names == rehearsal.names, comment)
    for state in [left] + rehearsal.undone(from: left) {
      #expect(throws: Never.self, comment) { try store.undo() }
      // Undoing the first change ever leaves an empty file.
      #expect(data == state ?? Data(), comment)
    }
    #expect(throws: StoreError.nothingToUndo, comment) { try store.undo() }
  }
}
