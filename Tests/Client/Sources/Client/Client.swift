import Foundation
import ItemStoreChanges

/// What this program calls an item is no business of the library.
struct Item {
  let name: String
}

/// Uses all that is public, and says nothing if all goes well.
///
///     Client PROGRAM: the path of the tool
@main
enum Client {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = Store(
      path: folder.appending(path: "items.json").path, lockTimeout: .seconds(60),
      onWarning: { print("warning: \($0)") })
    try useItems(store)
    try useTasks(store)
    try refuse(store)
    try await count(store)
    try await follow(store, with: CommandLine.arguments[1])
  }

  static func useItems(_ store: Store) throws {
    let own = Item(name: "Buy milk")
    let milk = try store.create(ItemStore.Item.Draft(title: own.name, number: 3))
    let more = try store.create(["Eggs", "Bread"].map { ItemStore.Item.Draft(title: $0) })
    expect(milk == ItemStore.Item(id: 1, title: "Buy milk", number: 3), "\(milk)")
    expect(more.map(\.id) == [2, 3] && more.map(\.number) == [0, 0], "\(more)")

    try expect(store.update(ItemStore.Item.self, id: 1) { $0.number += 1 }.number == 4, "update")
    try store.update(ItemStore.Item.self, ids: [1, 3]) { $0.title = "Tea" }
    try expect(store.find(ItemStore.Item.self, id: 3).title == "Tea", "find")
    try expect(store.find(ItemStore.Item.self, ids: [3, 1]).map(\.id) == [3, 1], "find ids")
    try store.updateAll(ItemStore.Item.self) { $0.number = 7 }
    let all: [ItemStore.Item] = try store.all()
    expect(all.map(\.number) == [7, 7, 7], "\(all)")

    try expect(store.delete(ItemStore.Item.self, id: 2).title == "Eggs", "delete")
    try store.delete(ItemStore.Item.self, ids: [1, 3])
    try store.undo()
    try store.undo()
    try expect(store.all(ItemStore.Item.self) == all, "undo")
    try store.redo()
    try expect(store.deleteAll(ItemStore.Item.self).map(\.id) == [1, 3], "redo, delete all")
  }

  static func useTasks(_ store: Store) throws {
    let task = try store.create(ToDoTask.Draft(tasknote: "Call the bank"))
    let id = String(task.id.prefix(8))
    try store.update(ToDoTask.self, id: id) { $0.tasknote += " today" }
    try expect(store.find(ToDoTask.self, id: id).tasknote == "Call the bank today", "task")
    try expect(store.deleteAll(ToDoTask.self).count == 1, "tasks")
  }

  static func refuse(_ store: Store) throws {
    struct Own: Error {}
    let tea = try store.create(ItemStore.Item.Draft(title: "Tea"))
    let requests: [(String, () throws -> Void)] = [
      ("not found", { try store.delete(ItemStore.Item.self, id: 99) }),
      ("blank", { try store.create(ItemStore.Item.Draft(title: " ")) }),
      ("blank", { try store.update(ItemStore.Item.self, id: tea.id) { $0.title = "" } }),
      (
        "changed id",
        {
          try store.update(ItemStore.Item.self, id: tea.id) {
            $0 = ItemStore.Item(id: 98, title: $0.title, number: 1)
          }
        }
      ),
      ("nothing to redo", { try store.redo() }),
      ("own", { try store.update(ItemStore.Item.self, id: tea.id) { _ in throw Own() } }),
      ("failed", { _ = try Store(path: "/dev/null/items.json").all(ItemStore.Item.self) }),
      ("not a file", { _ = try Store(path: "/dev/null").all(ItemStore.Item.self) }),
    ]
    for (kind, request) in requests {
      do {
        try request()
        fail("\(kind): nothing was thrown")
      } catch let error as StoreError {
        expect(self.kind(of: error) == kind, "\(kind): \(error)")
      } catch is Own {
        expect(kind == "own", "\(kind): an error of the closure")
      }
    }
    try expect(store.all() == [tea], "something was changed")
  }

  /// Without a default: a new case has to be thought of.
  static func kind(of error: StoreError) -> String {
    switch error {
    case .notFound(let noun, let ids): noun.isEmpty || ids.isEmpty ? "" : "not found"
    case .ambiguous(let noun, let id, let candidates): "ambiguous \(noun) \(id) \(candidates)"
    case .blank(let field): field.isEmpty ? "" : "blank"
    case .changedID(let noun, let id): noun.isEmpty || id.isEmpty ? "" : "changed id"
    case .noFreeID: "no free id"
    case .nothingToUndo: "nothing to undo"
    case .nothingToRedo: "nothing to redo"
    case .changedSince: "changed since"
    case .invalid(let path, let problems):
      problems.map { "\(path) \($0.line) \($0.column) \($0.reason)" }.joined()
    case .failed(_, let errno): errno.code == 0 ? "" : "failed"
    case .notAFile: "not a file"
    case .readOnly: "read-only"
    case .tooLarge: "too large"
    case .emptied: "emptied"
    case .keepsChanging: "keeps changing"
    case .locked: "locked"
    case .notACompanion(_, let reason): reason
    case .unsynced(_, let errno): "unsynced \(errno)"
    }
  }

  /// Several tasks count in one number.
  static func count(_ store: Store) async throws {
    let counter = try store.create(ItemStore.Item.Draft(title: "Counter"))
    try await withThrowingTaskGroup { group in
      for _ in 1...4 {
        group.addTask {
          for _ in 1...10 {
            try store.update(ItemStore.Item.self, id: counter.id) { $0.number += 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    try expect(store.find(ItemStore.Item.self, id: counter.id).number == 40, "the count")
  }

  /// A loop draws at once, and again when the tool has changed the file.
  static func follow(_ store: Store, with program: String) async throws {
    let tool = Process()
    tool.executableURL = URL(filePath: program)
    tool.arguments = ["add", "By the tool", "--file", store.path]
    tool.standardOutput = FileHandle.nullDevice
    for await _ in store.changes() {
      let titles = try store.all(ItemStore.Item.self).map(\.title)
      if titles.contains("By the tool") { break }
      if tool.processIdentifier == 0 { try tool.run() }
    }
    tool.waitUntilExit()
  }

  static func expect(_ condition: @autoclosure () throws -> Bool, _ message: String) rethrows {
    if try !condition() { fail(message) }
  }

  static func fail(_ message: String) -> Never {
    print("client: \(message)")
    exit(1)
  }
}
