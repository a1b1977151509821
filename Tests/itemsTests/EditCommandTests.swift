import Foundation
import TestSupport
import Testing

@testable import items

/// `items edit`, with editors that are scripts, and with real ones on a terminal.
@Suite struct EditCommandTests {
  /// Runs `items` with a bash script as the editor, which gets the file as `$1`.
  private func edit(
    _ sandbox: Sandbox, _ editor: String, _ words: String...
  ) throws -> Sandbox.Outcome {
    try sandbox.write(editor, to: "editor")
    try sandbox.makeFolder("tmp")
    return try sandbox.run(
      Sandbox.items.path, ["edit"] + words,
      environment: ["EDITOR": "exec bash -eu ./editor", "TMPDIR": sandbox.folder.path + "/tmp"])
  }

  private func files(_ sandbox: Sandbox) throws -> [String] {
    try sandbox.names.filter { $0.hasPrefix("tmp/") }.sorted()
  }

  @Test(
    arguments: [
      Row("sed", "sed -i s/Milk/Oat/ \"$1\""),
      Row("one that saves by rename", "sed s/Milk/Oat/ \"$1\" > new; mv new \"$1\""),
      Row("one that writes in place", "text=$(<\"$1\"); echo \"${text/Milk/Oat}\" > \"$1\""),
    ] as [Row<String, Void>])
  func `one value is changed by`(_ row: Row<String, Void>) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try edit(sandbox, row.input, "1"), prints: "1\n")
    #expect(try sandbox.content == Sandbox.seed.replacing("Milk", with: "Oat"))
    #expect(try files(sandbox).isEmpty)
    expect(try sandbox.items("undo"), prints: "1\n")
    #expect(try sandbox.content == Sandbox.seed)
  }

  @Test func `the file is private, and has a record a line`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try edit(sandbox, "ls -l \"$1\" > mode; cp \"$1\" seen", "2", "3")
    expect(outcome, prints: "", says: "items: nothing was changed\n")
    let seen = """
      [
        {"id":2,"title":"Eggs","number":12},
        {"id":3,"title":"Bread","number":40}
      ]

      """
    #expect(sandbox.data("seen") == Data(seen.utf8))
    #expect(sandbox.data("mode").map { $0.starts(with: Data("-rw-------".utf8)) } == true)
    #expect(try sandbox.names.isDisjoint(with: [".items.json.undo"]))
  }

  /// What an editor does with one record of three, and what is printed then.
  @Test(
    arguments: [
      Row("ids", ["-f", "ids"], "1\n2\n4\n"),
      Row(
        "records, deleted ones as they were", ["-f", "tsv"], "1\tMilk\t9\n2\tEggs\t12\n4\tTea\t5\n"),
    ] as [Row<[String], String>])
  func `prints what was touched:`(_ row: Row<[String], String>) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let script = #"""
      sed -i -e '/Eggs/d' -e 's/3}/9}/' -e 's/40}/40}, {"title":"Tea","number":5}/' "$1"
      """#
    expect(try edit(sandbox, script, row.input[0], row.input[1]), prints: row.output)
  }

  @Test(
    arguments: [
      Row("an editor that fails", "exit 3", "ended with status 3"),
      Row("an editor that is not there", "exit 127", "ended with status 127"),
      Row("an empty file", ": > \"$1\"", "was emptied"),
      Row("a blank file", "echo > \"$1\"", "was emptied"),
      Row("no file", "rm \"$1\"", "was emptied"),
    ] as [Row<String, String>])
  func `the answer no is given by`(_ row: Row<String, String>) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try edit(sandbox, row.input), exits: 1, prints: "", says: row.output)
    #expect(try sandbox.content == Sandbox.seed)
    #expect(try files(sandbox).isEmpty)
  }

  @Test(
    arguments: [
      Row("a comma too many", "s/40}/40},/", ":4:39: trailing comma"),
      Row("a word for a number", "s/12}/\"x\"}/", ":3:35: \"number\" must be a whole number"),
      Row("a blank title", "s/Eggs/ /", ":3:19: \"title\" must not be empty"),
      Row("a known field that is gone", "s/,\"number\":12//", ":3:3: the item has no \"number\""),
      Row(
        "a name with a slip", "s/\"title\":\"Eggs/\"titel\":\"Eggs/", ":3:11: unknown field 'titel'"
      ),
      Row("no list", "1d;$d", ":1:3: expected '['"),
      Row("text after the list", "$s/$/ x/", "unexpected text after the end"),
      Row("an id of its own", "s/\"id\":2/\"id\":7/", ":3:3: id 7 was not among those shown"),
      Row("an id twice", "s/\"id\":2/\"id\":1/", ":3:3: id 1 is given twice"),
      Row("an id that is none", "s/\"id\":2/\"id\":\"2\"/", ":3:9: \"id\" must be a whole number"),
      Row("a new record without a title", "s/40}/40},{}/", ":4:40: the item has no \"title\""),
      Row("bytes that are no text", "s/Eggs/\\xff/", "not valid UTF-8"),
    ] as [Row<String, String>])
  func `a fault is told with its place, and the file is kept:`(_ row: Row<String, String>) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try edit(sandbox, "LC_ALL=C sed -i '\(row.input)' \"$1\"; cp \"$1\" seen")
    expect(outcome, exits: 2, prints: "", says: row.output)
    #expect(try sandbox.content == Sandbox.seed)
    let kept = try files(sandbox)
    #expect(kept.count == 1)
    for name in kept {
      #expect(sandbox.data(name) == sandbox.data("seen"))
      #expect(outcome.error.contains("kept in \(sandbox.folder.path)/\(name)\n"))
    }
  }

  @Test func `what was saved before the editor failed is kept`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try edit(sandbox, "echo x > \"$1\"; exit 1")
    expect(outcome, exits: 1, says: "kept in")
    #expect(try files(sandbox).count == 1)
  }

  @Test func `a blank title that was there before is no fault`() throws {
    let sandbox = try Sandbox(Sandbox.seed.replacing("Eggs", with: " "))
    expect(try edit(sandbox, "sed -i s/12/13/ \"$1\"", "2"), prints: "2\n")
  }

  @Test func `another order changes nothing and is said`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let script = "sed -i -e '2{h;d}' -e '3{G;s/$/,/}' -e '4s/^/ /' \"$1\"; sed -i 's/,,/,/' \"$1\""
    expect(try edit(sandbox, script, "1", "2", "3"), says: "another order")
    #expect(try sandbox.content == Sandbox.seed)
  }

  @Test func `conditions that select nothing start no editor`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try edit(sandbox, "touch started", "-w", "number>100"), prints: "")
    #expect(try !sandbox.names.contains("started"))
    expect(try edit(sandbox, "touch started", "99"), exits: 1, says: "no item with id 99")
    #expect(try !sandbox.names.contains("started"))
  }

  @Test(arguments: [
    ["edit", "-"], ["edit", "1", "-"], ["edit", "-c", "id"], ["edit", "1", "-w", "id=1"],
  ])
  func `a wrong request starts no editor`(_ words: [String]) throws {
    let outcome = try Sandbox(Sandbox.seed).run(
      Sandbox.items.path, words, environment: ["EDITOR": "exit 9;"])
    #expect(outcome.code == 2, "\(outcome.testDescription)")
  }

  @Test func `the editor has the environment and the signals that items was started with`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let script =
      "env > seen; kill -INT $PPID; kill -QUIT $PPID; grep SigIgn /proc/$$/status > ignored"
    #if os(Linux)
      expect(try edit(sandbox, "exec bash -c '\(script)'"), says: "nothing was changed")
      let ignored = String(decoding: sandbox.data("ignored") ?? Data(), as: UTF8.self)
      let mask = try #require(UInt64(ignored.split(separator: "\t")[1].dropLast(), radix: 16))
      #expect(mask & (1 << 24) == 0, "SIGXFSZ is ignored")
    #else
      expect(try edit(sandbox, "env > seen; kill -INT $PPID"), says: "nothing was changed")
    #endif
    let environment = String(decoding: sandbox.data("seen") ?? Data(), as: UTF8.self)
    #expect(!environment.contains("SWIFT_BACKTRACE"))
    #expect(environment.contains("ITEMS_FILE="))
  }

  @Test(.needs("tmux", "nano", "vi"))
  func `on a terminal a fault leads back into the editor`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let terminal = try Terminal(sandbox, columns: 90, rows: 12)
    try terminal.type("EDITOR=vi items edit 1")
    _ = try terminal.shows(#""title":"Milk""#)
    try terminal.type(":%s/:3}/:x}/")
    try terminal.type(":wq")
    _ = try terminal.shows("Edit again? [Y/n]")
    try terminal.type("")
    _ = try terminal.shows(":x}")
    try terminal.type(":%s/:x}/:4}/")
    try terminal.type(":wq")
    _ = try terminal.shows("Updated item 1: Milk (4)")
    try terminal.type("clear; EDITOR=nano items edit 1")
    _ = try terminal.shows(#""title":"Milk""#)
    try terminal.press("C-c")
    try terminal.press("C-x")
    _ = try terminal.shows("Nothing changed")
    #expect(try sandbox.content == Sandbox.seed.replacing("3},", with: "4},"))
  }
}
