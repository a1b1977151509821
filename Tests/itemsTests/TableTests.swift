import Foundation
import ItemStore
import TestSupport
import Testing

@testable import items

@Suite struct TableTests {
  private func table(_ records: Selection) throws -> [String] {
    Table(records, isOnTerminal: false).lines
  }

  private func items(_ titles: [String]) throws -> Selection {
    let records = titles.enumerated().map { i, title in
      #"{"id":\#(i + 1),"title":\#(String(decoding: JSONString.encode(title), as: UTF8.self)),"number":\#(i * 10)}"#
    }
    let text = #"{"items":[\#(records.joined(separator: ","))]}"#
    return Selection(try Document(Bytes(Array(text.utf8))), Item.schema, Array(titles.indices))
  }

  private func tasks(_ ids: [String]) throws -> Selection {
    let records = ids.map { #"{"taskid":"\#($0)","tasknote":"n"}"# }
    let text = #"{"tasks":[\#(records.joined(separator: ","))]}"#
    return Selection(try Document(Bytes(Array(text.utf8))), ToDoTask.schema, Array(ids.indices))
  }

  @Test func `columns are aligned, numbers to the right`() throws {
    #expect(
      try table(items(["Milk", "", "a much longer title"])) == [
        "ID  TITLE                NUMBER", " 1  Milk                      0",
        " 2                           10", " 3  a much longer title      20",
      ])
  }

  @Test func `no records make no table`() throws { #expect(try table(items([])) == []) }

  @Test func `numbers are whole however they are spelled`() throws {
    let text = #"{"items":[{"id":1.0,"title":"a","number":-1e3},{"id":2,"title":"b","number":-0}]}"#
    let records = Selection(try Document(Bytes(Array(text.utf8))), Item.schema, [0, 1])
    #expect(
      try table(records) == ["ID  TITLE  NUMBER", " 1  a       -1000", " 2  b           0"])
  }

  static let mixed = [
    "plain", "日本語のタイトル", "한글 제목", "Ａ fullwidth", "e\u{301} combining", "\u{E9} composed",
    "😀 smile", "🇩🇪🇫🇷 flags", "👨‍👩‍👧 family", "👍🏽 skin", "zero\u{200B}width", "tab\there", "esc\u{1b}[31m",
    "rtl\u{202E}", "line\u{2028}", "back\\slash \"quoted\"", "\u{9B}31m csi",
  ]

  @Test func `every line is as wide as the others`() throws {
    let lines = try table(items(Self.mixed))
    #expect(lines.count == Self.mixed.count + 1)
    #expect(Set(lines.map(\.displayWidth)).count == 1, "\(lines.joined(separator: "\n"))")
  }

  @Test func `nothing in a table can drive a terminal`() throws {
    let lines = try table(items(Self.mixed))
    #expect(lines.allSatisfy { !$0.unicodeScalars.contains(where: \.isUnsafeOnTerminal) })
    for shown in [
      #"tab\there"#, #"esc\u{1b}[31m"#, #"rtl\u{202e}"#, #"line\u{2028}"#, #"\u{9b}31m"#,
    ] {
      #expect(lines.contains { $0.contains(shown) }, "\(shown)")
    }
  }

  // MARK: Cutting

  @Test(arguments: [
    ("Milk", 4, "Milk"), ("Milk", 3, "Mi…"), ("Milk", 1, "…"), ("日本語", 6, "日本語"),
    ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"), ("日本語", 1, "…"),
    ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"), ("🇩🇪🇫🇷", 3, "🇩🇪…"), ("", 1, ""),
  ])
  func `text is cut at a character`(text: String, width: Int, cut: String) {
    #expect(Array(text.cut(toWidth: width).unicodeScalars) == Array(cut.unicodeScalars))
  }

  @Test(arguments: [
    ("a\u{1b}[2Jb", 4, "a…"), ("a\u{1b}b", 8, "a\\u{1b}b"), ("a\u{1b}bc", 8, "a\\u{1b}…"),
    ("\tx", 2, "…"), ("\tx", 3, "\\tx"), ("\r\nx", 4, "…"),
  ])
  func `text is not cut inside an escape`(text: String, width: Int, cut: String) {
    #expect(text.cut(toWidth: width) == cut)
  }

  @Test func `text of a few columns and many scalars is cut too`() {
    let text = "a" + String(repeating: "\u{301}", count: 100_000) + "b"
    #expect(text.cut(toWidth: 10).utf8.count < 1_000)
  }

  @Test func `a column in a pipe is padded to 200 columns at most`() throws {
    let long = String(repeating: "x", count: 500)
    let lines = try table(items(["a", long]))
    #expect(lines[1].hasPrefix(" 1  a"))
    #expect(lines[1].utf8.count < 250)
    #expect(lines[2].contains(long))
  }

  // MARK: Ids

  static let rows = [
    Row(
      "eight digits",
      ["5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "5f2ab007-1111-4222-8333-444455556666"],
      ["5f2a91c4", "5f2ab007"]),
    Row(
      "in lower case", ["5F2A91C4-0C5E-4A47-9D0E-2F4F5B8E7A10"],
      ["5f2a91c4"]),
    Row(
      "as many as needed, for those that need them",
      [
        "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "11111111-0c5e-4a47-9d0e-2f4f5b8e7a10",
        "5f2a91c4-0c5f-4a47-9d0e-2f4f5b8e7a10",
      ], ["5f2a91c4-0c5e", "11111111", "5f2a91c4-0c5f"]),
    Row(
      "to the last digit",
      [
        "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
        "00000000-1000-0000-0000-000000000000",
      ],
      [
        "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
        "00000000-1",
      ]),
  ]

  @Test(arguments: rows)
  func `task ids are as short as unique`(_ row: Row<[String], [String]>) throws {
    let lines = try table(tasks(row.input)).dropFirst()
    #expect(lines.map { $0.split(separator: " ").first.map(String.init) ?? "" } == row.output)
  }

  @Test func `an id is told from those of records that are not shown`() throws {
    let all = try tasks([
      "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "5f2a91c4-0c5f-4a47-9d0e-2f4f5b8e7a10",
    ])
    let one = Selection(all.document, all.schema, [1])
    #expect(try table(one).last == "5f2a91c4-0c5f  n")
  }

  @Test func `thousands of ids that begin alike are told apart`() throws {
    let ids = (0..<5_000).map { i in
      let digits = String(i, radix: 16)
      return "01901234-5678-7abc-8def-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
    let lines = try table(tasks(ids))
    #expect(lines.dropFirst() == ids.map { "\($0)  n" }[...])
  }
}

@Suite(.needs("tmux"), .timeLimit(.minutes(5)))
struct TableOnTerminalTests {
  /// Text of which every terminal has the same idea.
  static let titles = ["Milk", "日本語", "한글", "e\u{301}te\u{301}", "Ａ", "🚀 go", "zero\u{200B}width"]

  @Test func `the terminal's own cursor agrees about the width of each line`() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.items("add", "-", "-n", "1", input: Self.titles.joined(separator: "\n"))
    _ = try sandbox.bash("items list -f table > table")
    let width = "ID  TITLE      NUMBER".count
    let terminal = try Terminal(sandbox, columns: 80, rows: 10)
    for line in 1...Self.titles.count + 1 {
      // Below the line, which one it is; then back to where its end left the cursor.
      try terminal.type(
        #"clear; printf '%s\e7\n\nline \#(line)\e8' "$(sed -n \#(line)p table)"; read -rs"#)
      _ = try terminal.screen {
        try $0.contains("line \(line)") && terminal.state("cursor_y") == "0"
          && terminal.state("cursor_x") == "\(width)"
      }
      try terminal.type("")
    }
  }

  @Test(arguments: [80, 40])
  func `the text column is cut to the width`(columns: Int) throws {
    let sandbox = try Sandbox()
    let long = ["x", "日本語の", "한글 ", "e\u{301}"].map { String(repeating: $0, count: 100) }
    _ = try sandbox.items("add", "-", "-n", "12345", input: long.joined(separator: "\n"))
    let terminal = try Terminal(sandbox, columns: columns, rows: 12)
    try terminal.type("clear; items list; echo END")
    let lines = try terminal.screen { $0.contains("END") }
    #expect(lines.count >= 6, "no line is wrapped")
    let rows = lines.prefix { $0 != "END" }
    #expect(rows.count == 5)
    #expect(rows.first == "ID  TITLE" + String(repeating: " ", count: columns - 15) + "NUMBER")
    for row in rows.dropFirst() {
      #expect(row.contains("… ") && row.hasSuffix(" 12345"))
      #expect(row.displayWidth == columns)
    }
  }

  @Test func `a terminal of a few columns is no trap`() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.items("add", "日本語のタイトル", "-n", "-7")
    _ = try sandbox.items("tasks", "add", "日本語")
    let terminal = try Terminal(sandbox, columns: 60, rows: 20)
    for columns in 0...12 {
      try terminal.type(
        "clear; stty cols \(columns); items list > /dev/tty; items tasks list; echo code $? at \(columns); stty cols 60"
      )
      _ = try terminal.shows("code 0 at \(columns)")
    }
  }
}
