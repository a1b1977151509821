import Foundation
import ItemStoreChanges
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChangesTests {
  /// What is done to the data file, and whether it is another after that.
  struct Row: CustomTestStringConvertible {
    let name: String
    /// The data file, within the folder.
    var path = "items.json"
    var before: @Sendable (Sandbox) throws -> Void = { try $0.write("{}", to: "items.json") }
    let change: @Sendable (Sandbox) throws -> Void
    var isSeen = true

    var testDescription: String { name }
  }

  static let ofTheFile = [
    Row(name: "a change by a store") { try $0.store.create(Item.Draft(title: "First Title")) },
    Row(
      name: "the first change by a store", before: { _ in },
      change: { try $0.store.create(Item.Draft(title: "First Title")) }),
    Row(name: "written in place") { try $0.write(" ", to: "items.json") },
    Row(name: "the same bytes written in place") { try $0.write("{}", to: "items.json") },
    Row(name: "appended to") { try $0.append("\n", to: "items.json") },
    Row(name: "emptied") { try $0.write("", to: "items.json") },
    Row(name: "replaced by rename") {
      try $0.write("{}", to: "new")
      try $0.move("new", "items.json")
    },
    Row(name: "moved away") { try $0.move("items.json", "other") },
    Row(name: "deleted") { try $0.remove("items.json") },
    Row(name: "created", before: { _ in }, change: { try $0.write("{}", to: "items.json") }),
    Row(name: "made unreadable") { try $0.setMode("items.json", 0) },
    Row(
      name: "a second name of another file", before: { try $0.write("{}", to: "other") },
      change: {
        try $0.hardLink("items.json", to: "other")
      }),
  ]

  static let onTheWay = [
    Row(
      name: "folders that were missing", path: "a/b/items.json", before: { _ in },
      change: {
        try $0.makeFolder("a/b")
        try $0.write("{}", to: "a/b/items.json")
      }),
    Row(
      name: "the first change by a store with folders missing", path: "a/b/items.json",
      before: { _ in },
      change: {
        try $0.store("a/b/items.json").create(Item.Draft(title: "First Title"))
      }),
    Row(
      name: "the folder moved away", path: "a/items.json",
      before: { try $0.write("{}", to: "a/items.json") },
      change: {
        try $0.move("a", "b")
      }),
    Row(
      name: "the folder above moved away", path: "a/b/items.json",
      before: { try $0.write("{}", to: "a/b/items.json") },
      change: {
        try $0.move("a", "c")
      }),
    Row(
      name: "another folder in its place", path: "a/items.json",
      before: {
        try $0.write("{}", to: "a/items.json")
        try $0.write("{}", to: "b/items.json")
        try $0.move("a", "c")
      }, change: { try $0.move("b", "a") }),
    Row(
      name: "the folder deleted", path: "a/items.json",
      before: { try $0.write("{}", to: "a/items.json") },
      change: {
        try $0.remove("a")
      }),
    Row(
      name: "the target of a link",
      before: {
        try $0.write("{}", to: "a/real")
        try $0.link("items.json", to: "a/real")
      }, change: { try $0.write(" ", to: "a/real") }),
    Row(
      name: "the target of an absolute link",
      before: {
        try $0.write("{}", to: "a/real")
        try $0.link("items.json", to: $0.folder.appending(path: "a/real").path)
      }, change: { try $0.write(" ", to: "a/real") }),
    Row(
      name: "the target of a dangling link", before: { try $0.link("items.json", to: "real") },
      change: {
        try $0.write("{}", to: "real")
      }),
    Row(
      name: "a link pointed elsewhere",
      before: {
        try $0.write("{}", to: "a")
        try $0.write("{}", to: "b")
        try $0.link("items.json", to: "a")
      },
      change: {
        try $0.link("new", to: "b")
        try $0.move("new", "items.json")
      }),
    Row(
      name: "the second link of a chain pointed elsewhere",
      before: {
        try $0.write("{}", to: "a")
        try $0.link("d/next", to: "../a")
        try $0.link("items.json", to: "d/next")
      },
      change: {
        try $0.link("new", to: "../b")
        try $0.move("new", "d/next")
      }),
    Row(
      name: "a link on the way pointed elsewhere", path: "data/items.json",
      before: {
        try $0.write("{}", to: "a/items.json")
        try $0.write("{}", to: "b/items.json")
        try $0.link("data", to: "a")
      },
      change: {
        try $0.link("new", to: "b")
        try $0.move("new", "data")
      }),
    Row(
      name: "links in a circle mended",
      before: {
        try $0.link("items.json", to: "b")
        try $0.link("b", to: "items.json")
      },
      change: {
        try $0.remove("b")
      }),
  ]

  static let besides = [
    Row(name: "nothing", change: { _ in }, isSeen: false),
    Row(name: "a file beside it", change: { try $0.write("{}", to: "other.json") }, isSeen: false),
    Row(
      name: "a name that begins like it", change: { try $0.write("{}", to: "items.json~") },
      isSeen: false),
    Row(
      name: "the lock of the store", change: { try $0.write("", to: ".items.json.undo") },
      isSeen: false
    ),
    Row(
      name: "a file of its name in another folder",
      change: { try $0.write("{}", to: "a/items.json") },
      isSeen: false),
    Row(
      name: "what a link no longer points to",
      before: {
        try $0.write("{}", to: "a/real")
        try $0.write("{}", to: "b/real")
        try $0.link("items.json", to: "b/real")
      }, change: { try $0.write(" ", to: "a/real") }, isSeen: false),
  ]

  @Test(arguments: ofTheFile + onTheWay + besides)
  func `a watcher sees what is done to the file, and no more`(_ row: Row) throws {
    let folder = try Sandbox()
    try row.before(folder)
    let watcher = try Watcher(folder.store(row.path))
    #expect(try watcher.wait(seconds: 0) == .timeout)
    try row.change(folder)
    #expect(try watcher.wait(seconds: 0) == (row.isSeen ? .change : .timeout))
  }

  @Test(arguments: ofTheFile + onTheWay)
  func `a watcher goes on after a change`(_ row: Row) throws {
    let folder = try Sandbox()
    try row.before(folder)
    let watcher = try Watcher(folder.store(row.path))
    try row.change(folder)
    while try watcher.wait(seconds: 0) == .change {}
    try? folder.remove(row.path)
    try folder.makeFolder(URL(filePath: row.path).deletingLastPathComponent().relativePath)
    while try watcher.wait(seconds: 0) == .change {}
    try folder.write("{}", to: row.path)
    #expect(try watcher.wait(seconds: 0) == .change)
  }

  @Test func `changes that come before they are asked for are one element`() async throws {
    let folder = try Sandbox()
    var changes = folder.store.changes().makeAsyncIterator()
    #expect(await changes.next() != nil, "the first element comes at once")
    for _ in 0..<3 { try folder.store.create(Item.Draft(title: "First Title")) }
    #expect(await changes.next() != nil)
  }

  @Test func `each sequence gets the change`() async throws {
    let folder = try Sandbox()
    var iterators = (0..<3).map { _ in folder.store.changes().makeAsyncIterator() }
    for i in iterators.indices { #expect(await iterators[i].next() != nil) }
    try folder.store.create(Item.Draft(title: "First Title"))
    for i in iterators.indices { #expect(await iterators[i].next() != nil) }
  }

  @Test(arguments: [true, false])
  func `after the last of many changes an element follows`(inPlace: Bool) async throws {
    let folder = try Sandbox()
    try folder.write("0", to: "items.json")
    let changes = folder.store.changes()
    let last = 500
    let writer = Task.detached {
      for number in 1...last {
        if inPlace {
          try folder.write("\(number)", to: "items.json")
        } else {
          try folder.write("\(number)", to: "new")
          try folder.move("new", "items.json")
        }
      }
    }
    for await _ in changes where try folder.content == "\(last)" { break }
    try await writer.value
  }

  @Test(.enabled(if: Self.listsWatches, "needs /proc/self/fdinfo"))
  func `cancelling the task ends the loop and frees the watch`() async throws {
    let folder = try Sandbox()
    let changes = folder.store.changes()
    #expect(try isWatched(folder))
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      for await _ in changes { start.yield() }
      start.finish()
    }
    for await _ in started { task.cancel() }
    await task.value
    while try isWatched(folder) { await Task.yield() }
  }

  @Test(.enabled(if: Self.listsWatches, "needs /proc/self/fdinfo"))
  func `a sequence that is let go frees the watch`() async throws {
    let folder = try Sandbox()
    var changes: AsyncStream<Void>? = folder.store.changes()
    #expect(try isWatched(folder))
    changes = nil
    #expect(changes == nil)
    while try isWatched(folder) { await Task.yield() }
  }

  @Test func `a sequence ends after its first element if watching is refused`() async throws {
    let folder = try Sandbox()
    var store = folder.store
    store.system = System { call, _ in call == .watch ? .fail(EMFILE) : nil }
    var count = 0
    for await _ in store.changes() { count += 1 }
    #expect(count == 1)
    #expect(throws: StoreError.failed(path: store.path, Errno(EMFILE))) { try Watcher(store) }
  }

  @Test func `a folder that cannot be watched for a while is watched again`() throws {
    let folder = try Sandbox("{}")
    let isRefused = Locked(false)
    let system = System { call, path in
      call == .watch && path.hasSuffix("/") && isRefused.with(\.self) ? .fail(ENOSPC) : nil
    }
    let watcher = try Watcher(folder.store("items.json", system))
    isRefused.with { $0 = true }
    try folder.write(" ")
    #expect(try watcher.wait(seconds: 0) == .change)
    #expect(watcher.trouble != nil)
    #expect(try watcher.wait(seconds: 0) == .timeout)
    isRefused.with { $0 = false }
    #expect(try watcher.wait(seconds: 0) == .change, "what was missed")
    #expect(watcher.trouble == nil)
    try folder.write("{}")
    #expect(try watcher.wait(seconds: 0) == .change)
  }

  private static let listsWatches = FileManager.default.fileExists(atPath: "/proc/self/fdinfo")

  /// Whether this process has a watch on the folder.
  private func isWatched(_ sandbox: Sandbox) throws -> Bool {
    let attributes = try FileManager.default.attributesOfItem(atPath: sandbox.folder.path)
    let inode = String((attributes[.systemFileNumber] as? Int) ?? 0, radix: 16)
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").contains {
      let info = (try? String(contentsOfFile: "/proc/self/fdinfo/\($0)", encoding: .utf8)) ?? ""
      return info.contains("ino:\(inode) ")
    }
  }
}
