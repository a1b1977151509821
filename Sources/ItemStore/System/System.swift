import CItemStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension StoreError {
  /// A system call that failed: errno(3).
  public struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number, as in `ENOSPC`.
    public let code: CInt

    /// The error with this number.
    public init(_ code: CInt) { self.code = code }

    /// What the system says, in lower case.
    public var description: String {
      let text = unsafe String(cString: strerror(code))
      return text.prefix(1).lowercased() + text.dropFirst()
    }
  }
}

package typealias Errno = StoreError.Errno

extension Errno {
  package static let doesNotExist = Errno(ENOENT)
  static let exists = Errno(EEXIST)
  static let notALink = Errno(EINVAL)
  static let tooManyLinks = Errno(ELOOP)
  static let wouldBlock = Errno(EWOULDBLOCK)

  /// Whether a right is missing. EPERM is what macOS answers in folders that it keeps private.
  var isRefusal: Bool { [EACCES, EPERM, EROFS].contains(code) }
}

extension StoreError {
  /// The error of the system call that failed, if that is what it is.
  var errno: Errno? { if case .failed(_, let errno) = self { errno } else { nil } }
}

/// The door to the operating system: every call of the library on a file goes through `call`, which
/// tries again if a signal interrupts it, and where a test can make any of them fail.
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

  /// Is asked before each call, with the path of what the call is on.
  package var interfere: (@Sendable (Call, String) -> Interference?)?

  package init(interfere: (@Sendable (Call, String) -> Interference?)? = nil) {
    self.interfere = interfere
  }

  /// The result of a call that reports failure by -1 and errno.
  ///
  /// - Parameters:
  ///   - path: what the call is on.
  ///   - subject: what an error names instead, if a person does not know that path.
  @discardableResult
  func call<T: SignedInteger>(
    _ name: Call, on path: FilePath, as subject: String? = nil, count: Int = 0, _ body: (Int) -> T
  ) throws(StoreError) -> T {
    while true {
      var limit = count
      switch interfere.flatMap({ $0(name, path.description) }) {
      case .fail(let code)?: errno = code
      case .shorten(let most)?:
        limit = min(most, count)
        fallthrough
      case nil:
        let result = body(limit)
        if result != -1 { return result }
      }
      let code = errno
      if code != EINTR { throw .failed(path: subject ?? path.description, Errno(code)) }
    }
  }

  /// Opens what the system finds under a path, which is never waited for.
  func open(_ path: FilePath, _ flags: CInt) throws(StoreError) -> OpenFile {
    if path.isCut { throw .failed(path: path.description, Errno(EINVAL)) }
    // O_NONBLOCK: a FIFO in place of a file must not stop the command.
    let descriptor = try call(.open, on: path) { _ in
      unsafe items_openat(
        AT_FDCWD, path.cString, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    }
    return OpenFile(descriptor: descriptor, path: path, system: self)
  }

  /// What the system finds under a path.
  func status(of path: FilePath) throws(StoreError) -> FileStatus {
    var status = stat()
    try call(.status, on: path) { _ in unsafe stat(path.cString, &status) }
    return FileStatus(status)
  }

  /// Where a symbolic link points; nil if there is no link.
  func target(ofLink path: FilePath) throws(StoreError) -> FilePath? {
    try target(ofLink: path, in: AT_FDCWD, as: path)
  }

  func target(
    ofLink name: FilePath, in folder: CInt, as path: FilePath
  ) throws(StoreError) -> FilePath? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    do throws(StoreError) {
      let count = try call(.readLink, on: path) { _ in
        unsafe readlinkat(folder, name.cString, &buffer, buffer.count)
      }
      return FilePath(bytes: buffer[..<count].map(UInt8.init(bitPattern:)))
    } catch {
      if error.errno == .notALink || error.errno == .doesNotExist { return nil }
      throw error
    }
  }

  /// Runs `body` with the signals held back that ask a program to end, so that none leaves half of a
  /// change behind. They take effect afterwards.
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

  /// Whether the system has so much memory to give. Swift ends the program if an allocation fails.
  static func hasMemory(for count: Int) -> Bool {
    // Less is a matter of the program itself.
    if count < 1 << 24 { return true }
    guard let memory = unsafe malloc(count) else { return false }
    unsafe free(memory)
    return true
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

  /// The path of the current folder; nil if it has none, or none that is UTF-8 and short enough to use.
  package static var currentFolder: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard unsafe getcwd(&buffer, buffer.count) != nil else { return nil }
    return unsafe String(validatingCString: &buffer)
  }
}
