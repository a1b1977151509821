import CItemStore

/// A running thread. It takes no signals, so that those held back elsewhere stay so.
package struct Thread: ~Copyable {
  private let handle: UInt

  /// Runs `body`, which begins at once and need not be waited for.
  ///
  /// - Returns: nil where the system has no thread to give; `body` is not run then.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let context = unsafe Unmanaged.passRetained(Body(run: body))
    var handle: UInt = 0
    let error = unsafe items_start_thread(
      &handle,
      { context in
        unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard error == 0 else {
      unsafe context.release()
      return nil
    }
    self.handle = handle
  }

  deinit { items_detach_thread(handle) }

  /// Waits for the end of it.
  consuming func join() {
    items_join_thread(handle)
    discard self
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

/// A value that a thread of its own makes while the one that wants it goes on.
final class Background<Value: Sendable> {
  private let result: Result
  private var thread: Thread?

  /// - Parameter bytes: how many there are to work on; a few are not worth a thread, so that the value is
  ///   made when it is asked for.
  init(forBytes bytes: Int, _ make: @escaping @Sendable () -> Value) {
    let result = Result(make)
    self.result = result
    if bytes >= 1 << 20 { thread = Thread { result.fill() } }
  }

  /// Waits for the value. Without a thread it is made now.
  var value: Value {
    if let thread = thread.take() { thread.join() }
    return result.filled
  }

  /// Belongs to the thread until that has ended.
  private final class Result: @unchecked Sendable {
    private let make: @Sendable () -> Value
    private var value: Value?

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    func fill() { value = make() }

    var filled: Value {
      if value == nil { fill() }
      return value!
    }
  }
}
