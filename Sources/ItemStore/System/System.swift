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
}

/// The door to the operating system: every call of the library on a file goes through `call`, which
/// tries again when a signal interrupts it, and where a test can make any of them fail.
package struct System: Sendable {
  package enum Call: String, Sendable, CaseIterable {
    case open, read, write, copy, status, readLink, lock, sync, link, rename, remove, makeFolder
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

  func open(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(Errno) -> OpenFile {
    guard !path.utf8.contains(0) else { throw Errno(EINVAL) }
    // O_NONBLOCK: a FIFO in place of a file must not stop the command.
    let descriptor = try call(.open, on: path) { _ in
      unsafe items_open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
    }
    return OpenFile(descriptor: descriptor, path: path, system: self)
  }

  func openToRead(_ path: String) throws(Errno) -> OpenFile { try open(path, O_RDONLY) }

  /// An existing file, not behind a symbolic link.
  func openToUpdate(_ path: String) throws(Errno) -> OpenFile {
    try open(path, O_RDWR | O_NOFOLLOW)
  }

  func create(_ path: String, mode: mode_t) throws(Errno) -> OpenFile {
    try open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
  }

  /// A new file in `folder` that has no name, and so is gone with its descriptor, until `link` gives it
  /// the name `path`. Not every file system has such files, and only Linux does.
  func createUnnamed(in folder: String, for path: String, mode: mode_t) throws(Errno) -> OpenFile {
    #if os(Linux)
      let descriptor = try call(.open, on: path) { _ in unsafe items_open_unnamed(folder, mode) }
      return OpenFile(descriptor: descriptor, path: path, system: self)
    #else
      throw Errno(ENOTSUP)
    #endif
  }

  /// Gives a file that has no name its path: linkat(2).
  func link(_ file: OpenFile) throws(Errno) {
    let source = "/proc/self/fd/\(file.descriptor)"
    try call(.link, on: file.path) { _ in
      unsafe linkat(AT_FDCWD, source, AT_FDCWD, file.path, AT_SYMLINK_FOLLOW)
    }
  }

  func status(of path: String, followingLink: Bool = true) throws(Errno) -> FileStatus {
    var status = stat()
    try call(.status) { _ in
      unsafe followingLink ? stat(path, &status) : lstat(path, &status)
    }
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
