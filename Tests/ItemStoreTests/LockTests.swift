import Foundation
import ItemStore
import TestSupport
import Testing

/// The lock, held by another process.
@Suite(.needs("flock"))
struct LockTests {
  @Test func `a change gives up in the end and names the lock file`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    let holder = try Holder(scratch)
    var store = scratch.store()
    store.lockTimeout = 0.02
    let error = #expect(throws: StoreError.locked(path: holder.companion.path)) {
      try store.create(Item.Draft(title: "Tea"))
    }
    #expect(error?.description.contains(holder.companion.path) == true)
    #expect(scratch.data("items.json") == Data(Operation.seed.utf8))
    #expect(try store.all(Item.self).count == 3, "readers do not wait")
  }

  @Test func `the lock is free once its holder is killed`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    let holder = try Holder(scratch)
    var store = scratch.store()
    store.lockTimeout = 0
    #expect(throws: StoreError.self) { try store.create(Item.Draft(title: "Tea")) }
    holder.kill()
    #expect(try store.create(Item.Draft(title: "Tea")).id == 4)
  }

  @Test func `a change waits for the lock and goes on when it is free`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    let holder = try Holder(scratch)
    let attempts = Locked(0)
    let system = System { call, _ in
      if call == .lock
        && attempts.with({
          $0 += 1
          return $0 == 5
        })
      {
        holder.kill()
      }
      return nil
    }
    #expect(try scratch.store("items.json", system).create(Item.Draft(title: "Tea")).id == 4)
    #expect(attempts.with(\.self) == 5)
  }

  @Test func `a lock file that went while it was waited for is made anew`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    let holder = try Holder(scratch)
    let attempts = Locked(0)
    let system = System { call, _ in
      if call == .lock
        && attempts.with({
          $0 += 1
          return $0 == 3
        })
      {
        try? FileManager.default.removeItem(at: holder.companion)
        holder.kill()
      }
      return nil
    }
    try scratch.store("items.json", system).create(Item.Draft(title: "Tea"))
    #expect(attempts.with(\.self) > 3, "the lock of a file that nobody else will find is no lock")
    #expect(try scratch.names == ["items.json", ".items.json.undo"])
  }

  /// Whoever comes then makes a companion of its own, and so holds a lock beside the first.
  @Test(arguments: ["the companion is removed", "the folder is replaced"])
  func `a change that has lost its lock is made anew under the one that counts`(
    loss: String
  ) throws {
    let scratch = try Sandbox(["data/items.json": Data(Operation.seed.utf8)])
    let file = scratch.folder.appending(path: "data")
    let other = scratch.store("data/items.json")
    try other.update(Item.self, id: 3) { $0.number = 1 }
    let isLost = Locked(false)
    let system = System { call, _ in
      let isFirst = isLost.with { lost in
        defer { if call == .sync { lost = true } }
        return call == .sync && !lost
      }
      guard isFirst else { return nil }
      let manager = FileManager.default
      if loss == "the companion is removed" {
        try? manager.removeItem(at: file.appending(path: ".items.json.undo"))
      } else {
        try? manager.moveItem(at: file, to: scratch.folder.appending(path: "old"))
        try? scratch.write(Data(Operation.seed.utf8), to: "data/items.json")
      }
      _ = try? other.update(Item.self, id: 2) { $0.title = "Rival" }
      return nil
    }
    try scratch.store("data/items.json", system).update(Item.self, id: 1) { $0.title = "Mine" }
    #expect(try other.all(Item.self).map(\.title) == ["Mine", "Rival", "Bread"])
    try other.undo()
    #expect(try other.all(Item.self).map(\.title) == ["Milk", "Rival", "Bread"])
  }
}

/// A process that holds the lock of `items.json` until it is killed.
private final class Holder: Sendable {
  let companion: URL
  private let process: Process

  /// Returns when it holds the lock.
  init(_ scratch: Sandbox) throws {
    companion = scratch.folder.appending(path: ".items.json.undo")
    let output = Pipe()
    process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "exec 9<>\"$0\"; flock 9; echo held; exec 1>&-; exec sleep 1000", companion.path,
    ]
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    #expect(try output.fileHandleForReading.readToEnd() == Data("held\n".utf8))
  }

  deinit { kill() }

  /// Returns when it has gone.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
