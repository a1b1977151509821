import Foundation

/// A process that lives beside others, started without Foundation: that waits for the end of a process
/// by a descriptor that every later child inherits, so next to one that lives on it would wait for
/// ever. Nor does it free the child of the signals that a thread of the tests holds back.
final class Child {
  private let id: pid_t
  private var code: CInt?

  /// Runs the words in a folder. It inherits no descriptor but these.
  init(_ words: [String], in folder: URL, output: CInt = 1, error: CInt = 2) throws {
    let script = """
      cd "$1"; shift
      for descriptor in /dev/fd/*; do
        descriptor=${descriptor##*/}
        if [ "$descriptor" -gt 2 ]; then eval "exec $descriptor>&-"; fi
      done
      exec "$@"
      """
    #if canImport(Darwin)
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, error, 2)

    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let arguments = ["env", "bash", "-c", script, "bash", folder.path] + words
    var pointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { while let pointer = unsafe pointers.popLast() { unsafe free(pointer) } }
    var id = pid_t()
    let code = unsafe posix_spawn(&id, "/usr/bin/env", &actions, &attributes, &pointers, environ)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    self.id = id
  }

  /// Waits for the end: the exit code, or 128 plus the signal.
  func wait() -> CInt {
    if let code { return code }
    var status: CInt = 0
    while unsafe waitpid(id, &status, 0) == -1 && errno == EINTR {}
    let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    self.code = code
    return code
  }

  /// Ends it, and waits for that.
  func end() {
    if code == nil { kill(id, SIGTERM) }
    _ = wait()
  }
}
