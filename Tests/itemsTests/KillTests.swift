import Foundation
import TestSupport
import Testing

/// Whether programs can be traced, and so be sent a signal at any call.
let canTrace = succeeds("strace -qq -o /dev/null true")

/// The tool, ended by a signal at each of its system calls, and the calls as the system sees them.
@Suite(.needs("strace", allowed: canTrace))
struct KillTests {
  static let calls =
    "mkdir,mkdirat,openat,flock,pwrite64,copy_file_range,fsync,ftruncate,fchmod,"
    + "fchown,rename,renameat,renameat2,unlink,unlinkat,close,write,exit_group"

  @Test(arguments: [
    ("KILL", "update 1 -n 6"), ("KILL", "add Tea -n 1"), ("KILL", "undo"),
    ("TERM", "update 1 -n 6"), ("INT", "add Tea -n 1"), ("HUP", "undo"),
  ])
  func `a signal at any call leaves the old file or the new one`(
    signal: String, command: String
  ) throws {
    let outcome = try Sandbox(Sandbox.seed).bash(
      """
      \(Self.functions)
      items update 2 -n 5 > /dev/null
      for moment in $(moments \(command)); do
        start
        trace -e inject=$moment:signal=\(signal) items \(command) > /dev/null 2>&1 || true
        if ! cmp -s items.json old.json && ! cmp -s items.json new.json; then
          echo "$moment: neither old nor new"
        fi
        if [ \(signal) != KILL ] && [ -n "$(litter)" ]; then echo "$moment: $(litter)"; fi
        cp items.json left.json
        items add After > /dev/null
        [ -z "$(litter)" ] || echo "$moment: $(litter) after the next change"
        items undo > /dev/null
        cmp items.json left.json || echo "$moment: undo gave something else"
        count=$((${count:-0} + 1))
      done
      [ $count -gt 10 ] || echo "only $count moments"
      """)
    expect(outcome, prints: "")
  }

  /// The first change into a folder that has to be made.
  @Test(arguments: ["KILL", "TERM"])
  func `a signal at any call of the first change leaves no file or a whole one`(
    signal: String
  ) throws {
    let outcome = try Sandbox().bash(
      """
      \(Self.functions)
      export ITEMS_FILE=$PWD/new/folder/items.json
      for moment in $(moments add Tea -n 1); do
        rm -rf new
        trace -e inject=$moment:signal=\(signal) items add Tea -n 1 > /dev/null 2>&1 || true
        count=$(items list -f ids | wc -l)
        items add After > /dev/null
        [ $(items list -f ids | wc -l) = $((count + 1)) ] || echo "$moment: lost"
        [ "$(cd new; find . | sort | tr '\\n' ' ')" = \\
          ". ./folder ./folder/.items.json.undo ./folder/items.json " ] || echo "$moment: litter"
        runs=$((${runs:-0} + 1))
      done
      [ $runs -gt 10 ] || echo "only $runs moments"
      """)
    expect(outcome, prints: "")
  }

  @Test(arguments: ["add Tea", "update 1 -n 6", "delete 1", "delete-all -y", "undo"])
  func `the system is asked to sync, to rename, and to sync the folder`(command: String) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try sandbox.items("update", "2", "-n", "5"))
    let outcome = try sandbox.bash(
      """
      strace -f -y -qq -o trace -e trace=fsync,rename,renameat,renameat2 items \(command) > /dev/null
      sed -E 's/^[0-9]+ +//; s/ += .*//' trace
      """)
    #expect(outcome.code == 0, "\(outcome.testDescription)")
    let lines = outcome.output.split(separator: "\n")
    try #require(lines.count == 3, "\(outcome.testDescription)")
    #expect(lines[0].hasPrefix("fsync(") && lines[0].hasSuffix(".tmp>)"))
    #expect(lines[1].hasPrefix("rename") && lines[1].contains(".tmp\", "))
    #expect(lines[1].hasSuffix("\"items.json\")"))
    #expect(
      lines[2].hasPrefix("fsync(") && lines[2].hasSuffix("/\(sandbox.folder.lastPathComponent)>)"))
  }

  /// - `moments`: every call of a command that matters, as `name:when=n`.
  /// - `start`: puts everything back to before the command.
  /// - `litter`: what is in the folder and belongs to no file of the test.
  private static let functions = #"""
    trace() { strace -f -qq -o trace.log -e trace=\#(calls.split(separator: ",").map { "?\($0)" }.joined(separator: ",")) "$@"; }
    moments() {
      cp items.json old.json 2> /dev/null && cp .items.json.undo undo.kept
      trace items "$@" > /dev/null
      cp items.json new.json 2> /dev/null || true
      # The calls of the loader come before the first that names the file.
      awk '
        { sub(/\(.*/, "", $2); n[$2]++ }
        index($0, "items.json") { seen = 1 }
        seen && $2 ~ /^[a-z]/ { print $2 ":when=" n[$2] }' trace.log
    }
    start() { rm -f .items.json.*.tmp; cp old.json items.json; cp undo.kept .items.json.undo; }
    litter() { ls -A | grep -v -x -e items.json -e .items.json.undo -e undo.kept \
      -e '\(old\|new\|left\).json' -e trace.log || true; }
    """#
}
