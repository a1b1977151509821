import CItemStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A system call that failed: errno(3).
public struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  public let code: CInt

  public init(_ code: CInt) { self.code = code }

  /// What the system says, in lower case.
  public var description: String {
    let text = unsafe String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  package static let doesNotExist = Errno(ENOENT)
  static let exists = Errno(EEXIST)
  static let notALink = Errno(EINVAL)
  static let tooManyLinks = Errno(ELOOP)
  static let wouldBlock = Errno(EWOULDBLOCK)
  static let notPermitted = Errno(EPERM)
  static let endedEarly = Errno(EIO)
}

/// The door to the operating system: every call of the library on a file goes through `call`, which
/// tries again when a signal interrupts it, and where a test can make any of them fail.
package struct System: Sendable {
  package enum Call: String, Sendable, CaseIterable {
    case open, read, write, copy, status, readLink, lock, sync, rename, remove, makeFolder
    case setMode, setOwner, attributes, truncate, watch
  }

  /// What a test may do instead of a call.
  package enum Interference: Sendable {
    case fail(CInt)
    /// Read, write or copy no more than this.
    case shorten(Int)
  }

  /// Is asked before each call, with the path of what it is on where that is known.
  package var interfere: (@Sendable (Call, String) -> Interference?)?

  package init(interfere: (@Sendable (Call, String) -> Interference?)? = nil) {
    self.interfere = interfere
  }

  /// The result of a call that reports failure by -1 and errno.
  @discardableResult
  func call<T: SignedInteger>(
    _ name: Call, on path: String = "", count: Int = 0, _ body: (Int) -> T
  ) throws(Errno) -> T {
    while true {
      var limit = count
      switch interfere?(name, path) {
      case .fail(let code)?: errno = code
      case .shorten(let most)?:
        limit = min(most, count)
        fallthrough
      case nil:
        let result = body(limit)
        if result != -1 { return result }
      }
      if errno != EINTR { throw Errno(errno) }
    }
  }

  func open(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(Errno) -> File {
    guard !path.utf8.contains(0) else { throw Errno(EINVAL) }
    // O_NONBLOCK: a FIFO in place of a file must not stop the command.
    let descriptor = try call(.open, on: path) { _ in
      unsafe items_open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
    }
    return File(descriptor: descriptor, path: path, system: self)
  }

  func openToRead(_ path: String) throws(Errno) -> File { try open(path, O_RDONLY) }

  /// An existing file, not behind a symbolic link.
  func openToUpdate(_ path: String) throws(Errno) -> File { try open(path, O_RDWR | O_NOFOLLOW) }

  func create(_ path: String, mode: mode_t) throws(Errno) -> File {
    try open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
  }

  func status(of path: String) throws(Errno) -> FileStatus {
    var status = stat()
    try call(.status) { _ in unsafe stat(path, &status) }
    return FileStatus(status)
  }

  /// Whether the permissions of the user or of the file forbid writing to it.
  func isReadOnly(_ path: String, mode: mode_t) throws(Errno) -> Bool {
    if mode & 0o222 == 0 { return true }
    do throws(Errno) {
      try call(.status) { _ in unsafe access(path, W_OK) }
      return false
    } catch {
      if error == Errno(EACCES) || error == Errno(EROFS) { return true }
      // Removed since it was read, which the last look before the replacement finds.
      if error == .doesNotExist { return false }
      throw error
    }
  }

  /// Where a symbolic link points; nil where there is none.
  func target(ofLink path: String) throws(Errno) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    do throws(Errno) {
      let count = try call(.readLink) { _ in
        unsafe buffer.withUnsafeMutableBytes {
          unsafe readlink(path, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
      }
      return String(decoding: buffer[..<count], as: UTF8.self)
    } catch {
      if error == .notALink || error == .doesNotExist { return nil }
      throw error
    }
  }

  func rename(_ old: String, to new: String) throws(Errno) {
    try call(.rename, on: old) { _ in Self.cRename(old, new) }
  }

  func remove(_ path: String) throws(Errno) {
    try call(.remove, on: path) { _ in unsafe unlink(path) }
  }

  func removeFolder(_ path: String) throws(Errno) {
    try call(.remove, on: path) { _ in unsafe rmdir(path) }
  }

  func makeFolder(_ path: String) throws(Errno) {
    try call(.makeFolder, on: path) { _ in unsafe mkdir(path, 0o700) }
  }

  func syncFolder(_ path: String) throws(Errno) {
    let folder = try open(path, O_RDONLY | O_DIRECTORY)
    try folder.sync()
  }

  private static func cRename(_ old: String, _ new: String) -> CInt {
    #if canImport(Darwin)
      unsafe Darwin.rename(old, new)
    #else
      unsafe Glibc.rename(old, new)
    #endif
  }

  /// Runs `body` with the signals held back that ask a program to end, so that none leaves half of
  /// its work behind. They take effect afterwards.
  static func holdingSignals<T, Failure: Error>(
    _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    var held = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&held)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { unsafe sigaddset(&held, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  /// Seconds on a clock that never jumps.
  static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static func pause(seconds: Double) {
    var time = timespec(
      tv_sec: Int(seconds), tv_nsec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9))
    unsafe nanosleep(&time, nil)
  }

  package static var currentFolder: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard unsafe getcwd(&buffer, buffer.count) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

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
final class File: Sendable {
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
    try write(Bytes(bytes), 0..<bytes.count, at: offset)
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
  func copy(_ range: Range<Int>, to other: File, at offset: Int) throws(Errno) -> Int {
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

  #if os(Linux)
    /// Takes away the access control list that the folder gives to its new files: what it allows, the
    /// old file may not have.
    private func removeInheritedAccess() throws(Errno) {
      do throws(Errno) {
        try system.call(.attributes) { _ in
          unsafe fremovexattr(descriptor, "system.posix_acl_access")
        }
      } catch {
        guard [ENODATA, EOPNOTSUPP, ENOSYS].contains(error.code) else { throw error }
      }
    }
  #endif

  /// Gives this file the extended attributes of another, access control lists among them.
  func copyAttributes(of source: File) throws(Errno) {
    let from = source.descriptor
    #if canImport(Darwin)
      try system.call(.attributes) { _ in
        unsafe fcopyfile(from, descriptor, nil, copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR))
      }
    #else
      do throws(Errno) {
        try removeInheritedAccess()
        let size = try system.call(.attributes) { _ in flistxattr(from, nil, 0) }
        if size == 0 { return }
        var names = [CChar](repeating: 0, count: size)
        let used = try system.call(.attributes) { _ in unsafe flistxattr(from, &names, size) }
        for name in names[..<used].split(separator: 0) {
          let name = Array(name) + [0]
          let size = try system.call(.attributes) { _ in unsafe fgetxattr(from, name, nil, 0) }
          var value = [UInt8](repeating: 0, count: size)
          let count = try system.call(.attributes) { _ in unsafe fgetxattr(from, name, &value, size)
          }
          try system.call(.attributes) { _ in unsafe fsetxattr(descriptor, name, value, count, 0) }
        }
      } catch {
        // A file system without attributes has none to lose.
        if error.code != EOPNOTSUPP && error.code != ENOSYS { throw error }
      }
    #endif
  }
}
