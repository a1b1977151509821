import TestSupport
import Testing

@testable import items

/// Fields of the user's own: `--set`, `--unset` and `-c`.
@Suite struct OwnFieldTests {
  private static let text = #"""
    {"lastID": 2, "items": [
      {"id": 1, "title": "Milk", "number": 3, "shelf": "top", "qty": 5},
      {"id": 2, "title": "Eggs", "number": 12}
    ], "tasks": [
      {"taskid": "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "tasknote": "Call"}
    ]}

    """#

  /// A command, and the first record of its kind after that.
  @Test(
    arguments: [
      Row("a text", ["update", "1", "--set", "shelf=low"], #""shelf":"low","qty":5"#),
      Row(
        "a text with an equals sign", ["update", "1", "--set", "shelf=a=b"],
        #""shelf":"a=b","qty":5"#),
      Row("a text with a colon", ["update", "1", "--set", "shelf=:=b"], #""shelf":":=b","qty":5"#),
      Row("an empty text", ["update", "1", "--set=shelf="], #""shelf":"","qty":5"#),
      Row(
        "JSON", ["update", "1", "--set", #"shelf:= {"a": [1, null]} "#],
        #""shelf":{"a":[1,null]},"qty":5"#),
      Row(
        "several", ["update", "1", "--set", "qty:=6", "--set", "new=x", "--unset", "shelf"],
        #""qty":6,"new":"x""#),
      Row(
        "one that is not there taken out", ["update", "1", "--unset", "other"],
        #""shelf":"top","qty":5"#),
      Row(
        "beside known fields", ["update", "1", "-n", "3", "--set", "title=Milk", "--unset", "qty"],
        #""shelf":"top""#),
      Row(
        "by a condition", ["update", "-w", "shelf=top", "--unset", "qty", "--unset", "shelf"], ""),
    ] as [Row<[String], String>])
  func `a field is given or taken out`(_ row: Row<[String], String>) throws {
    let sandbox = try Sandbox(Self.text)
    let fields = row.output.isEmpty ? "" : "," + row.output
    expect(
      try sandbox.items(row.input + ["-f", "jsonl"]),
      prints: #"{"id":1,"title":"Milk","number":3\#(fields)}"# + "\n")
    let isChange = !row.input.contains("other")
    #expect(try sandbox.items("undo").code == (isChange ? 0 : 1))
    #expect(try sandbox.content == Self.text)
  }

  @Test(
    arguments: [
      Row("a number that is none", ["--set", "number=x"], "whole number"),
      Row("a fraction", ["--set", "number:=1.5"], "column 1"),
      Row("a string for a number", ["--set", #"number:="5""#], "column 1"),
      Row("a blank title", ["--set", "title= "], "empty"),
      Row("null for a title", ["--set", "title:=null"], "must be a string"),
      Row("an id", ["--set", "id=7"], "cannot be set"),
      Row("a slip", ["--set", "titel=x"], "'title'"),
      Row("no field", ["--set", "=x"], "name of a field"),
      Row("no value", ["--set", "x"], "FIELD=TEXT"), Row("no JSON", ["--set", "x:="], "column 1"),
      Row("broken JSON", ["--set", "x:=[1,]"], "column 3"),
      Row("two values", ["--set", "x:=1 2"], "column 3"),
      Row("a field twice", ["--set", "a=1", "--set", "a=2"], "'a' is given twice"),
      Row("given and taken out", ["--set", "a=1", "--unset", "a"], "'a' is given twice"),
      Row("given by its option too", ["-n", "1", "--set", "number=2"], "'number' is given twice"),
      Row("a known field taken out", ["--unset", "number"], "every item has it"),
      Row("nothing taken out", ["--unset", ""], "name of a field"),
    ] as [Row<[String], String>])
  func `a field that cannot be given is refused`(_ row: Row<[String], String>) throws {
    let sandbox = try Sandbox(Self.text)
    expect(try sandbox.items(["update", "1"] + row.input), exits: 2, says: row.output)
    #expect(try sandbox.content == Self.text)
  }

  @Test func `a new record takes fields and an id`() throws {
    let sandbox = try Sandbox(Self.text)
    expect(
      try sandbox.items("add", "--set", "id=9", "--set", "title=Tea", "-n", "1", "--set", "x:=[1]"),
      prints: "9\n")
    expect(
      try sandbox.items("list", "9", "-f", "jsonl"),
      prints: #"{"id":9,"title":"Tea","number":1,"x":[1]}"# + "\n")
    expect(try sandbox.items("add", "again", "--set", "id=9"), exits: 1, says: "id 9")
    expect(try sandbox.items("add", "a", "--set", "title=b"), exits: 2, says: "given twice")
    expect(
      try sandbox.items(
        "add", "-", "--set", "shelf=low", "-n", "4", "-c", "title,shelf", "-f", "csv",
        input: "a\ttop\nb\t\n"),
      prints: "title,shelf\na,top\nb,low\n")
    expect(
      try sandbox.items("add", "-", "--set", "id=3", input: "a\n"), exits: 2, says: "cannot be set")
  }

  @Test func `a task needs no note if a field is given`() throws {
    let sandbox = try Sandbox(Self.text)
    let id = "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10"
    expect(try sandbox.items("tasks", "update", "5f2a", "--set", "due=mon"), prints: id + "\n")
    expect(
      try sandbox.items("tasks", "update", "-w", "due=mon", "Call Ann", "--unset", "due"),
      prints: id + "\n")
    expect(
      try sandbox.items("tasks", "list", "-f", "jsonl"),
      prints: #"{"taskid":"\#(id)","tasknote":"Call Ann"}"# + "\n")
    expect(try sandbox.items("tasks", "update", "5f2a"), exits: 2, says: "nothing to change")
  }

  /// A format, and what it prints of the columns `shelf`, `id` and `qty`.
  @Test(
    arguments: [
      Row("tsv", ["-f", "tsv"], "top\t1\t5\n\t2\t\n"),
      Row("csv", ["-f", "csv"], "shelf,id,qty\ntop,1,5\n,2,\n"),
      Row("table", ["-f", "table"], "SHELF  ID  QTY\ntop     1  5\n        2  \n"),
      Row(
        "jsonl", ["-f", "jsonl"], #"{"shelf":"top","id":1,"qty":5}"# + "\n" + #"{"id":2}"# + "\n"),
      Row("sorted", ["-s", "-id"], "\t2\t\ntop\t1\t5\n"),
    ] as [Row<[String], String>])
  func `columns are printed in the order asked for`(_ row: Row<[String], String>) throws {
    let sandbox = try Sandbox(Self.text)
    expect(try sandbox.items(["list", "-c", "shelf,id,qty"] + row.input), prints: row.output)
  }

  @Test(
    arguments: [
      Row("nothing", ["list", "-c", ""], "name of a field"),
      Row("an empty name", ["list", "-c", "id,"], "name of a field"),
      Row("a slip", ["list", "-c", "titel"], "'title'"),
      Row("one twice", ["list", "-c", "id,id"], "twice"),
      Row("nothing printed in columns", ["list", "-f", "ids", "-c", "id"], "--format"),
      Row("ids of a change", ["update", "1", "-n", "1", "-c", "id"], "--format"),
      Row("no id for a change", ["update", "-", "-c", "shelf"], "'id'"),
      Row("another command", ["path", "-c", "id"], "no option"),
    ] as [Row<[String], String>])
  func `columns that cannot be are refused`(_ row: Row<[String], String>) throws {
    let sandbox = try Sandbox(Self.text)
    expect(try sandbox.items(row.input, input: "1\tx\n"), exits: 2, says: row.output)
    #expect(try sandbox.content == Self.text)
  }

  @Test(arguments: ["tsv", "csv"])
  func `what columns print is read back as it was`(format: String) throws {
    let sandbox = try Sandbox(Self.text)
    let columns = "qty,id,shelf,none"
    let printed = try sandbox.items("list", "-c", columns, "-f", format)
    let words = ["update", "-", "-i", format] + (format == "tsv" ? ["-c", columns] : [])
    expect(try sandbox.items(words, input: printed.output), prints: "1\n2\n")
    #expect(try sandbox.content == Self.text)
    let changed = printed.output.replacing("5", with: "6.50")
    expect(try sandbox.items(words, input: changed), prints: "1\n2\n")
    #expect(try sandbox.content == Self.text.replacing("\"qty\": 5", with: "\"qty\": 6.50"))
  }
}
