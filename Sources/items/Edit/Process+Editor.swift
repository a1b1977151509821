import CItems
import ItemStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The system calls of `edit`.
extension Process {
  /// Makes a file with six random characters in its name that only the user can read.
  static func makePrivateFile(
    _ start: String, _ end: String
  ) throws(Errno) -> (path: String, stream: CInt) {
    var name = Array((start + "XXXXXX" + end).utf8CString)
    let stream = unsafe mkstemps(&name, CInt(end.utf8.count))
    if stream == -1 { throw Errno(errno) }
    return (String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self), stream)
  }

  /// All of a file; nil if there is none.
  static func contents(ofFile path: String) throws(Errno) -> [UInt8]? {
    let stream = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if stream == -1 {
      if errno == ENOENT { return nil }
      throw Errno(errno)
    }
    defer { close(stream) }
    return try contents(of: stream)
  }

  static func close(_ stream: CInt) {
    #if canImport(Darwin)
      _ = Darwin.close(stream)
    #else
      _ = Glibc.close(stream)
    #endif
  }

  static func removeFile(_ path: String) { _ = unsafe unlink(path) }

  /// Runs a line of sh(1) with one more argument, on the same terminal, and waits for its end.
  ///
  /// - Returns: its exit code, or 128 plus the signal that ended it.
  static func run(_ line: String, on path: String) throws(Errno) -> CInt {
    // Ctrl-C and Ctrl-\ are for the editor, and an end that is ignored could not be waited for.
    let ignored = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    let child = signal(SIGCHLD, SIG_DFL)
    defer {
      for (number, before) in ignored { _ = signal(number, before) }
      _ = signal(SIGCHLD, child)
    }
    // What the user has let this program ignore, as nohup(1) does, stays ignored.
    let handled = ignored.filter { unsafe !isIgnore($0.1) }.map(\.0)
    let id = try start(
      ["sh", "-c", line + " \"$@\"", line, path], withDefault: handled + [SIGXFSZ])
    var status: CInt = 0
    while unsafe waitpid(id, &status, 0) == -1 {
      if errno != EINTR { throw Errno(errno) }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  @unsafe private static func isIgnore(_ handler: (@convention(c) (CInt) -> Void)?) -> Bool {
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Starts the shell with these signals as they are by default.
  private static func start(_ words: [String], withDefault signals: [CInt]) throws(Errno) -> pid_t {
    #if canImport(Darwin)
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    // An answer that goes to a pipe or a file is no place for an editor.
    if !isTerminal(1) { unsafe posix_spawn_file_actions_adddup2(&actions, 2, 1) }

    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    for number in signals { unsafe sigaddset(&defaults, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { while let pointer = unsafe pointers.popLast() { unsafe free(pointer) } }
    var id = pid_t()
    let code = unsafe posix_spawn(
      &id, "/bin/sh", &actions, &attributes, &pointers, items_environment())
    if code != 0 { throw Errno(code) }
    return id
  }
}
