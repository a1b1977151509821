import Foundation
import TestSupport
import Testing

@testable import ItemStore

/// Two commands, each killed at each of the calls by which something is written, one after the other.
@Suite struct DoubleDeathTests {
  private static let steps: [(name: String, run: @Sendable (Store) throws -> Void)] = [
    ("update", { try $0.update(Item.self, id: 1) { $0.title = "much longer than it was" } }),
    ("delete", { try $0.delete(Item.self, id: 2) }),
    ("undo", { try $0.undo() }),
    ("redo", { try $0.redo() }),
  ]

  private static let writing: Set<System.Call> = [
    .write, .sync, .link, .rename, .remove, .truncate,
  ]

  @Test(arguments: steps.map(\.name), steps.map(\.name))
  func `no two deaths lose the way back or forth`(first: String, second: String) throws {
    let (start, versions) = try Self.history()
    let steps = try [first, second].map { name in
      try #require(Self.steps.first { $0.name == name }).run
    }
    var pairs = 0
    for death in try Self.deaths(of: steps[0], from: start) {
      let middle = try Sandbox(start)
      _ = try? steps[0](middle.store("items.json", Saboteur(death).system))
      let files = try middle.files
      for other in try Self.deaths(of: steps[1], from: files) {
        let scratch = try Sandbox(files)
        _ = try? steps[1](scratch.store("items.json", Saboteur(other).system))
        let isOnlySteps = ["undo", "redo"].contains(first) && ["undo", "redo"].contains(second)
        let comment: Comment = "\(first) \(death), \(second) \(other)"
        if isOnlySteps {
          while (try? scratch.store().redo()) != nil {}
          #expect(scratch.data("items.json") == versions.last, comment)
        }
        while (try? scratch.store().undo()) != nil {}
        #expect(scratch.data("items.json") == versions.first, comment)
        try scratch.store().create(Item.Draft(title: "after"))
        #expect(try scratch.names == ["items.json", ".items.json.undo"], comment)
        pairs += 1
      }
    }
    #expect(pairs > 16)
  }

  /// Three changes, the last of which is taken back, and the contents before and after each.
  private static func history() throws -> ([String: Data], versions: [Data?]) {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    var versions = [scratch.data("items.json")]
    for title in ["one", "two", "three"] {
      try scratch.store().create(Item.Draft(title: title))
      versions.append(scratch.data("items.json"))
    }
    try scratch.store().undo()
    return (try scratch.files, versions)
  }

  /// The deaths at each call of a step that writes, also in the middle of one.
  private static func deaths(
    of step: (Store) throws -> Void, from files: [String: Data]
  ) throws -> [Sabotage] {
    let saboteur = Saboteur()
    let scratch = try Sandbox(files)
    _ = try? step(scratch.store("items.json", saboteur.system))
    #expect(scratch.data("items.json") != nil)
    let calls = saboteur.events.indices.filter { writing.contains(saboteur.events[$0].call) }
    return calls.flatMap { index -> [Sabotage] in
      let isWrite = saboteur.events[index].call == .write
      return [.death(at: index + 1)] + (isWrite ? [.tornDeath(at: index + 1)] : [])
    }
  }
}
