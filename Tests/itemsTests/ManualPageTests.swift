import Foundation
import ItemStore
import TestSupport
import Testing

@testable import items

@Suite struct ManualPageTests {
  @Test(.needs("mandoc"))
  func `mandoc finds nothing to say about the page`() throws {
    expect(try Sandbox().bash("items man > items.1; mandoc -Tlint -Wall items.1"), prints: "")
  }

  @Test(
    .needs("mandoc"),
    arguments: [60, 78, 100])
  func `mandoc fills lines of any width`(_ width: Int) throws {
    let outcome = try Sandbox().bash(
      "items man | mandoc -Tascii -Owidth=\(width) | col -b | expand")
    expect(outcome)
    // Examples and synopses are not broken, and fit 78 columns.
    for line in outcome.output.split(separator: "\n") { #expect(line.count <= max(width, 78)) }
  }

  @Test(.needs("man"))
  func `groff warns of nothing`() throws {
    let outcome = try Sandbox().bash(
      "items man | MANWIDTH=80 man --warnings -l - > page", environment: ["MAN_KEEP_FORMATTING": ""]
    )
    expect(outcome, prints: "")
  }

  @Test func `every command, form and option of the table is on the page`() throws {
    let page = Self.plain(ManualPage.text)
    for command in Commands.all {
      #expect(page.contains("Cm \(command.name)"))
      for detail in command.details {
        for word in detail.split(separator: " ") { #expect(page.contains(word)) }
      }
    }
    for option in Option.all {
      #expect(page.contains("Fl -\(option.long)"), "\(option.long)")
      if let short = option.short { #expect(page.contains("Fl \(short)"), "\(option.long)") }
    }
  }

  @Test(arguments: [
    "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "STANDARD INPUT", "OUTPUT",
    "DATA FILE", "GUARANTEES", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO",
    "BUGS",
  ])
  func `the page has the section`(_ name: String) {
    #expect(ManualPage.text.contains("\n.Sh \(name)\n"))
  }

  @Test func `the page names what the code has`() {
    let page = Self.plain(ManualPage.text)
    for format in Format.allCases { #expect(page.contains(".It Cm \(format.rawValue)\n")) }
    for format in InputFormat.allCases { #expect(page.contains(".It Cm \(format.rawValue)\n")) }
    for code in 0...4 { #expect(page.contains(".It \(code)\n")) }
    let words = page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for limit in [
      "\(JSONScanner.depthLimit) levels", "up to \(FaultList.limit) faults",
      "characters of one, \(RecordReference.shortestPrefix) or more",
    ] {
      #expect(words.contains(limit), "\(limit)")
    }
  }

  @Test func `the data file that is shown is one`() throws {
    let page = Self.plain(ManualPage.text)
    let start = try #require(page.range(of: ".Sh DATA FILE\n.Bd -literal\n"))
    let end = try #require(page[start.upperBound...].range(of: ".Ed"))
    let sandbox = try Sandbox(String(page[start.upperBound..<end.lowerBound]))
    expect(try sandbox.items("list"), prints: "1\tFirst Title\t42\n2\tBuy milk\t7\n")
    expect(
      try sandbox.items("tasks", "list", "-f", "csv"),
      prints: """
        taskid,tasknote
        5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10,Call the bank

        """)
  }

  @Test(
    .needs("jq"),
    arguments: examples)
  func `the example works`(_ commands: String) throws {
    let sandbox = try Sandbox(
      #"""
      {"items": [{"id": 1, "title": "Oat milk", "number": 12}],
       "tasks": [{"taskid": "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "tasknote": "Call the bank"}]}
      """#)
    let outcome = try sandbox.bash(
      "items add Milk > id; printf -- '- [ ] Pay rent\\n- [x] Sleep\\n' > notes.md; \(commands)")
    expect(outcome)
    #expect(try sandbox.content.contains("Oat milk") || commands.contains("update 1"))
  }

  /// The commands of each example.
  private static let examples = plain(ManualPage.text).split(separator: "\n.Sh EXAMPLES\n")[1]
    .split(separator: ".Bd -literal -offset indent\n").dropFirst()
    .map { String($0.prefix(upTo: $0.range(of: ".Ed\n")?.lowerBound ?? $0.endIndex)) }

  @Test func `there are examples`() { #expect(Self.examples.count > 9) }

  @Test(
    .needs("mandoc"),
    arguments: CommandRow.all.filter { !$0.command.recipes.isEmpty })
  func `a line of a recipe is printed as it has to be typed`(_ row: CommandRow) throws {
    let outcome = try Sandbox().bash("items man | mandoc -Tutf8 -Owidth=78 | col -b")
    let lines = outcome.output.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }
    for recipe in row.command.recipes {
      for command in recipe.commands.split(separator: "\n") {
        #expect(lines.contains(command), "\(command)")
      }
    }
  }

  /// The page as it reads once roff has taken the escapes for what they stand for.
  private static func plain(_ page: String) -> String {
    [
      ("\\e", "\\"), ("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(ti", "~"), ("\\(ha", "^"),
      ("\\(dq", "\""),
    ]
    .reduce(page) { $0.replacing($1.0, with: $1.1) }
  }
}
