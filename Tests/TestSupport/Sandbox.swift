import Foundation

/// An empty folder of its own for a data file and what belongs to it, which goes with this object.
public final class Sandbox: Sendable {
  public let folder: URL
  /// The data file.
  public let file: URL
  /// The lock and the log of the data file.
  public let companion: URL

  /// Three items and two tasks.
  public static let seed = """
    {
      "lastID": 3,
      "items": [
        {"id": 1, "title": "Milk", "number": 3},
        {"id": 2, "title": "Eggs", "number": 12},
        {"id": 3, "title": "Bread", "number": 40}
      ],
      "tasks": [
        {"taskid": "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "tasknote": "Call the bank"},
        {"taskid": "5f2ab007-1111-4222-8333-444455556666", "tasknote": "Pay rent"}
      ]
    }

    """

  private init(in parent: URL) throws {
    folder = parent.appending(path: "items-\(UUID().uuidString)")
    file = folder.appending(path: "items.json")
    companion = folder.appending(path: ".items.json.undo")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A folder on the disk, with this text in the data file if there is one.
  public convenience init(_ content: String? = nil) throws {
    try self.init(in: FileManager.default.temporaryDirectory)
    if let content { try write(content) }
  }

  /// A folder with these files, in memory if there is a file system in memory: for thousands of trials,
  /// which would wait for the disk, and none of which asks whether the disk keeps what it syncs.
  public convenience init(_ files: [String: Data]) throws {
    let memory = URL(filePath: "/dev/shm")
    let hasMemory = FileManager.default.isWritableFile(atPath: memory.path)
    try self.init(in: hasMemory ? memory : FileManager.default.temporaryDirectory)
    for (name, data) in files { try write(data, to: name) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  // MARK: The data file

  public var bytes: [UInt8] { get throws { Array(try Data(contentsOf: file)) } }

  public var content: String { get throws { String(decoding: try bytes, as: UTF8.self) } }

  public func write(_ content: String) throws { try write(Array(content.utf8)) }

  public func write(_ content: [UInt8]) throws { try Data(content).write(to: file) }

  /// What changes when the data file is written or replaced.
  public var identity: [String] {
    get throws {
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      return [FileAttributeKey.systemFileNumber, .modificationDate].map {
        String(describing: attributes[$0])
      }
    }
  }

  // MARK: All files

  /// Paths of all that is in the folder, folders included.
  public var names: Set<String> {
    get throws { Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path)) }
  }

  public var files: [String: Data] {
    get throws {
      var files: [String: Data] = [:]
      for name in try names { files[name] = data(name) }
      return files
    }
  }

  public func data(_ name: String) -> Data? {
    try? Data(contentsOf: folder.appending(path: name))
  }

  /// Writes in place if there is such a file, and makes its folder if there is none.
  public func write(_ data: Data, to name: String) throws {
    let url = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }
}
