import Foundation
import ItemStore
import TestSupport
import Testing

@testable import items

@Suite(.timeLimit(.minutes(5))) struct WatchTests {
  struct Row: CustomTestStringConvertible {
    let name: String
    var words: [String] = ["list", "--watch"]
    let change: @Sendable (Sandbox) throws -> Void
    let lines: [String]

    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "add", change: { _ = try $0.items("add", "Tea", "-n", "5") },
      lines: ["added\t4\tTea\t5"]),
    Row(
      name: "update", change: { _ = try $0.items("update", "2", "-t", "Ham") },
      lines: ["updated\t2\tHam\t12"]),
    Row(
      name: "delete", change: { _ = try $0.items("delete", "3", "2") },
      lines: ["deleted\t2\tEggs\t12", "deleted\t3\tBread\t40"]),
    Row(
      name: "delete-all", change: { _ = try $0.items("delete-all", "-y") },
      lines: ["deleted\t1\tMilk\t1000000", "deleted\t2\tEggs\t12", "deleted\t3\tBread\t40"]),
    Row(
      name: "several kinds at once",
      change: {
        try $0.write(
          #"{"items":[{"id":9,"title":"New","number":1},{"id":3,"title":"Old","number":1},{"id":1,"title":"Milk","number":1000000}]}"#
        )
      }, lines: ["deleted\t2\tEggs\t12", "added\t9\tNew\t1", "updated\t3\tOld\t1"]),
    Row(
      name: "in the order of a field", words: ["list", "--watch", "-s", "-number"],
      change: {
        _ = try $0.items("add", "-", input: #"[{"title":"a","number":1},{"title":"b","number":2}]"#)
      },
      lines: ["added\t5\tb\t2", "added\t4\ta\t1"]),
    Row(
      name: "as JSON Lines", words: ["list", "--watch", "-f", "jsonl"],
      change: {
        _ = try $0.items("add", "-", input: #"{"title":"a","number":1.0,"own":[ null ]}"#)
      },
      lines: [#"{"event":"added","item":{"id":4,"title":"a","number":1.0,"own":[null]}}"#]),
    Row(
      name: "a field of the user's own", words: ["list", "--watch", "-f", "jsonl"],
      change: {
        try $0.write($0.content.replacingOccurrences(of: #""Eggs","#, with: #""Eggs", "own": 1,"#))
      }, lines: [#"{"event":"updated","item":{"id":2,"title":"Eggs","own":1,"number":12}}"#]),
    Row(
      name: "a record that comes to meet the condition",
      words: ["list", "--watch", "-w", "title~i"],
      change: { _ = try $0.items("update", "2", "-t", "Rice") }, lines: ["added\t2\tRice\t12"]),
    Row(
      name: "a record that no longer meets the condition",
      words: ["list", "--watch", "-w", "title~i"],
      change: {
        _ = try $0.items("update", "2", "-t", "Rice")
        _ = try $0.items("update", "2", "-t", "Ham")
      }, lines: []),
    Row(
      name: "only a record that meets the condition",
      words: ["list", "--watch", "-w", "title!=Eggs"],
      change: { _ = try $0.items("update", "2", "3", "-n", "7") }, lines: ["updated\t3\tBread\t7"]),
    Row(
      name: "control characters", change: { _ = try $0.items("add", "a\tb\\", "-n", "5") },
      lines: ["added\t4\ta\\tb\\\\\t5"]),
    Row(
      name: "the other list", change: { _ = try $0.items("tasks", "add", "x") }, lines: []),
    Row(
      name: "the same records in another layout and order",
      change: {
        try $0.write(
          #"""
          {"items": [ {"id": 3, "title": "Br\u0065ad", "number": 40},
          {"id":1,"title":"Milk",   "number":1000000},{"id":2,"title":"Eggs","number":12}]}
          """#)
      }, lines: []),
    Row(
      name: "another file beside it",
      change: { try Data().write(to: $0.folder.appending(path: "x")) }, lines: []),
  ]

  @Test(arguments: rows)
  func `each record that changes is a line`(_ row: Row) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let follower = try Follower(sandbox, row.words)
    try follower.begin { try sandbox.items("update", "1", "-n", "\($0)") }
    try row.change(sandbox)
    for line in row.lines { #expect(try follower.line() == line) }
    // Whatever else there was to say came before this.
    _ = try sandbox.items("add", "pie is the end", "-n", "1")
    var next = try follower.line()
    if row.name == "a record that no longer meets the condition" {
      // The two changes may have been seen as one that changes nothing.
      if next == "added\t2\tRice\t12" {
        #expect(try follower.line() == "deleted\t2\tRice\t12")
        next = try follower.line()
      }
    }
    #expect(next?.contains("pie is the end") == true)
  }

  @Test func `tasks are followed under their name`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let follower = try Follower(sandbox, ["tasks", "list", "--watch", "-f", "jsonl"])
    try follower.begin { try sandbox.items("tasks", "update", "5f2ab007", "\($0)") }
    _ = try sandbox.items("tasks", "delete", "5f2a91c4")
    #expect(
      try follower.line()
        == #"{"event":"deleted","task":{"taskid":"5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10","tasknote":"Call the bank"}}"#
    )
  }

  @Test func `a file that is not there is empty until it is`() throws {
    let sandbox = try Sandbox()
    let follower = try Follower(sandbox, ["list", "--watch"])
    try follower.begin { try sandbox.items("add", "\($0)") }
    try FileManager.default.removeItem(at: sandbox.file)
    while let line = try follower.line(), !line.contains("\t1000000\t") {
      #expect(line.hasPrefix("deleted\t"))
    }
    try sandbox.write(#"{"items":[{"id":7,"title":"back","number":1}]}"#)
    #expect(try follower.line() == "added\t7\tback\t1")
  }

  @Test func `a link that is pointed elsewhere shows the records there`() throws {
    let sandbox = try Sandbox()
    let files = FileManager.default
    for (name, title) in [("a", "one"), ("b", "two")] {
      try Data(#"{"items":[{"id":1,"title":"\#(title)","number":1}]}"#.utf8)
        .write(to: sandbox.folder.appending(path: name))
    }
    try files.createSymbolicLink(atPath: sandbox.file.path, withDestinationPath: "a")
    let follower = try Follower(sandbox, ["list", "--watch"])
    try follower.begin { try sandbox.items("update", "1", "-n", "\($0)") }
    try files.createSymbolicLink(
      atPath: sandbox.folder.appending(path: "new").path, withDestinationPath: "b")
    #expect(unsafe rename(sandbox.folder.appending(path: "new").path, sandbox.file.path) == 0)
    #expect(try follower.line() == "updated\t1\ttwo\t1")
  }

  @Test func `a broken file is reported, and followed when it is whole again`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let follower = try Follower(sandbox, ["list", "--watch"])
    try follower.begin { try sandbox.items("update", "1", "-n", "\($0)") }
    let good = try sandbox.content
    try sandbox.write("{")
    #expect(try follower.complaint()?.hasPrefix("items: \(sandbox.file.path):1:2: ") == true)
    try sandbox.write("{\n<<<<<<< a")
    #expect(try follower.complaint()?.hasPrefix("items: \(sandbox.file.path):2:1: ") == true)
    try sandbox.write(good.replacingOccurrences(of: "Eggs", with: "Ham"))
    #expect(try follower.line() == "updated\t2\tHam\t12")
    follower.end()
    #expect(try follower.complaint() == nil)
  }

  @Test func `it ends by SIGPIPE when its reader goes, without waiting for a change`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let follower = try Follower(sandbox, ["list", "--watch"])
    try follower.begin { try sandbox.items("update", "1", "-n", "\($0)") }
    follower.closeOutput()
    #expect(follower.wait() == 128 + SIGPIPE)
    #expect(try follower.complaint() == nil)
  }

  @Test(arguments: [
    (["--watch", "1"], "items: --watch cannot be used together with ids"),
    (["--watch", "-"], "items: --watch cannot be used together with ids"),
    (["--watch", "-i", "text"], "items: --input says how to read stdin"),
    (["--watch", "-f", "table"], "items: --watch draws a table on a terminal only"),
    (["--watch", "-f", "json"], "items: --watch cannot print json\nOne of: tsv, jsonl\n"),
    (["--watch", "-f", "csv"], "items: --watch cannot print csv"),
    (["--watch", "-f", "ids"], "items: --watch cannot print ids"),
    (["--watch", "-s", "titel"], "titel"),
    (["--watch", "-w", "nubmer=1"], "nubmer"),
  ])
  func `what cannot be watched is refused`(words: [String], message: String) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.run(Sandbox.items.path, ["list"] + words)
    expect(outcome, exits: 2, prints: "", says: message)
  }

  @Test func `a file that is broken from the start is refused`() throws {
    let sandbox = try Sandbox("{")
    expect(try sandbox.items("list", "--watch"), exits: 3, prints: "", says: ":1:2: ")
  }
}

// MARK: What a view believes

@Suite(.timeLimit(.minutes(5))) struct LiveViewTests {
  private func view(_ sandbox: Sandbox) throws -> LiveView {
    try LiveView(Store(path: sandbox.file.path)) { (store) throws(StoreError) in
      let document = try store.document()
      return Selection(document, Item.schema, Array(0..<document.list(Item.schema).count))
    }
  }

  @Test(arguments: ["", "{", #"{"items":[]}"#])
  func `what an editor leaves for a moment is not believed`(moment: String) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    var view = try view(sandbox)
    view.calm = 3600
    try sandbox.write(moment)
    // A thread, as `next` keeps this one to itself.
    let file = sandbox.file
    Thread.detachNewThread { try? Data(Sandbox.seed.utf8).write(to: file) }
    guard case .records = try view.next() else {
      Issue.record("there was no moment with records")
      return
    }
    #expect(view.selection.records.count == 3)
  }

  @Test(arguments: ["", #"{"items":[]}"#])
  func `what stays empty is believed`(content: String) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    var view = try view(sandbox)
    view.calm = 0
    try sandbox.write(content)
    guard case .records = try view.next() else {
      Issue.record("the records stay")
      return
    }
    #expect(view.selection.isEmpty)
  }

  @Test func `what is touched again and again is not passed over in silence`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    var view = try view(sandbox)
    (view.calm, view.patience) = (3600, 0.1)
    let isSeen = Locked(false)
    let (file, done) = (sandbox.file, DispatchGroup())
    done.enter()
    Thread.detachNewThread {
      while !isSeen.with(\.self) { try? Data().write(to: file) }
      done.leave()
    }
    let event = try view.next()
    isSeen.with { $0 = true }
    done.wait()
    switch event {
    case .records: #expect(view.selection.isEmpty)
    // It also changed during each attempt to read it; it is told that the list is not the present one.
    case .trouble(.keepsChanging): break
    default: Issue.record("not \(event)")
    }
  }

  @Test func `after a failure the file is read again, although nothing happens to it`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let failures = Locked(0)
    var view = try LiveView(Store(path: sandbox.file.path)) { (store) throws(StoreError) in
      if failures.with({ $0 > 0 }) {
        failures.with { $0 -= 1 }
        throw .failed(path: store.path, Errno(EIO))
      }
      return Selection(try store.document(), Item.schema, [0])
    }
    failures.with { $0 = 3 }
    try sandbox.write(Sandbox.seed)
    guard case .trouble = try view.next(), case .records = try view.next() else {
      Issue.record("there was no trouble, or there still is")
      return
    }
    #expect(failures.with(\.self) == 0)
  }

  @Test func `the same trouble is told once, until there was none`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    var view = try view(sandbox)
    let trouble = StoreError.keepsChanging(path: "a")
    #expect(view.take(.failure(trouble)) != nil)
    #expect(view.take(.failure(trouble)) == nil)
    #expect(view.take(.failure(.keepsChanging(path: "b"))) != nil)
    #expect(view.take(.failure(trouble)) != nil)
    #expect(view.trouble == trouble)
    #expect(view.take(.success(view.selection)) != nil)
    #expect(view.trouble == nil)
    #expect(view.take(.failure(trouble)) != nil)
  }
}

// MARK: Differences

@Suite struct DifferenceTests {
  private func selection(_ items: [Int: Int], order: [Int]) throws -> Selection {
    let records = order.map { #"{"id":\#($0),"title":"t","number":\#(items[$0] ?? 0)}"# }
    let text = #"{"lastID":99,"items":[\#(records.joined(separator: ","))],"tasks":[]}"#
    let document = try Document(Bytes(Array(text.utf8)))
    return Selection(document, Item.schema, Array(0..<order.count))
  }

  @Test func `the differences lead from the old records to the new ones`() throws {
    Fuzz.run(500) { random in
      var old: [Int: Int] = [:]
      for id in 1...random.int(1...12) { old[id] = id % 3 }
      var new = old
      for _ in 0..<random.int(0...3) { new[random.int(1...14)] = random.once(in: 2) ? nil : 7 }
      var order = new.keys.sorted()
      if random.once(in: 2) { order.shuffle(using: &random) }
      let difference = Difference(
        from: try selection(old, order: old.keys.sorted()), to: try selection(new, order: order))

      var followed = old
      for (kind, record) in difference.events {
        let fields = StoredRecord(record.document, record.list, record.records[0])
        let (id, number) = (fields.number("id"), fields.number("number"))
        let before = followed[id]
        followed[id] = kind == .deleted ? nil : number
        switch kind {
        case .added: try check(before == nil, "\(id) was there")
        case .updated: try check(before != nil && before != number, "\(id) is as it was")
        case .deleted: try check(before == number, "\(id) was another")
        }
      }
      try check(followed == new, "\(followed), not \(new)")
    }
  }
}

// MARK: On a terminal

@Suite(.needs("tmux"), .timeLimit(.minutes(5)))
struct WatchOnTerminalTests {
  @Test func `the table is drawn again at each change, and the terminal is as it was after Ctrl-C`()
    throws
  {
    let sandbox = try Sandbox(Sandbox.seed)
    let terminal = try Terminal(sandbox, columns: 40, rows: 8)
    try terminal.type("echo before")
    _ = try terminal.shows("before")
    try terminal.type("items list --watch")
    #expect(
      try terminal.shows("Bread") == [
        "ID  TITLE  NUMBER", " 1  Milk        3", " 2  Eggs       12", " 3  Bread      40",
      ])
    #expect(try terminal.state("alternate_on") == "1")
    #expect(try terminal.state("cursor_flag") == "0")

    _ = try sandbox.items("update", "2", "-t", "日本語")
    _ = try sandbox.items("delete", "3")
    #expect(
      try terminal.screen { !$0.joined().contains("Bread") } == [
        "ID  TITLE   NUMBER", " 1  Milk         3", " 2  日本語      12",
      ])

    let good = try sandbox.content
    try sandbox.write("{")
    let broken = try terminal.shows("quotes")
    #expect(
      broken == [
        "ID  TITLE   NUMBER", " 1  Milk         3", " 2  日本語      12",
        "items: items.json:1:2: unexpected end,", "expected a name in double quotes",
      ])
    try sandbox.write(good)
    #expect(try terminal.screen { $0.count == 3 }.first == "ID  TITLE   NUMBER")

    try terminal.press("C-c")
    _ = try terminal.screen { $0.last == ">" }
    try terminal.type("echo code $?")
    #expect(try terminal.shows("code 130").contains("before"))
    #expect(try terminal.screen().allSatisfy { !$0.contains("TITLE") })
    #expect(try terminal.state("alternate_on") == "0")
    #expect(try terminal.state("cursor_flag") == "1")
    #expect(try terminal.state("wrap_flag") == "1")
  }

  @Test func `it fits the height and follows the size`() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.items("add", "-", "-n", "1", input: (1...30).map { "title \($0)\n" }.joined())
    let terminal = try Terminal(sandbox, columns: 40, rows: 10)
    try terminal.type("items list --watch")
    let ten = try terminal.shows("… 22 more")
    #expect(ten.count == 10 && ten[8] == " 8  title 8       1")
    try terminal.resize(columns: 40, rows: 5)
    #expect(try terminal.shows("… 27 more").count == 5)
    for (columns, rows) in [(10, 5), (5, 3), (2, 2), (1, 1)] {
      try terminal.resize(columns: columns, rows: rows)
      _ = try terminal.screen { $0.count == max(1, rows - (rows == 2 ? 1 : 0)) }
    }
    try terminal.resize(columns: 40, rows: 35)
    #expect(try terminal.shows("title 30").count == 31)
  }

  @Test func `it can be stopped and continued`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let terminal = try Terminal(sandbox, columns: 60, rows: 10)
    try terminal.type("items list --watch")
    _ = try terminal.shows("Bread")
    try terminal.press("C-z")
    _ = try terminal.shows("Stopped")
    #expect(try terminal.state("alternate_on") == "0")
    _ = try sandbox.items("update", "3", "-t", "Ham")
    try terminal.type("fg")
    #expect(try terminal.shows("Ham").first == "ID  TITLE  NUMBER")
  }

  @Test(arguments: [("TERM", 143), ("HUP", 129), ("QUIT", 131)])
  func `a signal ends it and leaves the terminal as it was`(signal: String, code: Int) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let terminal = try Terminal(sandbox, columns: 60, rows: 10)
    try terminal.type(
      "bash -c 'ulimit -c 0; echo $$ > pid; exec items list --watch'; echo code $?")
    _ = try terminal.shows("Bread")
    _ = try sandbox.bash("kill -\(signal) $(cat pid)")
    #expect(try terminal.shows("code \(code)").allSatisfy { !$0.contains("Bread") })
    #expect(try terminal.state("alternate_on") == "0")
    #expect(try terminal.state("cursor_flag") == "1")
  }

  @Test func `signals that cannot be waited for are what is told`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let terminal = try Terminal(sandbox, columns: 80, rows: 10)
    try terminal.type("bash -c 'ulimit -n 5; exec items list --watch'; echo code $?")
    #expect(try terminal.shows("code 3").contains { $0.contains("signals cannot be waited for") })
  }

  @Test func `an empty list says how to begin, a condition that nothing meets says so`() throws {
    let sandbox = try Sandbox()
    let terminal = try Terminal(sandbox, columns: 60, rows: 10)
    try terminal.type("items list --watch -w number=5")
    #expect(try terminal.shows("Add the first").count == 1)
    _ = try sandbox.items("add", "Milk", "-n", "1")
    #expect(try terminal.shows("No items match").count == 1)
    _ = try sandbox.items("update", "1", "-n", "5")
    #expect(try terminal.shows("Milk").count == 2)
  }

  @Test func `a terminal that cannot be drawn on gets lines`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let terminal = try Terminal(sandbox, columns: 60, rows: 10)
    try terminal.type("TERM=dumb items list --watch -f table")
    _ = try terminal.shows("--watch draws a table on a terminal only")
    try terminal.type("clear; TERM=dumb items list --watch")
    var number = 0
    _ = try terminal.screen { lines in
      number += 1
      _ = try? sandbox.items("update", "1", "-n", "\(number)")
      return lines.contains { $0.hasPrefix("updated 1       Milk    ") }
    }
    #expect(try terminal.state("alternate_on") == "0")
  }
}
