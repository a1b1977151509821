import TestSupport
import Testing

@testable import items

/// What is wrong with a request is told at once; what is only odd is said, and done.
@Suite struct RequestTests {
  @Test func `all faults of stdin are told at their places, with the ids that are not there`()
    throws
  {
    let sandbox = try Sandbox(Sandbox.seed)
    let input = #"""
      {"id": 1, "title": " "}
      {"id": 99, "title": "q"}
      {"id": 2, "number": "x"}
      {"id": 1, "number": 4}
      {"id": 2.5}

      """#
    let outcome = try sandbox.items("update", "-", input: input)
    expect(outcome, exits: 2)
    #expect(
      outcome.error.split(separator: "\n").dropLast() == [
        #"items: stdin:1:20: "title" must not be empty"#,
        "items: stdin:2:1: no item with id 99",
        #"items: stdin:3:21: "number" must be a whole number, not "x""#,
        "items: stdin:4:1: id 1 is given twice",
        #"items: stdin:5:8: "id" must be a whole number, not 2.5"#,
      ])
    #expect(try sandbox.content == Sandbox.seed)
  }

  @Test func `a blank text that was there before is no fault`() throws {
    let text = #"{"items": [{"id": 1, "title": " ", "number": 1}]}"#
    let sandbox = try Sandbox(text)
    expect(try sandbox.items("update", "-", input: #"{"id": 1, "title": " ", "number": 1}"#))
    #expect(try sandbox.content == text)
    expect(
      try sandbox.items("update", "-", input: #"{"id": 1, "title": "  "}"#), exits: 2,
      says: "stdin:1:20")
    try sandbox.write("{")
    expect(
      try sandbox.items("update", "-", input: #"{"id": 1, "title": " "}"#), exits: 3,
      says: "items.json:1:2")
  }

  @Test func `an ambiguous id hides no other bad id`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let candidates = """
      items: task id '5f2a' is ambiguous. It may mean:
        5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10  Call the bank
        5f2ab007-1111-4222-8333-444455556666  Pay rent

      """
    let first = try sandbox.items("tasks", "delete", "zzzz", "5f2a")
    expect(first, exits: 1)
    #expect(first.error == "items: no task with id zzzz\n" + candidates)
    let second = try sandbox.items("tasks", "list", "5f2", "5f2a", "éé")
    expect(second, exits: 2)
    #expect(second.error.contains(candidates))
    #expect(
      second.error.contains("'5f2' is too short") && second.error.contains("'éé' is too short"))
  }

  /// What an update from stdin comes to: its exit code, and a part of stderr.
  @Test(
    arguments: [
      Row("one record gives nothing", #"{"id":1}{"id":2,"number":5}"#, nil),
      Row("no record gives anything", #"{"id":1}{"id":2}"#, "nothing to change"),
      Row("ids alone", "1\n2\n", "nothing to change"), Row("nothing", "", nil),
    ] as [Row<String, String?>])
  func `records from stdin must give something`(_ row: Row<String, String?>) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.items("update", "-", input: row.input)
    expect(outcome, exits: row.output == nil ? 0 : 2, says: row.output)
  }

  @Test func `items that nothing is named for get a number each`() throws {
    let sandbox = try Sandbox()
    let titles = (1...60).map(String.init).joined(separator: "\n")
    expect(try sandbox.items("add", "-", "-n", "1000", input: titles), prints: nil)
    expect(try sandbox.items(["update"] + (1...60).map(String.init)), prints: nil)
    let rows = try sandbox.items("list").output.split(separator: "\n").map {
      $0.split(separator: "\t")
    }
    #expect(rows.allSatisfy { $0[1] == "Changed Title" })
    #expect(Set(rows.map { $0[2] }).count > 5)
  }

  @Test(
    arguments: [
      Row(
        "a field that no record has", ["list", "-w", "shelf=top"], "no item has a field 'shelf'"),
      Row(
        "a part of a known one", ["tasks", "list", "-w", "note~bank"], "Did you mean 'tasknote'?"),
      Row("one to sort by", ["list", "-s", "due"], "no item has a field 'due'"),
      Row("a column", ["list", "-c", "id,due"], "no item has a field 'due'"),
      Row("for a change", ["update", "-w", "shelf=top", "-n", "1"], "no item has a field 'shelf'"),
      Row(
        "double quotes", ["delete", "-w", #"title="Milk""#],
        #""Milk" was taken with its double quotes"#),
    ] as [Row<[String], String>])
  func `what is odd is said and is no error`(_ row: Row<[String], String>) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.items(row.input)
    #expect(outcome.code == 0 && outcome.error.contains(row.output), "\(outcome.testDescription)")
    #expect(outcome.error.split(separator: "\n").count == 1)
    #expect(try sandbox.content == Sandbox.seed)
    try sandbox.write("{}")
    #expect(try sandbox.items(row.input).error == "")
  }

  @Test(arguments: [
    Row("unequal", "id<>2", "'!='"), Row("two equals signs", "id==1", "'='"),
    Row("a word", "number>=ten", "'ten'"), Row("contains", "number~1", "'~'"),
  ])
  func `a condition that is none says what was meant`(_ row: Row<String, String>) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try sandbox.items("delete", "-w", row.input), exits: 2, says: row.output)
    #expect(try sandbox.content == Sandbox.seed)
  }

  @Test(arguments: ["1e3", "2.0", "0x1", "1_000", "1 0", "", "٣", "9223372036854775808"])
  func `a whole number is a sign and digits`(text: String) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try sandbox.items("add", "x", "-n", text), exits: 2, says: "not '\(text)'")
    expect(try sandbox.items("delete", text), exits: 2, says: "not '\(text)'")
    expect(try sandbox.items("list", "+1", "02", "-f", "ids"), prints: "1\n2\n")
  }
}
