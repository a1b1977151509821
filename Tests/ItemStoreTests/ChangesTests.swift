import Foundation
import ItemStore
import ItemStoreChanges
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChangesTests {
  /// What is done to the data file, and whether it is another after that.
  struct Row: CustomTestStringConvertible {
    let name: String
    /// The data file, within the folder.
    var path = "items.json"
    var before: @Sendable (Folder) throws -> Void = { try $0.write("items.json", "{}") }
    let change: @Sendable (Folder) throws -> Void
    var isSeen = true

    var testDescription: String { name }
  }

  static let ofTheFile = [
    Row(name: "a change by a store") { try $0.store.create(Item.Draft(title: "First Title")) },
    Row(
      name: "the first change by a store", before: { _ in },
      change: { try $0.store.create(Item.Draft(title: "First Title")) }),
    Row(name: "written in place") { try $0.write("items.json", " ") },
    Row(name: "the same bytes written in place") { try $0.write("items.json", "{}") },
    Row(name: "appended to") { try $0.append("items.json", "\n") },
    Row(name: "emptied") { try $0.write("items.json", "") },
    Row(name: "replaced by rename") {
      try $0.write("new", "{}")
      try $0.move("new", "items.json")
    },
    Row(name: "moved away") { try $0.move("items.json", "other") },
    Row(name: "deleted") { try $0.remove("items.json") },
    Row(name: "created", before: { _ in }, change: { try $0.write("items.json", "{}") }),
    Row(name: "made unreadable") { try $0.setMode("items.json", 0) },
    Row(
      name: "a second name of another file", before: { try $0.write("other", "{}") },
      change: {
        try $0.hardLink("items.json", to: "other")
      }),
  ]

  static let onTheWay = [
    Row(
      name: "folders that were missing", path: "a/b/items.json", before: { _ in },
      change: {
        try $0.makeFolder("a/b")
        try $0.write("a/b/items.json", "{}")
      }),
    Row(
      name: "the first change by a store with folders missing", path: "a/b/items.json",
      before: { _ in },
      change: {
        try $0.store.create(Item.Draft(title: "First Title"))
      }),
    Row(
      name: "the folder moved away", path: "a/items.json",
      before: { try $0.write("a/items.json", "{}") },
      change: {
        try $0.move("a", "b")
      }),
    Row(
      name: "the folder above moved away", path: "a/b/items.json",
      before: { try $0.write("a/b/items.json", "{}") },
      change: {
        try $0.move("a", "c")
      }),
    Row(
      name: "another folder in its place", path: "a/items.json",
      before: {
        try $0.write("a/items.json", "{}")
        try $0.write("b/items.json", "{}")
        try $0.move("a", "c")
      }, change: { try $0.move("b", "a") }),
    Row(
      name: "the folder deleted", path: "a/items.json",
      before: { try $0.write("a/items.json", "{}") },
      change: {
        try $0.remove("a")
      }),
    Row(
      name: "the target of a link",
      before: {
        try $0.write("a/real", "{}")
        try $0.link("items.json", to: "a/real")
      }, change: { try $0.write("a/real", " ") }),
    Row(
      name: "the target of an absolute link",
      before: {
        try $0.write("a/real", "{}")
        try $0.link("items.json", to: $0.url("a/real").path)
      }, change: { try $0.write("a/real", " ") }),
    Row(
      name: "the target of a dangling link", before: { try $0.link("items.json", to: "real") },
      change: {
        try $0.write("real", "{}")
      }),
    Row(
      name: "a link pointed elsewhere",
      before: {
        try $0.write("a", "{}")
        try $0.write("b", "{}")
        try $0.link("items.json", to: "a")
      },
      change: {
        try $0.link("new", to: "b")
        try $0.move("new", "items.json")
      }),
    Row(
      name: "the second link of a chain pointed elsewhere",
      before: {
        try $0.write("a", "{}")
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
        try $0.write("a/items.json", "{}")
        try $0.write("b/items.json", "{}")
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
    Row(name: "a file beside it", change: { try $0.write("other.json", "{}") }, isSeen: false),
    Row(
      name: "a name that begins like it", change: { try $0.write("items.json~", "{}") },
      isSeen: false),
    Row(
      name: "the lock of the store", change: { try $0.write(".items.json.undo", "") }, isSeen: false
    ),
    Row(
      name: "a file of its name in another folder", change: { try $0.write("a/items.json", "{}") },
      isSeen: false),
    Row(
      name: "what a link no longer points to",
      before: {
        try $0.write("a/real", "{}")
        try $0.write("b/real", "{}")
        try $0.link("items.json", to: "b/real")
      }, change: { try $0.write("a/real", " ") }, isSeen: false),
  ]

  @Test(arguments: ofTheFile + onTheWay + besides)
  func `a watcher sees what is done to the file, and no more`(_ row: Row) throws {
    let folder = try Folder(row.path)
    try row.before(folder)
    let watcher = try Watcher(folder.store)
    #expect(try watcher.wait(seconds: 0) == .timeout)
    try row.change(folder)
    #expect(try watcher.wait(seconds: 0) == (row.isSeen ? .change : .timeout))
  }

  @Test(arguments: ofTheFile + onTheWay)
  func `a watcher goes on after a change`(_ row: Row) throws {
    let folder = try Folder(row.path)
    try row.before(folder)
    let watcher = try Watcher(folder.store)
    try row.change(folder)
    while try watcher.wait(seconds: 0) == .change {}
    try? folder.remove(row.path)
    try folder.makeFolder(URL(filePath: row.path).deletingLastPathComponent().relativePath)
    while try watcher.wait(seconds: 0) == .change {}
    try folder.write(row.path, "{}")
    #expect(try watcher.wait(seconds: 0) == .change)
  }

  @Test func `changes that come before they are asked for are one element`() async throws {
    let folder = try Folder()
    var changes = folder.store.changes.makeAsyncIterator()
    for _ in 0..<3 { try folder.store.create(Item.Draft(title: "First Title")) }
    #expect(await changes.next() != nil)
  }

  @Test func `each sequence gets the change`() async throws {
    let folder = try Folder()
    let sequences = (0..<3).map { _ in folder.store.changes }
    try folder.store.create(Item.Draft(title: "First Title"))
    for sequence in sequences {
      var iterator = sequence.makeAsyncIterator()
      #expect(await iterator.next() != nil)
    }
  }

  @Test(arguments: [true, false])
  func `after the last of many changes an element follows`(inPlace: Bool) async throws {
    let folder = try Folder()
    try folder.write("items.json", "0")
    let changes = folder.store.changes
    let last = 500
    let writer = Task.detached {
      for number in 1...last {
        if inPlace {
          try folder.write("items.json", "\(number)")
        } else {
          try folder.write("new", "\(number)")
          try folder.move("new", "items.json")
        }
      }
    }
    for await _ in changes where try folder.read("items.json") == "\(last)" { break }
    try await writer.value
  }

  @Test(.enabled(if: Folder.listsWatches, "needs /proc/self/fdinfo"))
  func `cancelling the task ends the loop and frees the watch`() async throws {
    let folder = try Folder()
    let changes = folder.store.changes
    #expect(try folder.isWatched)
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      for await _ in changes { start.yield() }
      start.finish()
    }
    try folder.store.create(Item.Draft(title: "First Title"))
    for await _ in started { task.cancel() }
    await task.value
    while try folder.isWatched { await Task.yield() }
  }

  @Test(.enabled(if: Folder.listsWatches, "needs /proc/self/fdinfo"))
  func `a sequence that is let go frees the watch`() async throws {
    let folder = try Folder()
    var changes: AsyncStream<Void>? = folder.store.changes
    #expect(try folder.isWatched)
    changes = nil
    #expect(changes == nil)
    while try folder.isWatched { await Task.yield() }
  }

  @Test func `a sequence ends at once where watching is refused`() async throws {
    let folder = try Folder()
    var store = folder.store
    store.system = System { call, _ in call == .watch ? .fail(EMFILE) : nil }
    for await _ in store.changes { Issue.record("there was a change") }
    #expect(throws: StoreError.failed(path: store.path, Errno(EMFILE))) { try Watcher(store) }
  }
}

extension ChangesTests {
  /// A folder of its own for a data file, which goes with it.
  final class Folder: Sendable {
    let root: URL
    let store: Store

    init(_ path: String = "items.json") throws {
      root = FileManager.default.temporaryDirectory.appending(path: "changes-\(UUID())")
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      store = Store(path: root.appending(path: path).path)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func url(_ name: String) -> URL { root.appending(path: name) }

    /// In place where there is a file; makes the folder where there is none.
    func write(_ name: String, _ text: String) throws {
      try makeFolder(URL(filePath: name).deletingLastPathComponent().relativePath)
      try Data(text.utf8).write(to: url(name))
    }

    func append(_ name: String, _ text: String) throws {
      let file = try FileHandle(forWritingTo: url(name))
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }

    func read(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: url(name)), as: UTF8.self)
    }

    func makeFolder(_ name: String) throws {
      try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: true)
    }

    func move(_ name: String, _ other: String) throws {
      guard unsafe rename(url(name).path, url(other).path) == 0 else { throw Errno(errno) }
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

    func link(_ name: String, to target: String) throws {
      try makeFolder(URL(filePath: name).deletingLastPathComponent().relativePath)
      try FileManager.default.createSymbolicLink(
        atPath: url(name).path, withDestinationPath: target)
    }

    func hardLink(_ name: String, to other: String) throws {
      try FileManager.default.linkItem(at: url(other), to: url(name))
    }

    func setMode(_ name: String, _ mode: Int) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url(name).path)
    }

    static let listsWatches = FileManager.default.fileExists(atPath: "/proc/self/fdinfo")

    /// Whether this process has a watch on the folder.
    var isWatched: Bool {
      get throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: root.path)
        let inode = String((attributes[.systemFileNumber] as? Int) ?? 0, radix: 16)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").contains {
          let info = (try? String(contentsOfFile: "/proc/self/fdinfo/\($0)", encoding: .utf8)) ?? ""
          return info.contains("ino:\(inode) ")
        }
      }
    }
  }
}
