import CItems
import ItemStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the process got from the system: words, environment, standard streams, signals.
/// All of the tool's own system calls are here and in `Signals`.
enum Process {
  /// The words after the command's own name.
  ///
  /// - Throws: if one is not valid UTF-8, which Swift would repair in silence.
  static func arguments() throws(UsageError) -> [String] {
    // CommandLine has none if no file could be opened at the start, as it parses /proc/self/maps.
    let given = unsafe items_words() ?? CommandLine.unsafeArgv
    var words: [String] = []
    // A program may be started without a name.
    var i = unsafe given[0] == nil ? 0 : 1
    while let word = unsafe given[i] {
      guard let text = unsafe String(validatingCString: word) else {
        throw UsageError("argument \(i) is not valid UTF-8")
      }
      words.append(text)
      i += 1
    }
    return words
  }

  /// A variable of the environment; one that is empty counts as not set.
  static func variable(_ name: String) throws(UsageError) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    guard let text = unsafe String(validatingCString: value) else {
      throw UsageError("the variable \(name) is not valid UTF-8")
    }
    return text
  }

  /// Takes out of the environment what kept the Swift runtime from looking for programs at the start.
  static func restoreEnvironment() { items_restore_environment() }

  /// Opens /dev/null on standard streams that are closed, so that no file becomes one of them. Reading
  /// from it, or writing to it, fails as it would have on the closed stream.
  static func occupyStandardStreams() {
    for stream in CInt(0)...2 where fcntl(stream, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// A file that grows past the limit of the system is an error like any other.
  static func ignoreFileSizeSignal() { _ = signal(SIGXFSZ, SIG_IGN) }

  static func isTerminal(_ stream: CInt) -> Bool { isatty(stream) == 1 }

  /// The size of the terminal that standard output is.
  static var terminalSize: (columns: Int, rows: Int)? {
    var size = winsize()
    guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// All of a stream, standard input if it is not named, to its end.
  ///
  /// - Throws: EFBIG if there is more than `limit` bytes of it.
  static func contents(of stream: CInt = 0, limit: Int = 4 << 30) throws(Errno) -> [UInt8] {
    guard rest(of: stream) <= limit else { throw Errno(EFBIG) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try take(stream, &buffer)
      if count == 0 { return bytes }
      guard count <= limit - bytes.count else { throw Errno(EFBIG) }
      bytes += buffer[..<count]
    }
  }

  /// The next line of standard input; nil at its end.
  static func inputLine() -> String? {
    var line: [UInt8] = []
    var byte: [UInt8] = [0]
    while let count = try? take(0, &byte), count == 1 {
      if byte[0] == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line += byte
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// How much there is to read if a stream is a file, else 0.
  private static func rest(of stream: CInt) -> Int {
    var status = stat()
    guard unsafe fstat(stream, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
    return Int(status.st_size) - Int(lseek(stream, 0, SEEK_CUR))
  }

  /// Waits for bytes of a stream, and returns how many there were; 0 at its end.
  private static func take(_ stream: CInt, _ buffer: inout [UInt8]) throws(Errno) -> Int {
    while true {
      let count = unsafe read(stream, &buffer, buffer.count)
      if count >= 0 { return count }
      switch errno {
      case EINTR: break
      case EAGAIN: wait(for: POLLIN, on: stream)
      default: throw Errno(errno)
      }
    }
  }

  /// Writes all the bytes. If the reader has gone, the process ends as the pipe's signal asks.
  static func write(_ bytes: [UInt8], to stream: CInt) throws(Errno) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Self.write(stream, $0.baseAddress! + done, bytes.count - done)
      }
      if count >= 0 {
        done += count
      } else if errno == EPIPE {
        endByBrokenPipe()
      } else if errno == EAGAIN {
        wait(for: POLLOUT, on: stream)
      } else if errno != EINTR {
        throw Errno(errno)
      }
    }
  }

  /// Makes the pipe that standard output is as large as one write, so that writer and reader wait for each
  /// other less: fcntl(2). It saves a fifth of the time of a long list.
  static func widenPipe(to count: Int) {
    #if os(Linux)
      // F_SETPIPE_SZ and F_GETPIPE_SZ, which Swift's module of the C library leaves out.
      let (setSize, getSize) = (CInt(1031), CInt(1032))
      if 1..<count ~= Int(fcntl(1, getSize)) { _ = fcntl(1, setSize, CInt(count)) }
    #endif
  }

  /// Ends as a pipe without a reader asks for, quietly.
  static func endByBrokenPipe() -> Never {
    _ = signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    // Whoever started us holds the signal back.
    _exit(128 + SIGPIPE)
  }

  @unsafe private static func write(_ stream: CInt, _ start: UnsafeRawPointer, _ count: Int) -> Int
  {
    #if canImport(Darwin)
      unsafe Darwin.write(stream, start, count)
    #else
      unsafe Glibc.write(stream, start, count)
    #endif
  }

  /// Waits until a stream is ready that someone has set to non-blocking.
  private static func wait(for events: CInt, on stream: CInt) {
    var polled = pollfd(fd: stream, events: Int16(events), revents: 0)
    _ = unsafe poll(&polled, 1, -1)
  }

  /// Ends without running what the C library would at the end: everything is written by then.
  static func end(_ code: ExitCode) -> Never { _exit(code.rawValue) }
}
