import Foundation
import TestSupport
import Testing

/// What the program does before its main function runs, and what it leaves to those that it starts.
@Suite struct StartTests {
  /// The release build too, if everything has to be tested: it has no shared libraries, and so another
  /// order of what runs at the start.
  static let programs: [URL] = {
    let isComplete = ProcessInfo.processInfo.environment["ITEMS_TESTS_COMPLETE"] != nil
    let folder = Sandbox.items.deletingLastPathComponent().deletingLastPathComponent()
    return [Sandbox.items] + (isComplete ? [folder.appending(path: "release/items")] : [])
  }()

  @Test(.needs("strace", allowed: canTrace), arguments: programs)
  func `nothing that lies beside the program is looked for`(program: URL) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(
      """
      mkdir x; cp '\(program.path)' x/program; printf '#!/bin/sh\\ntouch ran' > x/swift-backtrace
      chmod +x x/swift-backtrace
      strace -f -qq -o trace x/program list -f ids
      grep -e "$PWD/x/.*swift" trace || true
      ulimit -c 0; ulimit -s 64; x/program list > /dev/null 2>&1 || true
      [ ! -e ran ]
      """)
    expect(outcome, prints: "1\n2\n3\n")
  }

  @Test(.needs("unshare", allowed: canMount), arguments: programs)
  func `it works without /proc`(program: URL) throws {
    let outcome = try Sandbox(Sandbox.seed).bash(
      "unshare -m bash -c \"mount -t tmpfs none /proc; '\(program.path)' list -f ids\"")
    expect(outcome, prints: "1\n2\n3\n")
  }

  @Test(
    arguments: programs,
    [[:], ["SWIFT_BACKTRACE": "color=no"], ["SWIFT_ROOT": "/x", "SWIFT_BACKTRACE": ""]])
  func `an editor gets the environment that the program was given`(
    program: URL, given: [String: String]
  ) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.run(
      program.path, ["edit"], environment: given.merging(["EDITOR": "env > seen; :"]) { $1 })
    expect(outcome, says: "nothing was changed")
    let seen = String(decoding: try #require(sandbox.data("seen")), as: UTF8.self)
    let variables = seen.split(separator: "\n").filter { $0.hasPrefix("SWIFT_") }
    #expect(Set(variables) == Set(given.map { "\($0)=\($1)"[...] }))
  }

  /// As from a terminal or pipe that another process has made non-blocking.
  @Test(.needs("strace", allowed: canTrace))
  func `input that is not there yet is waited for`() throws {
    let outcome = try Sandbox().bash(
      """
      echo Milk > in
      strace -f -qq -o trace -P "$PWD/in" -e trace=read,poll -e inject=read:error=EAGAIN:when=1..2 \\
        items add - -n 1 < in
      grep -c poll trace
      """)
    expect(outcome, prints: "1\n2\n")
  }

  @Test func `input past 4 GiB is refused before it is read`() throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.bash(
      """
      dd if=/dev/zero of=in bs=1 count=0 seek=5000000000 2> dd
      items add - < in
      """)
    expect(outcome, exits: 2, prints: "", says: "stdin: file too large")
  }
}
