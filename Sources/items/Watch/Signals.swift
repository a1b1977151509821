import ItemStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Signals as bytes in a pipe, so that poll(2) waits for them along with all else.
struct Signals {
  /// Has one byte for each signal that came and was not taken.
  let descriptor: CInt
  private static nonisolated(unsafe) var sender: CInt = -1

  /// The terminal has another size.
  static let resize = SIGWINCH
  /// What ends or stops a program from a terminal, and the change of its size.
  private static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, resize]

  struct Failure: Error, CustomStringConvertible {
    let errno: Errno
    var description: String { "signals cannot be waited for: \(errno)" }
  }

  /// Signals that the process was told to ignore, as nohup(1) does, stay ignored.
  init() throws(Failure) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Failure(errno: Errno(errno)) }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    descriptor = ends[0]
    unsafe Self.sender = ends[1]
    for number in Self.all { Self.handle(number) }
  }

  private static func handle(_ number: CInt) {
    let before = signal(number) { number in
      let code = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = unsafe write(Signals.sender, &byte, 1)
      errno = code
    }
    if unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      _ = signal(number, SIG_IGN)
    }
  }

  func taken() -> [CInt] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return bytes.prefix(max(0, count)).map(CInt.init)
  }

  /// Lets a signal do what it does to a program that does not handle it, and handles it again if the
  /// program goes on after that.
  func obey(_ number: CInt) {
    _ = signal(number, SIG_DFL)
    raise(number)
    Self.handle(number)
  }
}
