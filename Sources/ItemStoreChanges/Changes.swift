@_exported import ItemStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Store {
  /// A sequence with one element now, and one after each change of the data file from this moment on,
  /// whoever makes it: this store, another process, an editor, a file or a link that takes its name.
  ///
  ///     for await _ in store.changes() { show(try store.all(Item.self)) }
  ///
  /// Changes that are made faster than the loop takes them are one element, but after the last of them
  /// there is always one more. An element says that the file may be another, not that its records are. The
  /// file and the folders above it need not exist yet.
  ///
  /// Each call begins a watch of its own, for one loop. It ends with the task of the loop, or when the
  /// sequence is let go; if the system refuses to watch, the sequence ends after the first element.
  public func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let thread = try? WatchingThread(self, continuation)
      continuation.yield()
      guard let thread else { return continuation.finish() }
      let stop = thread.stop
      continuation.onTermination = { _ in stop.send() }
      thread.start()
    }
  }
}

/// A thread that waits, as waiting in a task would take a thread from all the others. The watcher is
/// for that thread alone.
private final class WatchingThread: @unchecked Sendable {
  let stop: StopSignal
  private let watcher: Watcher
  private let continuation: AsyncStream<Void>.Continuation

  init(_ store: Store, _ continuation: AsyncStream<Void>.Continuation) throws {
    watcher = try Watcher(store)
    stop = try StopSignal()
    self.continuation = continuation
  }

  func start() {
    if Thread({ self.run() }) == nil { continuation.finish() }
  }

  private func run() {
    while let event = try? watcher.wait(orInputOf: stop.receiver, seconds: pause), event != .input {
      if event == .change { continuation.yield() }
    }
    continuation.finish()
  }

  /// How many seconds until a folder that could not be watched is tried again.
  private var pause: Double? { watcher.trouble == nil ? nil : 1 }
}

/// A pipe that wakes a thread out of poll(2).
private final class StopSignal: Sendable {
  let receiver: CInt
  private let sender: CInt

  init() throws(Errno) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Errno(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (receiver, sender) = (ends[0], ends[1])
  }

  deinit {
    close(receiver)
    close(sender)
  }

  func send() { _ = unsafe write(sender, [0], 1) }
}
