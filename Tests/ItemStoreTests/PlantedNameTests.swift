import Foundation
import ItemStore
import TestSupport
import Testing

/// Something has the name of the new file already, and files that belong to others.
@Suite struct PlantedNameTests {
  /// The name is learnt from a change that was killed.
  @Test(arguments: ["a file", "a link", "a link to nothing", "a FIFO", "a folder"])
  func `nothing is written through what stands at the name of the new file`(kind: String) throws {
    let scratch = try Sandbox([
      "items.json": Data(Operation.seed.utf8), "victim": Data("mine".utf8),
    ])
    let store = scratch.store()
    try store.create(Item.Draft(title: "Tea"))
    let rename = try Self.index(of: .rename, in: scratch)
    _ = try? scratch.store("items.json", Saboteur(.death(at: rename)).system).deleteAll(Item.self)
    let name = try #require(try scratch.names.first { $0.hasSuffix(".tmp") })
    let url = scratch.folder.appending(path: name)
    let victim = scratch.folder.appending(path: "victim")
    try FileManager.default.removeItem(at: url)
    switch kind {
    case "a file": try FileManager.default.linkItem(at: victim, to: url)
    case "a link": try FileManager.default.createSymbolicLink(at: url, withDestinationURL: victim)
    case "a link to nothing":
      try FileManager.default.createSymbolicLink(
        at: url, withDestinationURL: scratch.folder.appending(path: "nothing"))
    case "a FIFO": #expect(unsafe mkfifo(url.path, 0o600) == 0)
    default: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    if kind == "a folder" {
      let old = scratch.data("items.json")
      let error = #expect(throws: StoreError.self) { try store.create(Item.Draft(title: "Rice")) }
      #expect(error?.description.contains(name) == true, "who can remove it must know its name")
      #expect(scratch.data("items.json") == old)
    } else {
      try store.create(Item.Draft(title: "Rice"))
      #expect(try scratch.names == ["items.json", ".items.json.undo", "victim"])
    }
    #expect(scratch.data("victim") == Data("mine".utf8))
  }

  @Test func `the new file is never open to more people than the old one`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    let file = scratch.folder.appending(path: "items.json").path
    for mode in [0o600, 0o400 | 0o200, 0o640, 0o666] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      let modes = Locked<[Int]>([])
      let system = System { _, _ in
        let names = (try? scratch.names) ?? []
        for name in names where name.hasSuffix(".tmp") {
          modes.with { $0.append(Self.mode(scratch.folder.appending(path: name).path)) }
        }
        return nil
      }
      try scratch.store("items.json", system).create(Item.Draft(title: "Tea"))
      modes.with { modes in
        #expect(!modes.isEmpty)
        #expect(modes.allSatisfy { $0 & ~mode == 0 }, "\(modes) beside \(mode)")
      }
      #expect(Self.mode(file) == mode)
    }
  }

  @Test(.enabled(if: getuid() == 0, "needs root to give files away"))
  func `an owner that cannot be kept is told, and nobody gains by it`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    let file = scratch.folder.appending(path: "items.json").path
    try Self.give(file, mode: 0o664)
    let warnings = Locked<[String]>([])
    var store = scratch.store("items.json", Saboteur(.every(.setOwner, EPERM)).system)
    store.onWarning = { warning in warnings.with { $0.append(warning) } }
    try store.create(Item.Draft(title: "Tea"))
    #expect(
      warnings.with(\.self) == [
        "\(file): the owner could not be kept: operation not permitted",
        "\(file): the group could not be kept, so its members have no rights now:"
          + " operation not permitted",
      ])
    #expect(Self.mode(file) == 0o604)
  }

  /// One of a group that shares the file makes the companion: the others must be able to lock it.
  @Test(.enabled(if: getuid() == 0, "needs root to give files away"))
  func `the companion keeps the group where it cannot keep the owner`() throws {
    let scratch = try Sandbox(["items.json": Data(Operation.seed.utf8)])
    let file = scratch.folder.appending(path: "items.json").path
    try Self.give(file, mode: 0o660)
    let owner = try Self.index(of: .setOwner, in: scratch)
    let saboteur = Saboteur(.once(at: owner, EPERM))
    try scratch.store("items.json", saboteur.system).create(Item.Draft(title: "Tea"))
    #expect(saboteur.victim?.call == .setOwner)
    let companion = scratch.folder.appending(path: ".items.json.undo").path
    let attributes = try FileManager.default.attributesOfItem(atPath: companion)
    #expect(attributes[.groupOwnerAccountID] as? Int == 23456)
    #expect(Self.mode(companion) == 0o660)
  }

  private static let stranger = 12345

  private static func give(_ file: String, mode: Int) throws {
    try FileManager.default.setAttributes(
      [.ownerAccountID: stranger, .groupOwnerAccountID: 23456, .posixPermissions: mode],
      ofItemAtPath: file)
  }

  private static func mode(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) ?? 0
  }

  /// The place of the first such call among those of a change in a copy of the folder.
  private static func index(of call: System.Call, in scratch: Sandbox) throws -> Int {
    let copy = try Sandbox()
    let path = copy.folder.appending(path: "copy").path
    try FileManager.default.copyItem(atPath: scratch.folder.path, toPath: path)
    let status = try FileManager.default.attributesOfItem(
      atPath: scratch.folder.appending(path: "items.json").path)
    if status[.ownerAccountID] as? Int == stranger { try give(path + "/items.json", mode: 0o660) }
    let saboteur = Saboteur()
    try copy.store("copy/items.json", saboteur.system).deleteAll(Item.self)
    return try #require(saboteur.events.firstIndex { $0.call == call }) + 1
  }
}
