#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a data file lies: an open folder, and the name of the file in it. No link is left on the way.
struct DataFile {
  /// As it was given, for an error.
  let path: String
  let folder: OpenFolder
  let name: FilePath

  /// Offsets are kept in 32 bits.
  static let limit = Int(UInt32.max)
  private static let linkLimit = 40
  private static let lookLimit = 20

  /// Finds the file that the system opens under a path, or where that would be made.
  ///
  /// - Parameter folders: makes the folders that are missing.
  /// - Throws: an error whose `errno` is `doesNotExist` if a folder on the way is missing.
  init(
    _ path: String, _ system: System, making folders: MadeFolders? = nil
  ) throws(StoreError) {
    let given = FilePath(path)
    if given.isCut { throw .failed(path: path, Errno(EINVAL)) }
    // Something may put a file in place of another meanwhile, but hardly each time.
    for _ in 0..<Self.lookLimit {
      let (folder, name) = try Self.follow(given, system, making: folders)
      guard !name.isEmpty else { throw .notAFile(path: path, kind: "a folder") }
      guard try Self.isWhatOpens(given, name, in: folder, system) else { continue }
      (self.path, self.folder, self.name) = (path, folder, name)
      return
    }
    throw .notAFile(path: path, kind: "a file that was removed")
  }

  /// The file under a path; nil if a folder on the way is missing.
  static func existing(_ path: String, _ system: System) throws(StoreError) -> DataFile? {
    do throws(StoreError) {
      return try DataFile(path, system)
    } catch {
      guard error.errno == .doesNotExist else { throw error }
      return nil
    }
  }

  var hasCompanion: Bool {
    get throws(StoreError) { try folder.status(of: Companion.name(of: self)) != nil }
  }

  /// The folder and the name that a path leads to through all symbolic links.
  private static func follow(
    _ path: FilePath, _ system: System, making folders: MadeFolders?
  ) throws(StoreError) -> (OpenFolder, FilePath) {
    func open(_ path: FilePath, from start: OpenFolder?) throws(StoreError) -> OpenFolder {
      if let folders { return try folders.open(path, from: start, system) }
      return try OpenFolder.open(path, from: start, system)
    }
    var folder = try open(path.folder, from: nil)
    var name = path.name
    var links = 0
    while !name.isEmpty, let target = try folder.target(ofLink: name) {
      links += 1
      guard links <= linkLimit else { throw .failed(path: path.description, .tooManyLinks) }
      folder = try open(target.folder, from: folder)
      name = target.name
    }
    return (folder, name)
  }

  /// Whether what the system opens under a path is this file in this folder. The text of a link in /proc
  /// is no path.
  private static func isWhatOpens(
    _ path: FilePath, _ name: FilePath, in folder: OpenFolder, _ system: System
  ) throws(StoreError) -> Bool {
    let status: FileStatus
    do throws(StoreError) {
      status = try system.status(of: path)
    } catch {
      // Perhaps a link to a file that is not there.
      if error.errno == .doesNotExist { return true }
      throw error
    }
    if let kind = status.otherKind { throw .notAFile(path: path.description, kind: kind) }
    return try folder.status(of: name)?.isSameFile(as: status) == true
  }

  /// Whether the path leads to the same name in the same folder, and to the same content there.
  func isCurrent(_ version: Version, _ system: System) throws(StoreError) -> Bool {
    guard let now = try Self.existing(path, system), now.name == name,
      try now.folder.isSame(as: folder)
    else { return false }
    return try folder.status(of: name) == version.status
  }

  /// A hidden name beside the file that belongs to it alone. One that would be too long keeps a part
  /// and gets a hash of all.
  func companionName(_ suffix: String) -> FilePath {
    let longest = Int(NAME_MAX)
    let (dot, end) = (UInt8(ascii: "."), Array(".\(suffix)".utf8))
    let full = [dot] + name.bytes + end
    if full.count <= longest { return FilePath(bytes: full) }
    let hash = Array("~\(String(Fingerprint(name.bytes).hash, radix: 16))".utf8)
    var kept = name.bytes.prefix(longest - 1 - hash.count - end.count)
    // Whole characters, if it is UTF-8.
    while let next = name.bytes.dropFirst(kept.count).first, next & 0xC0 == 0x80,
      kept.popLast() != nil
    {}
    return FilePath(bytes: [dot] + kept + hash + end)
  }

  /// - Throws: `readOnly` if the file is there and its permissions forbid writing to it.
  func refuseReadOnly(_ version: Version) throws(StoreError) {
    guard let mode = version.status?.mode else { return }
    if mode & 0o222 == 0 { throw .readOnly(path: path) }
    if try !folder.isWritable(name) { throw .readOnly(path: path) }
  }
}
