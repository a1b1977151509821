#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file behind a path: read whole, and replaced whole or not at all.
struct DataFile {
  /// The file itself, behind all symbolic links.
  let path: String
  let folder: String
  let name: String
  let system: System

  /// Offsets are kept in 32 bits.
  static let limit = Int(UInt32.max)
  private static let attempts = 100
  private static let linkLimit = 40

  init(_ given: String, system: System) throws(StoreError) {
    self.system = system
    var path = given
    do throws(Errno) {
      var links = 0
      while let target = try system.target(ofLink: path) {
        links += 1
        guard links <= Self.linkLimit else { throw .tooManyLinks }
        path = target.hasPrefix("/") ? target : Self.folder(of: path) + target
      }
    } catch {
      throw .failed(path: given, error)
    }
    self.path = path
    folder = Self.folder(of: path)
    name = String(path.dropFirst(folder.count))
    guard !name.isEmpty else { throw .notAFile(path: given, kind: "a folder") }
  }

  /// Up to the last slash, or nothing.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// A hidden name beside the file that belongs to it alone. One that would be too long keeps a part
  /// and gets a hash of all.
  func companion(_ suffix: String) -> String {
    let full = ".\(name).\(suffix)"
    guard full.utf8.count > Int(NAME_MAX) else { return folder + full }
    let hash = String(Fingerprint(Bytes(Array(name.utf8))).hash, radix: 16)
    var kept = name
    while ".\(kept)~\(hash).\(suffix)".utf8.count > Int(NAME_MAX) { kept.removeLast() }
    return folder + ".\(kept)~\(hash).\(suffix)"
  }

  // MARK: Reading

  /// The whole content at one moment. While `file` is open no other file gets its inode, so an equal
  /// status later on means the same content.
  struct Version {
    let bytes: Bytes
    /// Both nil where there is no file.
    let file: OpenFile?
    let status: FileStatus?
    /// A copy without a name, to become the new file; its value is nil where there can be none.
    var clone: Background<OpenFile?>?
  }

  /// - Parameters:
  ///   - temporary: the name for a copy that is to become the new file, made while this one is read and
  ///     checked; nil for none.
  ///   - least: the size from which on that is done.
  /// - Throws: whatever keeps the file from being read, but for its not being there.
  func read(
    cloningTo temporary: String? = nil, from least: Int = 0
  ) throws(StoreError) -> Version {
    for _ in 0..<Self.attempts {
      let file: OpenFile
      do throws(Errno) {
        file = try system.openToRead(path)
      } catch {
        guard error == .doesNotExist else { throw .failed(path: path, error) }
        return Version(bytes: Bytes([]), file: nil, status: nil)
      }
      let status = try reporting(path) { () throws(Errno) in try file.status() }
      if let kind = status.otherKind { throw .notAFile(path: path, kind: kind) }
      if status.count > Self.limit { throw .tooLarge(path: path) }
      let clone =
        if let temporary, status.count >= least {
          clone(file, status, for: temporary)
        } else { nil as Background<OpenFile?>? }
      let bytes = try reporting(path) { () throws(Errno) in try file.read(count: status.count) }
      let after = try reporting(path) { () throws(Errno) in try file.status() }
      if bytes.count == status.count && after == status {
        return Version(bytes: bytes, file: file, status: status, clone: clone)
      }
    }
    throw .keepsChanging(path: path)
  }

  /// A copy that nobody sees, and that is gone where nothing comes of the change. What keeps it from
  /// being made is told, if it lasts, when the new file is made without it.
  private func clone(
    _ file: OpenFile, _ status: FileStatus, for temporary: String
  ) -> Background<OpenFile?> {
    Background(forBytes: status.count) { [self] in
      let mode = 0o600 & status.permissions
      guard
        let clone = try? system.createUnnamed(
          in: folder.isEmpty ? "." : folder, for: temporary, mode: mode)
      else { return nil }
      var done = 0
      while done < status.count {
        let part = done..<min(done + Self.chunk, status.count)
        guard let count = try? file.copy(part, to: clone, at: done), count > 0 else { return nil }
        done += count
        clone.startSync()
      }
      return clone
    }
  }

  /// Whether the path still leads to `version`, and that to the same bytes.
  private func isCurrent(_ version: Version) throws(Errno) -> Bool {
    do throws(Errno) {
      return try system.status(of: path, followingLink: false) == version.status
    } catch {
      guard error == .doesNotExist else { throw error }
      return version.status == nil
    }
  }

  /// Whether a link has taken the place of the file since that was looked up.
  var isLink: Bool { ((try? system.target(ofLink: path)) ?? nil) != nil }

  var hasCompanion: Bool {
    do throws(Errno) {
      _ = try system.status(of: companion("undo"))
      return true
    } catch {
      // Any other trouble with it is for the one who opens it to report.
      return error != .doesNotExist
    }
  }

  /// Makes the folders that are missing above the file, private, and syncs those they are in.
  ///
  /// - Returns: what it made, the outermost first.
  func makeFolders() throws(StoreError) -> [String] {
    var missing: [String] = []
    var made: [String] = []
    var path = folder
    while path.count > 1, path.hasSuffix("/") {
      path.removeLast()
      if (try? system.status(of: path)) != nil { break }
      missing.append(path)
      path = Self.folder(of: path)
    }
    do throws(StoreError) {
      for path in missing.reversed() {
        try reporting(path) { () throws(Errno) in
          do throws(Errno) {
            try system.makeFolder(path)
            made.append(path)
          } catch {
            guard error == .exists else { throw error }
          }
          let parent = Self.folder(of: path)
          try system.syncFolder(parent.isEmpty ? "." : parent)
        }
      }
    } catch {
      for path in made.reversed() { try? system.removeFolder(path) }
      throw error
    }
    return made
  }

  // MARK: Replacing

  enum Replacement {
    /// The new content is in place; the folder may have failed to sync.
    case made(failure: StoreError?)
    /// The file was changed since it was read, or the lock is lost, so nothing was done.
    case outdated
  }

  /// - Throws: `readOnly` where the file is there and its permissions forbid writing to it.
  func checkIsWritable(_ version: Version) throws(StoreError) {
    guard let mode = version.status?.mode else { return }
    if try reporting(path, { () throws(Errno) in try system.isReadOnly(path, mode: mode) }) {
      throw .readOnly(path: path)
    }
  }

  /// Puts the edited content in the place of `version`, durably: a new file beside it is filled,
  /// synced and takes the name by one rename; then the folder is synced. `prepare` runs when the new
  /// file is filled, while the disk is at work.
  ///
  /// - Throws: `readOnly`, or what failed, and nothing is changed.
  func replace(
    _ version: Version, with splices: [Splice], under log: Companion,
    warn: (String) -> Void, prepare: () throws(StoreError) -> Void
  ) throws(StoreError) -> Replacement {
    try checkIsWritable(version)
    let temporary = log.temporary(for: self)
    return try System.holdingSignals { () throws(StoreError) in
      do throws(StoreError) {
        let clone = named(version.clone?.value)
        let file = try reporting(temporary) { () throws(Errno) in
          if let clone { clone } else { try create(temporary, for: version) }
        }
        try reporting(path) { () throws(Errno) in
          try fill(file, from: version, with: splices, isClone: clone != nil)
          try keepAttributes(of: version, on: file, warn)
        }
        try prepare()
        let isDone = try reporting(path) { () throws(Errno) in
          try file.sync()
          guard try log.isInPlace(), try isCurrent(version) else { return false }
          try system.rename(temporary, to: path)
          return true
        }
        guard isDone else {
          try? system.remove(temporary)
          return .outdated
        }
      } catch {
        try? system.remove(temporary)
        throw error
      }
      if let status = version.status, status.links > 1 {
        warn("\(path): had another hard link, which keeps the old content")
      }
      do throws(Errno) {
        try system.syncFolder(folder.isEmpty ? "." : folder)
      } catch {
        return .made(failure: .unsynced(path: path, error))
      }
      return .made(failure: nil)
    }
  }

  /// A clone that has got its name, or nil.
  private func named(_ clone: OpenFile?) -> OpenFile? {
    guard let clone else { return nil }
    do throws(Errno) {
      try system.link(clone)
    } catch {
      // As in `create`. Without /proc no name can be given.
      guard error == .exists, (try? system.remove(clone.path)) != nil,
        (try? system.link(clone)) != nil
      else {
        // There may be no room for two.
        try? clone.truncate(to: 0)
        return nil
      }
    }
    return clone
  }

  /// A new file that nobody may read who may not read the old one.
  private func create(_ path: String, for version: Version) throws(Errno) -> OpenFile {
    let mode = 0o600 & (version.status?.permissions ?? 0o600)
    do throws(Errno) {
      return try system.create(path, mode: mode)
    } catch {
      guard error == .exists else { throw error }
      // The name is known to holders of the lock alone, so this was left by one that was killed.
      try system.remove(path)
      return try system.create(path, mode: mode)
    }
  }

  private static let chunk = 8 << 20
  private static let leastToCopy = 64 << 10
  /// From this size on the disk is told to begin while the fingerprints are made.
  private static let leastToHurry = 1 << 20

  private func fill(
    _ new: OpenFile, from version: Version, with splices: [Splice], isClone: Bool
  ) throws(Errno) {
    let bytes = version.bytes
    var buffer: [UInt8] = []
    var written = 0
    func flush() throws(Errno) {
      try new.write(buffer, at: written)
      written += buffer.count
      buffer.removeAll(keepingCapacity: true)
    }
    func copy(_ range: Range<Int>) throws(Errno) {
      // Up to the first splice that moves what follows, a clone has it all.
      var rest = isClone && written == range.lowerBound ? range.suffix(0) : range
      written += range.count - rest.count
      while !rest.isEmpty {
        let part = rest.prefix(Self.chunk)
        var count = try version.file?.copy(part, to: new, at: written) ?? 0
        if count == 0 {
          try new.write(bytes, part, at: written)
          count = part.count
        }
        written += count
        rest = rest.dropFirst(count)
        if rest.count >= Self.chunk { new.startSync() }
      }
    }
    try splices.forEachPiece(ofFileWith: bytes.count) { (kept) throws(Errno) in
      if kept.count < Self.leastToCopy {
        bytes.append(kept, to: &buffer)
      } else {
        try flush()
        try copy(kept)
      }
    } _: { (added) throws(Errno) in
      if added.count < Self.leastToCopy {
        buffer += added
        if buffer.count >= Self.leastToCopy { try flush() }
      } else {
        try flush()
        try new.write(added, at: written)
        written += added.count
      }
    }
    try flush()
    if isClone && written < bytes.count { try new.truncate(to: written) }
    if written >= Self.leastToHurry { new.startSync() }
  }

  /// Gives the new file the owner, the attributes and the mode of the old one, as far as it can.
  private func keepAttributes(
    of version: Version, on new: OpenFile, _ warn: (String) -> Void
  ) throws(Errno) {
    guard let old = version.status, let oldFile = version.file else { return }
    var mode = old.permissions
    let own = try new.status()
    if own.user != old.user || own.group != old.group {
      do throws(Errno) {
        try new.setOwner(user: old.user, group: old.group)
      } catch {
        warn("\(path): the owner could not be kept: \(error)")
        do throws(Errno) {
          try new.setOwner(user: .max, group: old.group)
        } catch {
          // What its group was allowed is not for another group.
          mode &= ~0o070
          warn("\(path): the group could not be kept, so its members have no rights now: \(error)")
        }
      }
    }
    do throws(Errno) {
      try new.copyAttributes(of: oldFile)
    } catch {
      warn("\(path): its attributes could not be kept: \(error)")
    }
    try new.setMode(mode)
  }

  /// Runs `body`; what fails in it has to do with `path`.
  func reporting<T>(_ path: String, _ body: () throws(Errno) -> T) throws(StoreError) -> T {
    do throws(Errno) {
      return try body()
    } catch {
      throw .failed(path: path, error)
    }
  }
}
