import Foundation
import TestSupport
import Testing

/// What other users, links and open files could make of a change. Each script runs in a folder with the
/// seed in `items.json`, and is right if it exits with 0.
@Suite struct TrustTests {
  typealias Script = Row<String, Void>

  /// Functions for the scripts.
  private static let prelude = #"""
    export LC_ALL=C.UTF-8
    fails() { local want=$1 got=0; shift; "$@" > out 2> err < /dev/null || got=$?
      [ "$got" = "$want" ] && grep -q '^items: .' err || { echo "exit $got: $*" >&2; cat err >&2; exit 1; }; }
    mode() { stat -c %a "$1"; }
    count() { items --file "$1" list -f ids | grep -c . || true; }
    cp items.json kept

    """#

  private static func check(_ script: Script) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(prelude + script.input)
    #expect(outcome.code == 0, "\(outcome.testDescription)")
  }

  #if os(Linux)
    @Test(arguments: [
      Script(
        "a pipe", "fails 3 bash -c 'items --file <(cat items.json) list'; cmp items.json kept"),
      Script(
        "a pipe on standard input",
        "fails 3 bash -c 'cat items.json | items --file /dev/stdin add x'; cmp items.json kept"),
      Script(
        "a file that was removed",
        """
        fails 3 bash -c 'exec 7< items.json; rm items.json; items --file /dev/fd/7 add x'
        [ -z "$(ls | grep deleted)" ]
        """),
      Script(
        "a file that was removed, but has another name",
        """
        ln items.json other
        fails 3 bash -c 'exec 7< items.json; rm items.json; items --file /dev/fd/7 add x'
        cmp other kept; [ -z "$(ls | grep deleted)" ]
        """),
      Script(
        "an open file by its descriptor",
        """
        [ "$(bash -c 'exec 7< items.json; items --file /dev/fd/7 add x -n 1')" = 4 ]
        [ "$(count items.json)" = 4 ]
        """),
      Script(
        "a link to a name that is not UTF-8",
        #"""
        name=$(printf 'd\377.json'); mv items.json "$name"; ln -s "$name" items.json
        items add x -n 1; [ "$(count items.json)" = 4 ]; [ "$(ls -d d* | wc -l)" = 1 ]; [ -h items.json ]
        """#),
      Script(
        "a chain of links through folders",
        """
        mkdir -p a/b c; mv items.json c/real.json; ln -s ../../c a/b/to; ln -s a/b/to/real.json items.json
        items add x -n 1; [ "$(count c/real.json)" = 4 ]; [ -h items.json ]; [ -e c/.real.json.undo ]
        """),
    ])
    func `a change is made to what the system opens, or refused`(script: Script) throws {
      try Self.check(script)
    }
  #endif

  @Test(arguments: [
    Script(
      "emptied after a change",
      """
      items add x -n 1; : > items.json
      fails 3 items add y; fails 3 items undo; [ ! -s items.json ]
      echo '{}' > items.json; [ "$(items add z)" = 5 ]
      """),
    Script("removed after a change", "items add x; rm items.json; [ \"$(items add y)\" = 5 ]"),
    Script("empty from the start", ": > new.json; [ \"$(items --file new.json add x)\" = 1 ]"),
    Script(
      "removed, written and taken back",
      """
      items add x; rm items.json; items add y; cp items.json two; items undo; [ ! -s items.json ]
      items redo; cmp items.json two; items undo; [ "$(items add z)" = 6 ]
      """),
    Script(
      "empty after an undo",
      """
      : > new.json; items --file new.json add x; items --file new.json undo
      [ ! -s new.json ]; [ "$(items --file new.json add x)" = 2 ]
      """),
  ])
  func `a file that somebody may be writing is not taken for an empty one`(script: Script) throws {
    try Self.check(script)
  }

  @Test(arguments: [
    Script(
      "follows the mode, narrower and wider",
      """
      for mode in 644 600 664 640; do
        chmod $mode items.json; items update 1 -n $RANDOM; [ "$(mode .items.json.undo)" = $mode ]
      done
      """),
    Script(
      "is private under any umask",
      """
      for umask in 000 077 0400 0777; do
        rm -rf new; (umask $umask; items --file new/items.json add x; items --file new/items.json add y)
        [ "$(mode new) $(mode new/items.json) $(mode new/.items.json.undo)" = '700 600 600' ]
      done
      """),
    Script(
      "with another name is left to that",
      """
      mkdir copy; items add x -n 1; cp -al items.json .items.json.undo copy/
      items add y -n 1; items undo; items undo; cmp items.json kept
      [ "$(count copy/items.json)" = 4 ]; items --file copy/items.json undo; cmp copy/items.json kept
      """),
    Script(
      "of another program is left, whatever names it has",
      """
      echo precious > precious; ln precious .items.json.undo; fails 3 items add x
      grep -q '\\.items\\.json\\.undo' err; [ "$(cat precious)" = precious ]; cmp items.json kept
      """),
    Script(
      "of another user is not trusted",
      """
      [ "$(id -u)" = 0 ] || exit 0
      mkdir s; chmod 1777 s; : > s/.i.json.undo; chown 4321:4321 s/.i.json.undo; chmod 666 s/.i.json.undo
      chmod 755 .
      fails 3 setpriv --reuid=65534 --regid=65534 --clear-groups items --file s/i.json add SECRET
      [ ! -s s/.i.json.undo ]; [ ! -e s/i.json ]
      """),
  ])
  func `the companion`(script: Script) throws { try Self.check(script) }

  @Test(arguments: [
    Script(
      "of an owner that is not kept",
      """
      [ "$(id -u)" = 0 ] || exit 0
      mkdir d; chmod 777 d; chmod 755 .; cp items.json d/i.json; chown 4321:4321 d/i.json
      for mode in 4777 2777 6666; do
        chmod $mode d/i.json
        setpriv --reuid=65534 --regid=65534 --clear-groups items --file d/i.json update 1 -n $RANDOM 2> err
        grep -q 'could not be kept' err; [ "$(stat -c %u d/i.json)" = 65534 ]
        [ $((0$(mode d/i.json) & 07070)) = 0 ]; chown 4321:4321 d/i.json; rm -f d/.i.json.undo
      done
      """),
    Script(
      "of a group that is shut out do not grow",
      """
      [ "$(id -u)" = 0 ] || exit 0
      mkdir d; chmod 777 d; chmod 755 .; cp items.json d/i.json; chown 65534:4321 d/i.json; chmod 604 d/i.json
      setpriv --reuid=65534 --regid=65534 --clear-groups items --file d/i.json update 1 -n 9 2> err
      [ "$(mode d/i.json)" = 600 ]; [ "$(grep -c 'could not be kept' err)" = 1 ]
      """),
    Script(
      "of the owner stay",
      "chmod 4644 items.json; items update 1 -n 9; [ \"$(mode items.json)\" = 4644 ]"
    ),
  ])
  func `rights`(script: Script) throws { try Self.check(script) }

  @Test func `a warning that nobody reads holds up nobody`() throws {
    try Self.check(
      Script(
        "",
        """
        ln items.json other; mkfifo pipe; exec 8<> pipe
        # Fills the pipe without waiting for a reader.
        dd if=/dev/zero of=pipe bs=4096 count=1000 oflag=nonblock 2> /dev/null || true
        items add x -n 1 > /dev/null 2> pipe & first=$!
        until [ "$(count items.json)" = 4 ]; do :; done
        items add y -n 1; [ "$(count items.json)" = 5 ]
        kill -KILL $first; wait $first || true
        """))
  }

  @Test func `a folder that cannot be written is named`() throws {
    try Self.check(
      Script(
        "",
        """
        mkdir d; cp items.json d/; chmod 777 d; chmod 666 d/items.json; chmod 755 .
        as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
        as items --file d/items.json add x -n 1; chmod 555 d
        fails 3 as items --file d/items.json add y -n 1
        grep -q '/d: permission denied' err; chmod 755 d
        """))
  }
}
