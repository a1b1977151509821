import ItemStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Store {
  /// Yields after each change of the data file, whoever makes it, from this moment on: another
  /// process, an editor, a file or a link that takes its name, or this store.
  ///
  /// Changes that are made faster than they are taken are one element, but after the last of them
  /// there is always one more. An element says that the file may be another, not that its records
  /// are. The file and the folders above it need not be there yet. Each use of this property is a watch
  /// of its own, for one loop; it ends with the task of the loop, or when the sequence is let go, and
  /// at once where the system refuses to watch.
  ///
  ///     for await _ in store.changes { show(try store.all(Item.self)) }
  public var changes: AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      guard let thread = try? WatchingThread(self, continuation) else {
        return continuation.finish()
      }
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
    while case .change? = try? watcher.wait(orInputOf: stop.receiver) { continuation.yield() }
    continuation.finish()
  }
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
