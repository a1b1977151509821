import CItemStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What stat(2) says of a file. Two that are equal speak of the same file, unchanged.
struct FileStatus: Equatable {
  let device: Int
  let inode: Int
  let count: Int
  let mode: mode_t
  let user: uid_t
  let group: gid_t
  let links: Int
  private let modified: [Int]
  private let changed: [Int]

  init(_ status: stat) {
    device = Int(status.st_dev)
    inode = Int(truncatingIfNeeded: status.st_ino)
    count = Int(status.st_size)
    mode = status.st_mode
    user = status.st_uid
    group = status.st_gid
    links = Int(status.st_nlink)
    #if canImport(Darwin)
      let (m, c) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (m, c) = (status.st_mtim, status.st_ctim)
    #endif
    modified = [m.tv_sec, m.tv_nsec]
    changed = [c.tv_sec, c.tv_nsec]
  }

  var permissions: mode_t { mode & 0o7777 }

  func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }

  /// What the file is, if it is no regular file.
  var otherKind: String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFLNK: "a symbolic link"
    default: "a device"
    }
  }
}

/// An open file that closes itself.
final class OpenFile: Sendable {
  let descriptor: CInt
  let path: FilePath
  let system: System
  /// What an error names instead of the path.
  private let subject: String?

  init(descriptor: CInt, path: FilePath, as subject: String? = nil, system: System) {
    (self.descriptor, self.path, self.subject, self.system) = (descriptor, path, subject, system)
  }

  deinit {
    // No second try: whatever close(2) says, the descriptor is gone. What matters was synced before.
    close(descriptor)
  }

  @discardableResult
  private func call<T: SignedInteger>(
    _ name: System.Call, count: Int = 0, _ body: (Int) -> T
  ) throws(StoreError) -> T {
    try system.call(name, on: path, as: subject, count: count, body)
  }

  func status() throws(StoreError) -> FileStatus {
    var status = stat()
    try call(.status) { _ in unsafe fstat(descriptor, &status) }
    return FileStatus(status)
  }

  // MARK: Content

  /// The bytes in a range, fewer if the file ends before.
  func read(_ range: Range<Int>) throws(StoreError) -> Bytes {
    try unsafe Bytes(capacity: range.count) { memory throws(StoreError) in
      var done = 0
      while done < memory.count {
        let count = try call(.read, count: memory.count - done) { limit in
          unsafe pread(
            descriptor, memory.baseAddress! + done, limit, off_t(range.lowerBound + done))
        }
        if count == 0 { break }
        done += count
      }
      return done
    }
  }

  /// Whether a range is inside the file and has no holes.
  func isFilled(_ range: Range<Int>) throws(StoreError) -> Bool {
    let size = try status().count
    guard range.upperBound <= size else { return false }
    if range.isEmpty { return true }
    let hole = items_find_hole(descriptor, off_t(range.lowerBound))
    // A file system that cannot tell has none to show.
    return hole == -1 || hole >= off_t(range.upperBound)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
    try unsafe bytes.withUnsafeBufferPointer { (memory) throws(StoreError) in
      try unsafe write(UnsafeRawBufferPointer(memory), at: offset)
    }
  }

  func write(_ bytes: Bytes) throws(StoreError) { try write(bytes, 0..<bytes.count, at: 0) }

  func write(_ bytes: Bytes, _ range: Range<Int>, at offset: Int) throws(StoreError) {
    try unsafe bytes.withUnsafeBytes(range) { (memory) throws(StoreError) in
      try unsafe write(memory, at: offset)
    }
  }

  @unsafe private func write(_ memory: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
    var done = 0
    while done < memory.count {
      done += try call(.write, count: memory.count - done) { limit in
        unsafe pwrite(descriptor, memory.baseAddress! + done, limit, off_t(offset + done))
      }
    }
  }

  /// Copies a range to `offset` of another file inside the kernel, which on some file systems shares
  /// the blocks.
  ///
  /// - Returns: how much it copied; 0 if the kernel cannot.
  func copy(_ range: Range<Int>, to other: OpenFile, at offset: Int) throws(StoreError) -> Int {
    #if os(Linux)
      var (from, to) = (off_t(range.lowerBound), off_t(offset))
      do throws(StoreError) {
        return try other.call(.copy, count: range.count) { limit in
          unsafe items_copy_file_range(descriptor, &from, other.descriptor, &to, limit)
        }
      } catch {
        // Not between these files, not here, or not at all: the bytes are in memory too.
        let codes = [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM]
        guard let errno = error.errno, codes.contains(errno.code) else { throw error }
        return 0
      }
    #else
      return 0
    #endif
  }

  func truncate(to count: Int) throws(StoreError) {
    try call(.truncate) { _ in ftruncate(descriptor, off_t(count)) }
  }

  /// Lets the disk begin while the program goes on; `sync` waits for it and reports what fails.
  func startSync() {
    #if os(Linux)
      _ = items_start_sync(descriptor)
    #endif
  }

  /// Returns when the content is on the disk.
  func sync() throws(StoreError) {
    try call(.sync) { _ -> CInt in
      #if canImport(Darwin)
        // fsync does not empty the drive's cache there: fcntl(2). Some file systems have no more.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        return [ENOTSUP, ENOTTY, EINVAL, ENODEV].contains(errno) ? fsync(descriptor) : -1
      #else
        return fsync(descriptor)
      #endif
    }
  }

  // MARK: Lock

  /// Whether the lock on the file was free and is taken now: flock(2). It ends with the descriptor.
  func takesLock() throws(StoreError) -> Bool {
    do throws(StoreError) {
      try call(.lock) { _ in flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.errno == .wouldBlock { return false }
      throw error
    }
  }

  // MARK: Rights

  func setMode(_ mode: mode_t) throws(StoreError) {
    try call(.setMode) { _ in fchmod(descriptor, mode) }
  }

  /// - Parameter user: `.max` leaves the user as it is.
  func setOwner(user: uid_t = .max, group: gid_t) throws(StoreError) {
    try call(.setOwner) { _ in fchown(descriptor, user, group) }
  }

  /// Gives this file the access list of another, and takes away the one that it has from its folder:
  /// what that allows, the other may not have.
  func copyAccess(of source: OpenFile) throws(StoreError) {
    try call(.attributes) { _ in items_copy_access(source.descriptor, descriptor) }
  }

  /// Whether two files have the same access list.
  func hasAccess(of other: OpenFile) throws(StoreError) -> Bool {
    let difference = try call(.attributes) { _ in
      items_compare_access(other.descriptor, descriptor)
    }
    return difference == 0
  }

  /// Gives this file the extended attributes of another, access lists aside, as far as it can.
  func copyAttributes(of source: OpenFile) throws(StoreError) {
    var failure: StoreError?
    for name in try source.attributeNames() {
      do throws(StoreError) {
        try copyAttribute(name, of: source)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func copyAttribute(_ name: [CChar], of source: OpenFile) throws(StoreError) {
    let size = try source.call(.attributes) { _ in
      unsafe items_get_attribute(source.descriptor, name, nil, 0)
    }
    var value = [UInt8](repeating: 0, count: size)
    let count = try source.call(.attributes) { _ in
      unsafe items_get_attribute(source.descriptor, name, &value, size)
    }
    // It may have grown between the two calls.
    let used = min(count, size)
    try call(.attributes) { _ in unsafe items_set_attribute(descriptor, name, value, used) }
  }

  /// Each ends with a zero. A file system without attributes has none to lose.
  private func attributeNames() throws(StoreError) -> [[CChar]] {
    do throws(StoreError) {
      let size = try call(.attributes) { _ in items_list_attributes(descriptor, nil, 0) }
      if size == 0 { return [] }
      var names = [CChar](repeating: 0, count: size)
      let used = try call(.attributes) { _ in
        unsafe items_list_attributes(descriptor, &names, size)
      }
      return names[..<used].split(separator: 0).map { Array($0) + [0] }
        .filter { !$0.starts(with: "system.posix_acl".utf8.map(CChar.init)) }
    } catch {
      guard let errno = error.errno, [EOPNOTSUPP, ENOSYS].contains(errno.code) else { throw error }
      return []
    }
  }
}
