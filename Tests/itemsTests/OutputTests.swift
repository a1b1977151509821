import Foundation
import TestSupport
import Testing

@testable import items

@Suite struct OutputTests {
  // MARK: Formats

  static let odd = #"""
    {
      "items": [
        {"id": 1, "title": "a,\"b\"\tc\\", "number": 1.0, "own": [1,  {"x": null}]},
        {"title": "l1\nl2\r", "id": 2, "number": -7},
        {"id": 3, "title": "\u00e9 日本 \u001b[2J", "number": 1e2}
      ],
      "tasks": [
        {"taskid": "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "tasknote": "Call, \"now\""}
      ]
    }
    """#

  struct Row: CustomTestStringConvertible {
    let words: [String]
    let output: String
    var testDescription: String { words.joined(separator: " ") }
  }

  static let formats = [
    Row(
      words: ["list"],
      output: "1\ta,\"b\"\\tc\\\\\t1\n2\tl1\\nl2\\r\t-7\n3\té 日本 \u{1b}[2J\t100\n"),
    Row(
      words: ["list", "-f", "csv"],
      output: "id,title,number\n1,\"a,\"\"b\"\"\tc\\\",1\n2,\"l1\nl2\r\",-7\n3,é 日本 \u{1b}[2J,100\n"
    ),
    Row(
      words: ["list", "-f", "json"],
      output: #"""
        [
          {"id":1,"title":"a,\"b\"\tc\\","number":1.0,"own":[1,{"x":null}]},
          {"title":"l1\nl2\r","id":2,"number":-7},
          {"id":3,"title":"é 日本 \u001b[2J","number":1e2}
        ]

        """#),
    Row(
      words: ["list", "-f", "jsonl"],
      output: #"""
        {"id":1,"title":"a,\"b\"\tc\\","number":1.0,"own":[1,{"x":null}]}
        {"title":"l1\nl2\r","id":2,"number":-7}
        {"id":3,"title":"é 日本 \u001b[2J","number":1e2}

        """#),
    Row(words: ["list", "-f", "ids"], output: "1\n2\n3\n"),
    Row(
      words: ["list", "-f", "table"],
      output: #"""
        ID  TITLE             NUMBER
         1  a,"b"\tc\              1
         2  l1\nl2\r              -7
         3  é 日本 \u{1b}[2J     100

        """#),
    Row(
      words: ["tasks", "list"],
      output: "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10\tCall, \"now\"\n"),
    Row(
      words: ["tasks", "list", "-f", "csv"],
      output: "taskid,tasknote\n5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10,\"Call, \"\"now\"\"\"\n"),
    Row(
      words: ["tasks", "list", "-f", "json"],
      output: """
        [
          {"taskid":"5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10","tasknote":"Call, \\"now\\""}
        ]

        """),
    Row(
      words: ["tasks", "list", "-f", "jsonl"],
      output: """
        {"taskid":"5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10","tasknote":"Call, \\"now\\""}

        """),
    Row(
      words: ["tasks", "list", "-f", "ids"], output: "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10\n"),
    Row(
      words: ["tasks", "list", "-f", "table"],
      output: "TASKID    TASKNOTE\n5f2a91c4  Call, \"now\"\n"),
    Row(words: ["list", "-w", "id=9"], output: ""),
    Row(words: ["list", "-w", "id=9", "-f", "table"], output: ""),
    Row(words: ["list", "-w", "id=9", "-f", "json"], output: "[]\n"),
    Row(words: ["list", "-w", "id=9", "-f", "jsonl"], output: ""),
    Row(words: ["list", "-w", "id=9", "-f", "csv"], output: "id,title,number\n"),
    Row(words: ["list", "-w", "id=9", "-f", "ids"], output: ""),
  ]

  @Test(arguments: formats)
  func `each format of list in a pipe`(_ row: Row) throws {
    let sandbox = try Sandbox(Self.odd)
    expect(try sandbox.run(Sandbox.items.path, row.words), prints: row.output)
  }

  static let changes = [
    Row(words: ["add", "Tea", "-n", "5"], output: "4\n"),
    Row(words: ["add", "Tea", "-n", "5", "-f", "tsv"], output: "4\tTea\t5\n"),
    Row(
      words: ["add", "Tea", "-n", "5", "-f", "jsonl"],
      output: "{\"id\":4,\"title\":\"Tea\",\"number\":5}\n"),
    Row(words: ["update", "3", "1", "-n", "9"], output: "3\n1\n"),
    Row(words: ["update", "3", "1", "-n", "9", "-f", "tsv"], output: "3\tBread\t9\n1\tMilk\t9\n"),
    Row(words: ["update", "1", "-n", "9", "-f", "csv"], output: "id,title,number\n1,Milk,9\n"),
    Row(words: ["delete", "2", "-f", "tsv"], output: "2\tEggs\t12\n"),
    Row(
      words: ["delete", "2", "-f", "json"],
      output: "[\n  {\"id\":2,\"title\":\"Eggs\",\"number\":12}\n]\n"),
    Row(
      words: ["delete", "2", "-f", "table"], output: "ID  TITLE  NUMBER\n 2  Eggs       12\n"),
    Row(words: ["delete-all", "-y"], output: "1\n2\n3\n"),
    Row(
      words: ["delete-all", "-y", "-f", "tsv"],
      output: "1\tMilk\t3\n2\tEggs\t12\n3\tBread\t40\n"),
    Row(
      words: ["tasks", "delete", "5f2ab007", "-f", "tsv"],
      output: "5f2ab007-1111-4222-8333-444455556666\tPay rent\n"),
    Row(
      words: ["tasks", "update", "5f2ab007", "Pay"],
      output: "5f2ab007-1111-4222-8333-444455556666\n"),
  ]

  @Test(arguments: changes)
  func `a change in a pipe prints ids, or what it touched`(_ row: Row) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try sandbox.run(Sandbox.items.path, row.words), prints: row.output)
  }

  @Test(arguments: [([], "2\n"), (["-f", "tsv"], "2\tEggs\t12\n")])
  func `undo prints what it took back`(words: [String], output: String) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try sandbox.items("delete", "2"))
    expect(try sandbox.run(Sandbox.items.path, ["undo"] + words), prints: output)
  }

  // MARK: Colour

  struct Colour: CustomTestStringConvertible {
    let environment: [String: String]
    let isOnTerminal: Bool
    let isOn: Bool
    var testDescription: String { "\(environment) \(isOnTerminal ? "on a terminal" : "in a pipe")" }
  }

  static let colours: [Colour] = [
    Colour(environment: [:], isOnTerminal: true, isOn: true),
    Colour(environment: [:], isOnTerminal: false, isOn: false),
    Colour(environment: ["NO_COLOR": "1"], isOnTerminal: true, isOn: false),
    Colour(environment: ["NO_COLOR": ""], isOnTerminal: true, isOn: true),
    Colour(environment: ["NO_COLOR": "1", "FORCE_COLOR": "1"], isOnTerminal: true, isOn: false),
    Colour(
      environment: ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], isOnTerminal: false, isOn: false),
    Colour(environment: ["FORCE_COLOR": "1"], isOnTerminal: false, isOn: true),
    Colour(environment: ["FORCE_COLOR": "0"], isOnTerminal: false, isOn: false),
    Colour(environment: ["CLICOLOR_FORCE": "1"], isOnTerminal: false, isOn: true),
    Colour(environment: ["CLICOLOR_FORCE": "0"], isOnTerminal: true, isOn: true),
    Colour(environment: ["CLICOLOR": "0"], isOnTerminal: true, isOn: false),
    Colour(environment: ["CLICOLOR": "1"], isOnTerminal: false, isOn: false),
    Colour(environment: ["CLICOLOR": "0", "FORCE_COLOR": "1"], isOnTerminal: true, isOn: true),
    Colour(environment: ["TERM": "dumb"], isOnTerminal: true, isOn: false),
    Colour(environment: ["TERM": "dumb", "FORCE_COLOR": "1"], isOnTerminal: true, isOn: true),
  ]

  @Test(.needs("script", allowed: Sandbox.hasScript), arguments: colours)
  func `colour is for the header and the word items alone`(_ row: Colour) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let bold = "\u{1b}[1mID  TITLE  NUMBER\u{1b}[0m"
    let red = "\u{1b}[31mitems:\u{1b}[0m no item with id 9"
    let command = "items list -f table; items delete 9 || true"
    let outcome =
      try row.isOnTerminal
      ? sandbox.script(command, environment: row.environment)
      : sandbox.bash(command, environment: row.environment)
    let all = outcome.output + outcome.error
    #expect(all.contains(bold) == row.isOn, "\(outcome.testDescription)")
    #expect(all.contains(red) == row.isOn, "\(outcome.testDescription)")
    #expect(all.contains("\u{1b}") == row.isOn, "\(outcome.testDescription)")
  }

  @Test func `each stream is judged by itself`() throws {
    try #require(Sandbox.hasScript)
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.script("items list -f table > table; items list 9 2> trouble")
    #expect(outcome.code == 1)
    #expect(try !sandbox.text("table").contains("\u{1b}"))
    #expect(try !sandbox.text("trouble").contains("\u{1b}"))
  }

  // MARK: On a terminal

  @Test(
    .needs("script", allowed: Sandbox.hasScript),
    arguments: [
      ("items add Tea -n 5", "Added item 4: Tea (5)"),
      ("items update 1 -n 9", "Updated item 1: Milk (9)"),
      ("items update 1 2 -n 9", "Updated 2 items"),
      ("items delete 2", "Deleted item 2: Eggs (12)"),
      ("items delete-all -y", "Deleted 3 items"),
      ("items tasks delete-all -y", "Deleted 2 tasks"),
      ("items tasks delete 5f2a91c4", "Deleted task 5f2a91c4: Call the bank"),
      ("items tasks update 5f2a91c4 Call", "Updated task 5f2a91c4: Call"),
      ("items delete -w id=9", "Deleted 0 items"),
      ("items delete 2 > x; items undo", "Undid delete of item 2: Eggs (12)"),
      (#"items add $'a\e[2J\u202e\n' -n 5"#, #"Added item 4: a\u{1b}[2J\u{202e}\n (5)"#),
    ])
  func `a change is a sentence`(command: String, sentence: String) throws {
    let outcome = try Sandbox(Sandbox.seed).script(command)
    #expect(outcome.code == 0 && outcome.output == sentence + "\n", "\(outcome.testDescription)")
  }

  @Test(
    .needs("script", allowed: Sandbox.hasScript),
    arguments: ["tsv", "csv", "json", "jsonl", "ids", "table"])
  func `stored text cannot drive a terminal, in any format`(format: String) throws {
    let sandbox = try Sandbox(
      #"{"items":[{"id":1,"title":"\u001b]52;c;x\u0007\u009b2J\u202e\u2028\u007f\r\b","number":1,"o\u001bwn":"\u001b[2J"}]}"#
    )
    let outcome = try sandbox.script("items list -f \(format)", environment: ["NO_COLOR": "1"])
    let driving = outcome.output.unicodeScalars.filter { $0.isUnsafeOnTerminal && $0 != "\n" }
    #expect(
      driving.map(String.init) == (format == "tsv" ? ["\t", "\t"] : []),
      "\(outcome.testDescription)")
    #expect(outcome.code == 0)
  }

  @Test(.needs("script", allowed: Sandbox.hasScript))
  func `JSON on a terminal is still JSON of the same text`() throws {
    let sandbox = try Sandbox(
      #"{"items":[{"id":1,"title":"\u001b\u009b\u202e\u007f","number":1}]}"#)
    let outcome = try sandbox.script("items list -f jsonl")
    struct Record: Decodable { let title: String }
    let record = try JSONDecoder().decode(Record.self, from: Data(outcome.output.utf8))
    #expect(Array(record.title.unicodeScalars) == ["\u{1b}", "\u{9b}", "\u{202e}", "\u{7f}"])
  }

  @Test(
    .needs("script", allowed: Sandbox.hasScript),
    arguments: [
      ("items list", "No items yet. Add the first: items add 'Buy milk'"),
      ("items tasks list", "No tasks yet. Add the first: items tasks add 'Call the bank'"),
    ])
  func `an empty list on a terminal says how to begin`(command: String, line: String) throws {
    let outcome = try Sandbox().script(command)
    #expect(outcome.code == 0 && outcome.output == line + "\n", "\(outcome.testDescription)")
  }

  // MARK: Output that cannot be written

  static let isFullThere = FileManager.default.fileExists(atPath: "/dev/full")

  @Test(
    .enabled(if: isFullThere, "needs /dev/full"),
    arguments: [
      ("items list > /dev/full", 3, "stdout could not be written: no space left on device"),
      ("items list >&-", 3, "stdout could not be written: bad file descriptor"),
      ("items path > /dev/full", 3, "no space left on device"),
      ("items help > /dev/full", 3, "no space left on device"),
      ("items --version > /dev/full", 3, "no space left on device"),
      ("items add Tea > /dev/full", 4, "the change is made, but stdout could not be written"),
      ("items delete 2 >&-", 4, "the change is made, but stdout could not be written"),
    ])
  func `a write that fails is reported`(command: String, code: Int32, message: String) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    expect(try sandbox.bash(command), exits: code, prints: "", says: message)
    #expect(try (sandbox.content != Sandbox.seed) == (code == 4))
  }

  @Test(arguments: ["list", "list -f table", "list -f json", "list -f csv"])
  func `a closed pipe ends quietly by SIGPIPE`(words: String) throws {
    let sandbox = try Sandbox()
    let lines = (1...20_000).map { "a title that fills the pipe, number \($0)\n" }.joined()
    expect(try sandbox.items("add", "-", "-f", "table", "-n", "1", input: lines))
    let outcome = try sandbox.bash(
      "set +e; items \(words) | head -1 > /dev/null; echo ${PIPESTATUS[0]}")
    expect(outcome, prints: "\(128 + SIGPIPE)\n")
  }
}

extension Sandbox {
  /// The script of util-linux; the one of macOS has other options.
  static let hasScript: Bool = {
    let outcome = try? Sandbox().run("/usr/bin/env", ["script", "--version"])
    return outcome?.output.contains("util-linux") == true
  }()

  /// Runs a bash script with all its streams on a terminal of 80 columns.
  func script(_ command: String, environment: [String: String] = [:]) throws -> Outcome {
    try Data("stty cols 80\n\(command)\n".utf8).write(to: folder.appending(path: ".script"))
    let outcome = try run(
      "/usr/bin/env", ["script", "-qec", "bash .script", "/dev/null"],
      environment: environment)
    return Outcome(
      command: command, code: outcome.code,
      output: outcome.output.replacingOccurrences(of: "\r\n", with: "\n"), error: outcome.error)
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }
}
