import TestSupport
import Testing

@testable import items

/// A row of the command table, as an argument of a test.
struct CommandRow: CustomTestStringConvertible, Sendable {
  let command: Command

  var testDescription: String { command.name }

  static let all = Commands.all.map(CommandRow.init)
}

@Suite struct HelpTests {
  /// All that help may be asked of: nothing, commands, and what they begin with.
  static let topics = [[]] + Commands.all.map(\.words) + [["tasks"]]

  @Test(arguments: topics)
  func `help fits a terminal`(_ words: [String]) {
    let lines = Help.text(for: words).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 45 + 1)
    for line in lines {
      #expect(line.count <= 80)
      #expect(line.last != " ")
    }
  }

  @Test(arguments: topics)
  func `help is the same however it is asked for`(_ words: [String]) throws {
    let sandbox = try Sandbox()
    let text = Help.text(for: words)
    let run = { (words: [String]) in try sandbox.run(Sandbox.items.path, words) }
    expect(try run(["help"] + words), prints: text)
    // Help for help itself is what `items help --help` prints.
    expect(try run(words + ["--help"]), prints: text)
    expect(try run(["-h"] + words), prints: text)
  }

  @Test func `the overview has groups, all commands and three examples`() throws {
    let text = Help.text(for: [])
    for group in Command.Group.allCases { #expect(text.contains("\n\(group.rawValue):\n")) }
    for command in Commands.all {
      let line = text.split(separator: "\n").first { $0.hasPrefix("  \(command.name) ") }
      #expect(line?.hasSuffix("  \(command.summary)") == true, "\(command.name)")
    }
    for option in Option.everywhere { #expect(text.contains(option.spelling)) }
    let examples = text.split(separator: "\n").drop { $0 != "Examples:" }.dropFirst()
    #expect(examples.prefix { $0.hasPrefix("  items ") }.count == 3)
  }

  @Test(.needs("jq"))
  func `the examples of the overview work`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let examples = Help.text(for: []).split(separator: "\n").drop { $0 != "Examples:" }
      .filter { $0.hasPrefix("  items ") }
    expect(try sandbox.bash(examples.joined(separator: "\n")))
    #expect(try sandbox.content.contains(#""title": "Buy milk", "number": 3}"#))
  }

  @Test(arguments: CommandRow.all)
  func `help for a command has its forms and each of its options`(_ row: CommandRow) {
    let text = Help.text(for: row.command.words)
    let lines = text.split(separator: "\n")
    #expect(lines.first == "items \(row.command.name) - \(row.command.summary)")
    for form in row.command.forms {
      let space = form.isEmpty ? "" : " "
      #expect(lines.contains { $0 == "  items \(row.command.name)\(space)\(form)" }, "\(form)")
    }
    for option in row.command.allOptions {
      let line = lines.first { $0.hasPrefix("  \(option.spelling)  ") }
      #expect(line?.hasSuffix("  \(option.summary)") == true, "\(option.long)")
    }
    let shown = lines.drop { $0 != "Options:" }.dropFirst()
    #expect(shown.count == row.command.allOptions.count)
  }

  @Test func `help for what several commands begin with lists them`() {
    let text = Help.text(for: ["tasks"])
    for command in Commands.all {
      #expect(text.contains("\n  \(command.name) ") == (command.words[0] == "tasks"))
    }
  }

  @Test func `help takes the other word for tasks`() throws {
    let sandbox = try Sandbox()
    expect(try sandbox.items("help", "task", "add"), prints: Help.text(for: ["tasks", "add"]))
    expect(try sandbox.items("task", "-h"), prints: Help.text(for: ["tasks"]))
  }

  @Test(arguments: [
    (["help", "nope"], "unknown command 'nope'\n"),
    (["help", "udpate"], "unknown command 'udpate'. Did you mean 'update'?"),
    (["help", "tasks", "udpate"], "unknown command 'tasks udpate'. Did you mean 'tasks update'?"),
    (["help", "rm"], "unknown command 'rm'. Did you mean 'delete'?"),
    (["help", "add", "milk"], "unknown command 'add milk'\n"),
  ])
  func `help for no command is an error`(_ words: [String], _ message: String) throws {
    let outcome = try Sandbox().run(Sandbox.items.path, words)
    expect(outcome, exits: 2, prints: "", says: message)
  }

  @Test func `no command gets short help on stderr`() throws {
    let outcome = try Sandbox().items()
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.error.hasPrefix("Usage: items COMMAND"))
    #expect(outcome.error.split(separator: "\n").allSatisfy { $0.count <= 80 })
    for command in Commands.all { #expect(outcome.error.contains(command.words[0])) }
  }

  @Test func `text is wrapped between words, with all but the first line indented`() {
    let words = Array(repeating: "word", count: 40).joined(separator: " ")
    let lines = Help.wrapped(words, indent: 10).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].hasPrefix("          word"))
    #expect(lines[0].count + 10 <= 80 && lines[1].count <= 80)
    #expect(lines.joined(separator: " ").split(separator: " ").count == 40)
  }
}
