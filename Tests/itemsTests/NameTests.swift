import Foundation
import TestSupport
import Testing

/// Data files with unusual names, links to them, and other things that have their name.
@Suite struct NameTests {
  @Test(arguments: [
    "two words.json", "new\nline.json", "-dash.json", "--file", "…ä日本🎉.json", "a'b\"c$d`e\\f.json",
    "*", ".hidden", "no-suffix", String(repeating: "x", count: 255),
    String(repeating: "日", count: 85), String(repeating: "x", count: 240) + ".json",
  ])
  func `any name will do`(name: String) throws {
    let sandbox = try Sandbox()
    expect(try sandbox.items("add", "Milk", "-n", "1", "--file", name), prints: "1\n")
    expect(try sandbox.items("update", "1", "-n", "2", "--file", name), prints: "1\n")
    expect(try sandbox.items("undo", "--file", name), prints: "1\n")
    expect(try sandbox.items("list", "--file", name), prints: "1\tMilk\t1\n")
    let names = try sandbox.names
    #expect(names.count == 2 && names.contains(name), "\(names)")
    #expect(names.allSatisfy { $0 == name || $0.hasPrefix(".") }, "\(names)")
  }

  @Test func `long names that begin alike have a companion each`() throws {
    let sandbox = try Sandbox()
    let names = ["1", "2"].map { String(repeating: "x", count: 254) + $0 }
    for name in names { expect(try sandbox.items("add", name, "--file", name), prints: "1\n") }
    for name in names { expect(try sandbox.items("undo", "--file", name), prints: "1\n") }
    #expect(try sandbox.names.count == 4)
  }

  @Test func `a name that is too long is refused`() throws {
    let sandbox = try Sandbox()
    let name = String(repeating: "x", count: 256)
    expect(try sandbox.items("add", "Milk", "--file", name), exits: 3, says: "too long")
    expect(try sandbox.items("list", "--file", name), exits: 3, says: "too long")
    #expect(try sandbox.names == [])
  }

  @Test(arguments: [
    Script("a relative link", "ln -s real/items.json link.json"),
    Script("an absolute link", "ln -s $PWD/real/items.json link.json"),
    Script("a link to a link", "ln -s real/items.json b; ln -s b link.json"),
    Script("a link in a folder behind a link", "ln -s real r; ln -s r/items.json link.json"),
  ])
  func `a link stays a link, and its target is changed`(script: Script) throws {
    for hasTarget in [true, false] {
      let sandbox = try Sandbox(Sandbox.seed)
      let outcome = try sandbox.bash(
        """
        mkdir real
        \(hasTarget ? "mv items.json real" : "rm items.json")
        \(script.input)
        items add Tea --file link.json > /dev/null
        items list --file real/items.json -w title=Tea -f ids
        test -L link.json
        ls -A real
        """)
      expect(outcome, prints: "\(hasTarget ? 4 : 1)\n.items.json.undo\nitems.json\n")
    }
  }

  /// Nothing waits for a FIFO's other end, and nothing is written.
  @Test(arguments: [
    Script("a folder", "mkdir items.json"), Script("a FIFO", "mkfifo items.json"),
    Script("a link to a device", "ln -s /dev/null items.json"),
    Script("a link to itself", "ln -s items.json items.json"),
    Script("a folder above that is a file", "touch x; export ITEMS_FILE=x/items.json"),
    Script("a slash at the end", "export ITEMS_FILE=new/"),
  ])
  func `what is no file is refused`(script: Script) throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.bash(
      """
      \(script.input)
      ls -lA > ../$(basename $PWD).before
      for command in list "add Tea" "delete-all -y"; do
        code=0
        items $command < /dev/null 2> /dev/null || code=$?
        echo $code
      done
      ls -lA | diff ../$(basename $PWD).before -; rm ../$(basename $PWD).before
      """)
    expect(outcome, prints: "3\n3\n3\n")
  }

  /// Whoever can write to the folder can take the undo log away, and nothing else.
  @Test(arguments: [
    Script("a link to a file", "ln -s victim .items.json.undo"),
    Script("a link to nothing", "ln -s nothing .items.json.undo"),
    Script("a folder", "mkdir .items.json.undo"), Script("a FIFO", "mkfifo .items.json.undo"),
    Script("text", "echo hello > .items.json.undo"),
    Script("zeros", "head -c 4096 /dev/zero > .items.json.undo"),
  ])
  func `what stands in the place of the companion is refused and left`(script: Script) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash("echo mine > victim; \(script.input); items add Tea")
    expect(outcome, exits: 3, says: "/.items.json.undo: ")
    #expect(try [1, 3].contains(sandbox.items("undo").code))
    expect(try sandbox.items("list", "-f", "ids"), prints: "1\n2\n3\n")
    #expect(try sandbox.content == Sandbox.seed)
    #expect(try sandbox.names == ["items.json", ".items.json.undo", "victim"])
    expect(try sandbox.bash("cat victim"), prints: "mine\n")
  }

  @Test(arguments: [
    Script("nothing", ": > .items.json.undo"),
    Script(
      "its first half", "head -c 130 .items.json.undo > x; cat x > .items.json.undo; rm x"),
    Script(
      "all but a byte",
      "n=$(wc -c < .items.json.undo); head -c $((n - 1)) .items.json.undo > x; cat x > .items.json.undo; rm x"
    ),
    Script(
      "a byte of both directories is another",
      "for at in 80 8272; do printf x | dd of=.items.json.undo bs=1 seek=$at conv=notrunc 2> /dev/null; done"
    ),
  ])
  func `a damaged companion costs the undo and not the data`(script: Script) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(
      """
      items update 1 -n 4 > /dev/null
      \(script.input)
      cp items.json kept.json
      code=0
      items undo 2> /dev/null || code=$?
      echo $code
      cmp items.json kept.json
      items update 1 -n 5
      items undo
      cmp items.json kept.json
      """)
    expect(outcome, prints: "1\n1\n1\n")
    #expect(try sandbox.names == ["items.json", "kept.json", ".items.json.undo"])
  }
}
