import Foundation
import TestSupport

@testable import items

/// A running `items list --watch`, whose lines are read as they come.
final class Follower {
  private let child: Child
  private var output: Lines
  private var error: Lines

  /// Runs `items` with these words in the sandbox.
  init(_ sandbox: Sandbox, _ words: [String]) throws {
    let (output, outputEnd) = try Self.pipe()
    let (error, errorEnd) = try Self.pipe()
    defer { for end in [outputEnd, errorEnd] { close(end) } }
    self.output = Lines(descriptor: output)
    self.error = Lines(descriptor: error)
    child = try Child(
      [Sandbox.items.path, "--file", sandbox.file.path] + words, in: sandbox.folder,
      output: outputEnd, error: errorEnd)
  }

  deinit {
    end()
    close(output.descriptor)
    close(error.descriptor)
  }

  private static func pipe() throws -> (CInt, CInt) {
    var ends: [CInt] = [-1, -1]
    #if canImport(Darwin)
      let code = unsafe Darwin.pipe(&ends)
    #else
      let code = unsafe Glibc.pipe(&ends)
    #endif
    guard code == 0 else { throw POSIXError(.EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// What is read from a pipe.
  private struct Lines {
    var descriptor: CInt
    private var pending: [UInt8] = []

    init(descriptor: CInt) { self.descriptor = descriptor }

    struct TimeLimit: Error {}

    mutating func next(milliseconds: CInt) throws -> String? {
      while true {
        if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
          defer { pending.removeFirst(end + 1) }
          return String(decoding: pending[..<end], as: UTF8.self)
        }
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&polled, 1, milliseconds) == 1 else { throw TimeLimit() }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(descriptor, &buffer, buffer.count)
        if count <= 0 { return nil }
        pending += buffer[..<count]
      }
    }
  }

  /// The next line on stdout; nil at its end. The limit of time is for one that never comes.
  func line() throws -> String? { try output.next(milliseconds: 60_000) }

  /// The next line on stderr; nil at its end.
  func complaint() throws -> String? { try error.next(milliseconds: 60_000) }

  /// The watch has no voice for its beginning. So makes one change after the other until it speaks of
  /// one, and returns when it has spoken of the last.
  func begin(_ change: (Int) throws -> Sandbox.Outcome) throws {
    var number = 1
    while true {
      _ = try change(number)
      if (try? output.next(milliseconds: 20)) != nil { break }
      number += 1
    }
    _ = try change(1_000_000)
    while let line = try line(), !line.contains("1000000") {}
  }

  /// Stops reading.
  func closeOutput() {
    close(output.descriptor)
    output.descriptor = -1
  }

  func wait() -> CInt { child.wait() }

  func end() { child.end() }
}
