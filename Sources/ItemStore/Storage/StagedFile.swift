#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A new file beside the data file, until it takes the name of that. If it does not, it goes.
struct StagedFile: ~Copyable {
  private let file: OpenFile
  private let name: FilePath
  private let folder: OpenFolder
  private let version: Version
  private let path: String
  /// Whether it began as a copy of the old file.
  private let isClone: Bool
  private var hasTakenName = false

  private static let chunk = 8 << 20
  private static let leastToCopy = 64 << 10
  /// From this size on the disk is told to begin before the file is synced.
  private static let leastToHurry = 1 << 20

  /// - Parameter name: known to holders of the lock alone, so a file of this name was left by a command
  ///   that was killed.
  init(of version: Version, beside data: DataFile, named name: FilePath) throws(StoreError) {
    (folder, path) = (data.folder, data.path)
    (self.name, self.version) = (name, version)
    let clone = Self.named(version.clone?.value, name, data.folder)
    isClone = clone != nil
    if let clone {
      file = clone
    } else {
      file = try data.folder.replacing(name) { () throws(StoreError) in
        try data.folder.create(name, as: data.path)
      }
    }
  }

  deinit { if !hasTakenName { try? folder.remove(name) } }

  /// Starts to copy a file to one without a name, which nobody sees and which goes if the change does.
  static func clone(
    _ old: OpenFile, _ status: FileStatus, for name: FilePath, beside data: DataFile
  ) -> Background<OpenFile?> {
    Background(forBytes: status.count) {
      guard let new = try? data.folder.createUnnamed(for: name, as: data.path) else { return nil }
      var done = 0
      while done < status.count {
        let part = done..<min(done + chunk, status.count)
        guard let count = try? old.copy(part, to: new, at: done), count > 0 else { return nil }
        done += count
        new.startSync()
      }
      return new
    }
  }

  /// The clone, once it has the name, or nil.
  private static func named(
    _ clone: OpenFile?, _ name: FilePath, _ folder: OpenFolder
  ) -> OpenFile? {
    guard let clone else { return nil }
    let link = { () throws(StoreError) in try folder.link(clone, as: name) }
    if (try? folder.replacing(name, link)) != nil { return clone }
    // Without /proc no name can be given. There may be no room for two.
    try? clone.truncate(to: 0)
    return nil
  }

  // MARK: Content

  /// Gives the file the edited content, which the disk then begins to take.
  func fill(with splices: [Splice]) throws(StoreError) {
    let bytes = version.bytes
    var buffer: [UInt8] = []
    var written = 0
    func flush() throws(StoreError) {
      try file.write(buffer, at: written)
      written += buffer.count
      buffer.removeAll(keepingCapacity: true)
    }
    try splices.forEachPiece(ofFileWith: bytes.count) { (kept) throws(StoreError) in
      if kept.count < Self.leastToCopy {
        bytes.append(kept, to: &buffer)
      } else {
        try flush()
        try copy(kept, at: &written)
      }
    } _: { (new) throws(StoreError) in
      if new.count < Self.leastToCopy {
        buffer += new
        if buffer.count >= Self.leastToCopy { try flush() }
      } else {
        try flush()
        try file.write(new, at: written)
        written += new.count
      }
    }
    try flush()
    if isClone && written < bytes.count { try file.truncate(to: written) }
    if written >= Self.leastToHurry { file.startSync() }
  }

  /// Copies a range of the old file, in the kernel if it can.
  private func copy(_ range: Range<Int>, at written: inout Int) throws(StoreError) {
    // Up to the first splice that moves what follows, a clone has it all.
    var rest = isClone && written == range.lowerBound ? range.suffix(0) : range
    written += range.count - rest.count
    while !rest.isEmpty {
      let part = rest.prefix(Self.chunk)
      var count = try version.file?.copy(part, to: file, at: written) ?? 0
      if count == 0 {
        try file.write(version.bytes, part, at: written)
        count = part.count
      }
      written += count
      rest = rest.dropFirst(count)
      if rest.count >= Self.chunk { file.startSync() }
    }
  }

  // MARK: Rights

  /// Gives the file the owner, the attributes and the mode of the old one, as far as possible; until then
  /// it is open to its owner alone. Nobody gains a right by what cannot be kept.
  ///
  /// - Returns: what could not be kept, in words.
  func keepAttributes() -> [String] {
    var warnings: [String] = []
    let file = file
    func keep(_ what: String, _ loss: String = "", _ body: () throws(StoreError) -> Void) -> Bool {
      do throws(StoreError) {
        try body()
        return true
      } catch {
        let reason = error.errno.map { "\($0)" } ?? "\(error)"
        warnings.append("\(path): \(what) could not be kept\(loss): \(reason)")
        return false
      }
    }
    guard let old = version.status, let oldFile = version.file else {
      // The umask may have taken rights from the owner.
      _ = keep("the mode") { () throws(StoreError) in try file.setMode(0o600) }
      return warnings
    }
    var mode = old.permissions
    if let own = try? file.status(), own.user != old.user || own.group != old.group {
      mode = keepOwner(old, instead: own, mode, keep)
    }
    if !keep("the access list", "", { () throws(StoreError) in try file.copyAccess(of: oldFile) }) {
      // The rights of the group may be the mask of the list, and wider than those of the group.
      mode &= ~0o070
    }
    _ = keep("extended attributes") { () throws(StoreError) in try file.copyAttributes(of: oldFile)
    }
    _ = keep("the mode") { () throws(StoreError) in try file.setMode(mode) }
    if old.links > 1 {
      warnings.append("\(path): had another hard link, which keeps the old content")
    }
    return warnings
  }

  /// Gives the file the owner and the group of the old one, as far as possible.
  ///
  /// - Returns: the rights that are left. The bits above say "run as the owner", or as the group; and what
  ///   the group was allowed is not for another one.
  private func keepOwner(
    _ old: FileStatus, instead own: FileStatus, _ mode: mode_t,
    _ keep: (_ what: String, _ loss: String, () throws(StoreError) -> Void) -> Bool
  ) -> mode_t {
    let file = file
    if own.user != old.user {
      let isKept = keep("the owner", "") { () throws(StoreError) in
        try file.setOwner(user: old.user, group: old.group)
      }
      if isKept { return mode }
    }
    let loss = ", so its members have no rights now"
    let isKept =
      own.group == old.group
      || keep("the group", loss) { () throws(StoreError) in try file.setOwner(group: old.group) }
    if own.user == old.user && isKept { return mode }
    if isKept { return mode & 0o777 }
    // Those of the group are others now, and may do no more than before.
    return mode & 0o700 | mode & (mode >> 3) & 0o007
  }

  // MARK: Taking the place

  /// Returns when the content is on the disk.
  func sync() throws(StoreError) { try file.sync() }

  /// Takes the name of the data file.
  mutating func rename(to target: FilePath) throws(StoreError) {
    try folder.rename(name, to: target)
    hasTakenName = true
  }
}
