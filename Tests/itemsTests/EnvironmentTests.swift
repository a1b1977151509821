import Foundation
import TestSupport
import Testing

private let isRoot = getuid() == 0
/// Whether file systems can be mounted, in a mount table of their own that goes with the script.
let canMount = succeeds("unshare -m mount -t tmpfs none /mnt")
/// Whether the file system has attributes.
private let hasAttributes = succeeds("f=$(mktemp); setfattr -n user.a -v b $f; rm $f")
/// Whether the file system has access lists.
private let hasAccessLists = succeeds("f=$(mktemp); setfacl -m u:1:r $f; rm $f")

func succeeds(_ script: String) -> Bool { (try? Sandbox().bash(script).code) == 0 }

/// A row of a table of bash scripts.
typealias Script = Row<String, Void>

/// The tool under unusual limits, permissions and names.
@Suite struct EnvironmentTests {
  // MARK: Standard streams

  @Test(arguments: 0..<8)
  func `closed standard streams do no harm`(closed: Int) throws {
    let closings = (0..<3).filter { closed & 1 << $0 != 0 }.map { $0 == 0 ? "0<&-" : "\($0)>&-" }
    let closing = closings.joined(separator: " ")
    let isMute = closings.contains("1>&-")
    let sandbox = try Sandbox(Sandbox.seed)
    let list = try sandbox.bash("items list \(closing)")
    #expect(list.code == (isMute ? 3 : 0), "\(list.testDescription)")
    #expect(try sandbox.content == Sandbox.seed)
    let add = try sandbox.bash("items add Tea -n 1 \(closing)")
    #expect(add.code == (isMute ? 4 : 0), "\(add.testDescription)")
    let lines = "\"number\": 40},\n    {\"id\": 4, \"title\": \"Tea\", \"number\": 1}\n"
    #expect(
      try sandbox.content
        == Sandbox.seed.replacing("\"number\": 40}\n", with: lines)
        .replacing("\"lastID\": 3", with: "\"lastID\": 4"))
    let delete = try sandbox.bash("items delete-all --yes \(closing)")
    #expect(delete.code == (isMute ? 4 : 0), "\(delete.testDescription)")
    expect(try sandbox.items("list"), prints: "")
  }

  @Test func `input that is closed is refused and changes nothing`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try sandbox.bash("items add - <&-"), exits: 2, says: "stdin")
    expect(try sandbox.bash("items delete - <."), exits: 2, says: "stdin")
    #expect(try sandbox.content == Sandbox.seed)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
  func `output that cannot be written is told from a change that was not made`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try sandbox.bash("items list > /dev/full"), exits: 3, says: "stdout")
    expect(try sandbox.bash("items add Tea > /dev/full"), exits: 4, says: "stdout")
    expect(try sandbox.items("list", "4", "-f", "ids"), prints: "4\n")
  }

  // MARK: Limits

  /// The change is made and the exit is 0 or 4, or the file is as it was and the exit is 3. Where not
  /// even the program can be loaded, the loader exits with 127.
  @Test(arguments: 3...12)
  func `few descriptors are enough, or are reported`(limit: Int) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try sandbox.items("update", "1", "-n", "5"))
    let old = try sandbox.content
    let outcome = try sandbox.bash("exec 2>&1; ulimit -n \(limit); exec items update 1 -n 6")
    let wasMade = try sandbox.content == old.replacing("\"number\": 5}", with: "\"number\": 6}")
    #expect((wasMade ? [0, 4] : [3, 127]).contains(outcome.code), "\(outcome.testDescription)")
    if !wasMade { #expect(try sandbox.content == old) }
    if limit >= 10 { #expect(outcome.code == 0, "\(outcome.testDescription)") }
    if outcome.code == 3 { #expect(outcome.output.contains("too many open files")) }
    #expect(try sandbox.names == ["items.json", ".items.json.undo"])
  }

  @Test(arguments: ["ulimit -f 0", "ulimit -f 1"])
  func `a limit of the file size is an error and no death`(limit: String) throws {
    let note = String(repeating: "x", count: 3000)
    let sandbox = try Sandbox(Sandbox.seed.replacing("Call the bank", with: note))
    let old = try sandbox.content
    let outcome = try sandbox.bash("(\(limit); items add Tea) 2>&1 | cat")
    #expect(outcome.code == 3, "\(outcome.testDescription)")
    #expect(outcome.output.contains("file too large"), "\(outcome.testDescription)")
    #expect(try sandbox.content == old)
    #expect(try sandbox.names == ["items.json"])
    expect(try sandbox.items("add", "Tea"), prints: "4\n")
  }

  // MARK: Permissions

  @Test(arguments: ["000", "022", "077", "027"])
  func `what is made is private, whatever the umask`(mask: String) throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.bash(
      """
      umask \(mask)
      export ITEMS_FILE=$PWD/new/folder/items.json
      items add Tea > /dev/null
      items add Rice > /dev/null
      ls -ld new new/folder new/folder/items.json new/folder/.items.json.undo | cut -c 1-10
      """)
    expect(outcome, prints: "drwx------\ndrwx------\n-rw-------\n-rw-------\n")
  }

  @Test(arguments: ["000", "077"], ["600", "640", "644", "664", "666", "755", "6755"])
  func `the mode is kept, whatever the umask`(mask: String, mode: String) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(
      """
      chmod \(mode) items.json
      umask \(mask)
      before=$(ls -l items.json | cut -c 1-10)
      items add Tea
      [ "$before" = "$(ls -l items.json | cut -c 1-10)" ]
      items undo
      [ "$before" = "$(ls -l items.json | cut -c 1-10)" ]
      """)
    expect(outcome, prints: "4\n4\n")
  }

  @Test(arguments: ["add Tea", "update 1 -n 9", "delete 1", "delete-all -y", "undo"])
  func `a file without write permission is refused at every change`(command: String) throws {
    for isFirstChange in [true, false] where !(isFirstChange && command == "undo") {
      let sandbox = try Sandbox(Sandbox.seed)
      if !isFirstChange { expect(try sandbox.items("update", "2", "-n", "9")) }
      let (names, content) = (try sandbox.names, try sandbox.content)
      let outcome = try sandbox.bash("chmod 444 items.json; items \(command)")
      expect(outcome, exits: 3, says: "read-only")
      #expect(try sandbox.names == names)
      #expect(try sandbox.content == content)
      expect(try sandbox.items("list", "-f", "ids"), prints: "1\n2\n3\n")
    }
  }

  @Test(.enabled(if: !isRoot, "root may write to any folder"), arguments: [false, true])
  func `a folder without write permission is read and not changed`(hasCompanion: Bool) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    if hasCompanion { expect(try sandbox.items("update", "1", "-n", "3", "-t", "Milk 2")) }
    let (names, content) = (try sandbox.names, try sandbox.content)
    let outcome = try sandbox.bash(
      "chmod 555 .; trap 'chmod 755 .' EXIT; items list -f ids; items add Tea")
    expect(outcome, exits: 3, prints: "1\n2\n3\n", says: "permission denied")
    #expect(try sandbox.names == names)
    #expect(try sandbox.content == content)
  }

  @Test(.enabled(if: isRoot, "needs root to give files away"))
  func `the owner and the group are kept`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(
      """
      chown 12345:23456 items.json; chmod 660 items.json
      items add Tea > /dev/null
      ls -ln items.json .items.json.undo | awk '{print substr($1, 1, 10), $3, $4}'
      """)
    expect(outcome, prints: "-rw-rw---- 12345 23456\n-rw-rw---- 12345 23456\n")
  }

  @Test(.needs("setfattr", allowed: hasAttributes))
  func `extended attributes are kept`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(
      """
      setfattr -n user.colour -v blue items.json; setfattr -n user.empty items.json
      items add Tea > /dev/null
      getfattr -d items.json
      """)
    expect(outcome, prints: "# file: items.json\nuser.colour=\"blue\"\nuser.empty=\"\"\n\n")
  }

  @Test(.needs("setfacl", allowed: hasAccessLists))
  func `the access list is kept, and none is taken from the folder`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(
      """
      chmod 640 items.json
      setfacl -d -m u:12345:rw .
      getfacl items.json > before
      items add Tea > /dev/null
      getfacl items.json | diff before -
      setfacl -m u:23456:rw items.json
      getfacl items.json > before
      items add Tea > /dev/null
      getfacl items.json | diff before -
      """)
    expect(outcome, prints: "")
  }

  /// Who may not read the data may not read its old values either.
  @Test(.needs("setfacl", allowed: hasAccessLists))
  func `the log has the access list of the file, not that of the folder`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(
      """
      setfacl -d -m u:12345:rw .
      chmod 640 items.json
      items add Tea > /dev/null
      getfacl -c items.json > file
      getfacl -c .items.json.undo | diff file -
      rm .items.json.undo
      setfacl -m u:23456:rw items.json
      items add Tea > /dev/null
      getfacl -c items.json > file
      getfacl -c .items.json.undo | diff file -
      """)
    expect(outcome, prints: "")
  }

  @Test(arguments: ["277", "777", "000"])
  func `the log can be opened again whatever the umask`(umask: String) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(
      "umask \(umask); for i in 1 2 3; do items update 1 -n 4$i; done; umask 022; items undo")
    expect(outcome, prints: "1\n1\n1\n1\n")
  }

  @Test func `another hard link keeps the old content, and a warning says so`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash("ln items.json other.json; items update 1 -n 9")
    expect(outcome, prints: "1\n", says: "hard link")
    #expect(
      try String(contentsOf: sandbox.folder.appending(path: "other.json"), encoding: .utf8)
        == Sandbox.seed)
    expect(try sandbox.items("list", "1", "-f", "tsv"), prints: "1\tMilk\t9\n")
  }

  // MARK: File systems

  @Test(.needs("unshare", allowed: canMount))
  func `a full file system costs nothing that was there`() throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.bash(
      """
      mkdir small
      export ITEMS_FILE=$PWD/small/items.json
      unshare -m bash -eu -o pipefail -c '
        mount -t tmpfs -o size=128k none small
        items add Milk -n 1 > /dev/null
        head -c 30000 /dev/zero | tr "\\\\0" x | items add - -n 2 > /dev/null
        cp small/items.json kept.json
        cat /dev/zero > small/filler 2> /dev/null || true
        for command in "add Tea" "update 1 -n 5" "delete 1" "delete-all -y" undo; do
          code=0
          items $command 2> error || code=$?
          grep -q "^items: .*no space left on device" error || cat error
          cmp kept.json small/items.json
          echo $code $(ls -A small)
        done
        rm small/filler
        items update 1 -n 5
        items undo
        cmp kept.json small/items.json'
      """)
    let refusals = String(repeating: "3 .items.json.undo filler items.json\n", count: 5)
    expect(outcome, prints: "\(refusals)1\n1\n")
  }

  @Test(.needs("unshare", allowed: canMount), arguments: 1...8)
  func `a first change either fits or leaves nothing`(pages: Int) throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.bash(
      """
      mkdir small
      export ITEMS_FILE=$PWD/small/items.json
      unshare -m bash -eu -o pipefail -c '
        mount -t tmpfs -o size=\(pages * 4)k none small
        code=0
        head -c 5000 /dev/zero | tr "\\\\0" x | items add - -n 2 2> /dev/null || code=$?
        echo $code $(ls -A small)'
      """)
    #expect(
      ["3\n", "1\n0 .items.json.undo items.json\n"].contains(outcome.output),
      "\(outcome.testDescription)")
  }

  @Test(.needs("unshare", allowed: canMount))
  func `a read-only file system is read and not changed`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(
      """
      mkdir disk; mv items.json disk
      export ITEMS_FILE=$PWD/disk/items.json
      unshare -m bash -eu -o pipefail -c '
        mount --bind disk disk; mount -o remount,ro,bind disk
        items list -f ids
        for command in "add Tea" "update 1 -n 5" "delete 1" "delete-all -y" "tasks add Call"; do
          code=0
          items $command 2> error || code=$?
          grep -q "^items: .*read-only" error || cat error
          echo $code $(ls -A disk)
        done
        items list --file disk/none.json'
      """)
    expect(outcome, prints: "1\n2\n3\n" + String(repeating: "3 items.json\n", count: 5))
  }
}
