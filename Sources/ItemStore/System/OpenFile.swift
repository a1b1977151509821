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

  /// What the file is, where it is no regular file.
  var otherKind: String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }
}

/// An open file that closes itself.
final class OpenFile: Sendable {
  let descriptor: CInt
  let path: String
  let system: System

  init(descriptor: CInt, path: String, system: System) {
    (self.descriptor, self.path, self.system) = (descriptor, path, system)
  }

  deinit {
    // No second try: whatever close(2) says, the descriptor is gone. What matters was synced before.
    close(descriptor)
  }

  func status() throws(Errno) -> FileStatus {
    var status = stat()
    try system.call(.status) { _ in unsafe fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// The first `count` bytes, fewer where the file ends before.
  func read(count: Int) throws(Errno) -> Bytes {
    try unsafe Bytes(capacity: count) { memory throws(Errno) in
      try unsafe fill(memory, from: 0)
    }
  }

  func read(_ range: Range<Int>) throws(Errno) -> [UInt8] {
    let bytes = try unsafe Bytes(capacity: range.count) { memory throws(Errno) in
      try unsafe fill(memory, from: range.lowerBound)
    }
    return bytes[0..<bytes.count]
  }

  @unsafe private func fill(
    _ memory: UnsafeMutableRawBufferPointer, from start: Int
  ) throws(Errno) -> Int {
    var done = 0
    while done < memory.count {
      let count = try system.call(.read, count: memory.count - done) { limit in
        unsafe pread(descriptor, memory.baseAddress! + done, limit, off_t(start + done))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
    try unsafe bytes.withUnsafeBufferPointer { (memory) throws(Errno) in
      try unsafe write(UnsafeRawBufferPointer(memory), at: offset)
    }
  }

  func write(_ bytes: Bytes, _ range: Range<Int>, at offset: Int) throws(Errno) {
    try unsafe bytes.withUnsafeBytes(range) { (memory) throws(Errno) in
      try unsafe write(memory, at: offset)
    }
  }

  @unsafe private func write(_ memory: UnsafeRawBufferPointer, at offset: Int) throws(Errno) {
    var done = 0
    while done < memory.count {
      done += try system.call(.write, on: path, count: memory.count - done) { limit in
        unsafe pwrite(descriptor, memory.baseAddress! + done, limit, off_t(offset + done))
      }
    }
  }

  /// Copies a range to `offset` of another file inside the kernel, which on some file systems shares
  /// the blocks; returns how much, 0 where the kernel cannot.
  func copy(_ range: Range<Int>, to other: OpenFile, at offset: Int) throws(Errno) -> Int {
    #if os(Linux)
      var (from, to) = (off_t(range.lowerBound), off_t(offset))
      do throws(Errno) {
        return try system.call(.copy, on: other.path, count: range.count) { limit in
          unsafe items_copy_file_range(descriptor, &from, other.descriptor, &to, limit)
        }
      } catch {
        // Not between these files, not here, or not at all: the bytes are in memory too.
        if [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM].contains(error.code) { return 0 }
        throw error
      }
    #else
      return 0
    #endif
  }

  func truncate(to count: Int) throws(Errno) {
    try system.call(.truncate, on: path) { _ in ftruncate(descriptor, off_t(count)) }
  }

  /// Lets the disk begin while we go on; `sync` waits for it and reports what fails.
  func startSync() {
    #if os(Linux)
      _ = items_start_sync(descriptor)
    #endif
  }

  /// Returns when the content is on the disk.
  func sync() throws(Errno) {
    try system.call(.sync, on: path) { _ in
      #if canImport(Darwin)
        // fsync does not empty the drive's cache there: fcntl(2). Where that is not to be had, fsync.
        return fcntl(descriptor, F_FULLFSYNC) == -1 ? fsync(descriptor) : 0
      #else
        return fsync(descriptor)
      #endif
    }
  }

  /// Whether the lock on the file was free: flock(2). It ends with the descriptor.
  func takesLock() throws(Errno) -> Bool {
    do throws(Errno) {
      try system.call(.lock) { _ in flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error == .wouldBlock { return false }
      throw error
    }
  }

  func setMode(_ mode: mode_t) throws(Errno) {
    try system.call(.setMode) { _ in fchmod(descriptor, mode) }
  }

  func setOwner(user: uid_t, group: gid_t) throws(Errno) {
    try system.call(.setOwner) { _ in fchown(descriptor, user, group) }
  }

  /// Gives this file the extended attributes of another, access control lists among them.
  func copyAttributes(of source: OpenFile) throws(Errno) {
    #if canImport(Darwin)
      try copy(COPYFILE_ACL | COPYFILE_XATTR, of: source)
    #else
      try copyAccess(of: source)
      do throws(Errno) {
        let size = try system.call(.attributes) { _ in flistxattr(source.descriptor, nil, 0) }
        if size == 0 { return }
        var names = [CChar](repeating: 0, count: size)
        let used = try system.call(.attributes) { _ in
          unsafe flistxattr(source.descriptor, &names, size)
        }
        for name in names[..<used].split(separator: 0) {
          try copyAttribute(Array(name) + [0], of: source)
        }
      } catch {
        // A file system without attributes has none to lose.
        if error.code != EOPNOTSUPP && error.code != ENOSYS { throw error }
      }
    #endif
  }

  /// Gives this file the access control list of another, and takes away the one that it has from its
  /// folder: what that allows, the other may not have.
  func copyAccess(of source: OpenFile) throws(Errno) {
    #if canImport(Darwin)
      try copy(COPYFILE_ACL, of: source)
    #else
      let name = "system.posix_acl_access"
      do throws(Errno) {
        try system.call(.attributes) { _ in unsafe fremovexattr(descriptor, name) }
      } catch {
        guard [ENODATA, EOPNOTSUPP, ENOSYS].contains(error.code) else { throw error }
      }
      do throws(Errno) {
        try copyAttribute(name.utf8CString.map(\.self), of: source)
      } catch {
        guard [ENODATA, EOPNOTSUPP, ENOSYS].contains(error.code) else { throw error }
      }
    #endif
  }

  #if canImport(Darwin)
    private func copy(_ what: CInt, of source: OpenFile) throws(Errno) {
      try system.call(.attributes) { _ in
        unsafe fcopyfile(source.descriptor, descriptor, nil, copyfile_flags_t(what))
      }
    }
  #else
    /// - Parameter name: ends with a zero.
    private func copyAttribute(_ name: [CChar], of source: OpenFile) throws(Errno) {
      let from = source.descriptor
      let size = try system.call(.attributes) { _ in unsafe fgetxattr(from, name, nil, 0) }
      var value = [UInt8](repeating: 0, count: size)
      let count = try system.call(.attributes) { _ in unsafe fgetxattr(from, name, &value, size) }
      try system.call(.attributes) { _ in unsafe fsetxattr(descriptor, name, value, count, 0) }
    }
  #endif
}
