import TestSupport
import Testing

@testable import items

/// A line that is refused, and the line that the hint says instead.
private struct Refused: Sendable, CustomTestStringConvertible {
  let line: String
  let hint: String

  var testDescription: String { line }

  init(_ line: String, _ hint: String) { (self.line, self.hint) = (line, hint) }
}

private let milk = "items list -w 'title~milk'"

/// Hints that lead to a line that works. What was right is in it.
private let refused = [
  Refused("update 1 2 Bread", "items update 1 2 -t 'Bread'"),
  Refused("update 1 -n 3 Bread and butter", "items update 1 -n 3 -t 'Bread and butter'"),
  Refused("update 1 number=3", "items update 1 -n 3"),
  Refused("update 1 2 number=-3 -f json", "items update 1 2 -f json -n -3"),
  Refused("update 1 title=Rye number=+4", "items update 1 -n +4 -t 'Rye'"),
  Refused("update 1 2 shelf=top -n 1", "items update 1 2 -n 1 --set shelf=top"),
  Refused("update Milk -n 3", "items update -n 3 -w 'title=Milk'"),
  Refused("delete Milk", "items delete -w 'title=Milk'"),
  Refused("delete 1,2", "items delete 1 2"),
  Refused("delete 1, 2,3 -f tsv", "items delete 1 2 3 -f tsv"),
  Refused("list milk", milk),
  Refused("list oat \"milk's\" -s id", #"items list -s id -w 'title~oat milk'\''s'"#),
  Refused("list 1 milk", "items list 1 -w 'title~milk'"),
  Refused("list tasks", "items tasks list"),
  Refused("list Task -f csv", "items tasks list -f csv"),
  Refused("list items", "items list"),
  Refused("add '- [ ] x'", "items add -- '- [ ] x'"),
  Refused("add - '[' ']' x -n 1", "items add -n 1 -- '- [ ] x'"),
  Refused("add -title", "items add -- '-title'"),
  Refused("add -x milk -n 3", "items add -n 3 -- '-x milk'"),
  Refused("tasks update 5f2a91c4 -x", "items tasks update 5f2a91c4 -- '-x'"),
  Refused("add Buy milk -n 3", "items add 'Buy milk' -n 3"),
  Refused("tasks update 5f2a91c4 Call Ann -f ids", "items tasks update 5f2a91c4 'Call Ann' -f ids"),
  Refused("tasks update -w taskid=x Call Ann", "items tasks update 'Call Ann' -w taskid=x"),
  Refused("add --title Milk -n 3", "items add 'Milk' -n 3"),
  Refused("add --title=-Milk -n 3", "items add -n 3 -- '-Milk'"),
  Refused("tasks add --note 'Call Ann'", "items tasks add 'Call Ann'"),
  Refused("tasks update 5f2a91c4 --note=x", "items tasks update 5f2a91c4 'x'"),
  Refused("update 1 --note x", "items update 1 --title x"),
  Refused("tasks update 5f2a91c4 -", "items tasks update 5f2a91c4 -- '-'"),
  Refused("add - -", "items add -- '-'"),
  Refused("grep milk", milk),
  Refused("search 'oat milk' -f csv", "items list -w 'title~oat milk' -f csv"),
  Refused("tasks find bank", "items tasks list -w 'tasknote~bank'"),
  Refused("ls -f json", "items list -f json"),
  Refused("view 1", "items list 1"),
  Refused("new Milk -n 1", "items add Milk -n 1"),
  Refused("rm 1 2", "items delete 1 2"),
  Refused("complete 1", "items delete 1"),
  Refused("task done 5f2a91c4", "items tasks delete 5f2a91c4"),
  Refused("-f ids udpate 1 -n 3", "items update -f ids 1 -n 3"),
  Refused("list --json", "items list --format json"),
  Refused("list --limit 2", "items list | head -n 2"),
  Refused("list --limit=2 -s title", "items list -s title | head -n 2"),
  Refused("list -n 2", "items list | head -n 2"),
  Refused("list --count", "items list | wc -l"),
]

@Suite struct HintTests {
  @Test(arguments: refused)
  private func `a dead end leads to a line that works`(_ row: Refused) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash("items \(row.line) < /dev/null")
    expect(outcome, exits: 2, prints: "", says: row.hint + "\n")
    #expect(try sandbox.content == Sandbox.seed)
    expect(try sandbox.bash(row.hint + " > out"))
  }

  @Test(arguments: [
    "update 1 ''", "update ''", "list ' '", "delete ''", "list -q", "undo --json x",
  ])
  func `no hint is made of nothing`(_ line: String) throws {
    let outcome = try Sandbox(Sandbox.seed).bash("items \(line)")
    #expect(outcome.code == 2)
    #expect(!outcome.error.contains("-t ''") && !outcome.error.contains("~'"), "\(outcome)")
  }

  @Test func `a hint cannot drive the terminal`() throws {
    let outcome = try Sandbox(Sandbox.seed).items("list", "a\u{1b}[2J")
    #expect(outcome.code == 2)
    #expect(outcome.error.contains(#"title~a\u{1b}[2J"#) && !outcome.error.contains("\u{1b}[2J"))
  }

  @Test(.needs("tmux"))
  func `a path is escaped on a terminal, and stays as it is in a pipe`() throws {
    let sandbox = try Sandbox()
    expect(
      try sandbox.items("path", "--file", "/a\u{1b}[2J\nb"), prints: "/a\u{1b}[2J\nb\n")
    let terminal = try Terminal(sandbox, columns: 80, rows: 10)
    try terminal.type(#"items path --file $'/a\e[2J\nb'"#)
    #expect(try terminal.shows(#"/a\u{1b}[2J\nb"#).count > 1)
  }

  @Test func `a tilde that the shell did not expand is refused, and nothing made`() throws {
    let sandbox = try Sandbox()
    expect(
      try sandbox.items("add", "x", "--file=~/n/x.json"), exits: 2, says: "--file ~/n/x.json\n")
    expect(
      try sandbox.items("list", environment: ["ITEMS_FILE": "~/x"]), exits: 2,
      says: #"ITEMS_FILE="$HOME/x""#)
    #expect(try sandbox.names == [])
    expect(
      try sandbox.bash("items add x --file './~/x'; ls; items list --file '~x'"), prints: "1\n~\n")
  }
}
