import Foundation
import TestSupport
import Testing

/// Many commands at once on one file.
@Suite struct ParallelTests {
  /// Each undo proves that the change before it was made on what the one before that left. Readers
  /// copy the file all the while, and each copy must be a state that the undos come by.
  @Test func `parallel commands leave the result of some row of them`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(
      """
      writer() {
        # The readers go by it, also where a command fails.
        trap "touch done.$1" EXIT
        for i in 1 2 3 4; do
          id=$(items add "$1-$i" -n $i)
          echo $id >> ids.$1
          items update $id -n $((i + 10))
          items tasks add "$1-$i"
          printf '%s\\n' "$1-$i-a" "$1-$i-b" | items add - -n 0 > pair.$1
          cat pair.$1 >> ids.$1
          items delete $id
        done > /dev/null
      }
      reader() {
        i=0
        until [ -e done.1 ] && [ -e done.2 ] && [ -e done.3 ] && [ -e done.4 ]; do
          cat items.json > seen.$1.$i
          items list -f json > /dev/null
          i=$((i + 1))
        done
      }
      for w in 1 2 3 4; do writer $w & pids="${pids:-} $!"; done
      for r in 1 2; do reader $r & pids="$pids $!"; done
      for pid in $pids; do wait $pid || echo "one failed"; done
      sort ids.* | uniq -d
      items list -f ids | wc -l | tr -d ' '
      items tasks list | wc -l | tr -d ' '
      cksum < items.json > states
      for change in $(seq 80); do items undo > /dev/null; cksum < items.json >> states; done
      for seen in seen.*; do
        grep -q -x "$(cksum < $seen)" states || echo "$seen was never the file"
      done
      items undo 2> /dev/null || echo "all undone"
      """)
    // Three items and two tasks of the start; two of three adds are left, and every task.
    expect(outcome, prints: "35\n18\nall undone\n")
    #expect(try sandbox.content == Sandbox.seed)
  }

  /// Commands that are killed at any moment hold nobody up, and what was reported is kept.
  @Test func `killed commands beside others lose nothing`() throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.bash(
      """
      writer() { for i in $(seq 8); do items add "kept $1-$i" > /dev/null; done; }
      victim() {
        for i in $(seq 12); do
          items add "killed $1-$i" > /dev/null 2>&1 & pid=$!
          # The time that this takes is as good as random.
          items list > /dev/null
          kill -9 $pid 2> /dev/null || true
          wait $pid 2> /dev/null || true
        done
      }
      for w in 1 2; do writer $w & pids="${pids:-} $!"; victim $w & pids="$pids $!"; done
      for pid in $pids; do wait $pid; done
      items list -w 'title~kept' -f ids | wc -l | tr -d ' '
      items list -f ids | sort | uniq -d
      items add After > /dev/null
      ls -A
      """)
    expect(outcome, prints: "16\n.items.json.undo\nitems.json\n")
  }

  @Test func `commands at the two ends of a pipe do not wait for each other`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try sandbox.bash("items list -f jsonl | items update - -n 0"), prints: "1\n2\n3\n")
    expect(try sandbox.bash("items list -f ids | items delete -; items list"), prints: "1\n2\n3\n")
    #expect(try sandbox.names == ["items.json", ".items.json.undo"])
  }
}
