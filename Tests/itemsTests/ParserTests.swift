import ItemStore
import TestSupport
import Testing

@testable import items

/// Words, and what they come to.
typealias ParserCase = Row<[String], String>

@Suite struct ParserTests {
  /// What the parser makes of words, in one line: the command, its operands and options, or the error
  /// and its hint.
  static func summary(of words: [String]) -> String {
    var parser = Parser(Commands.all)
    do {
      switch try parser.parse(words) {
      case .help(let words): return (["help:"] + words).joined(separator: " ")
      case .version: return "version"
      case .nothing: return "nothing"
      case .run(let command, let invocation):
        return "\(command.name)\(invocation.summary)"
      }
    } catch {
      return error.messages.joined(separator: "\n") + (error.hint.map { "\n\($0)" } ?? "")
    }
  }

  @Test(arguments: [
    ParserCase("1: attached", ["add", "-n5"], "add number=5"),
    ParserCase("1: next word", ["add", "-n", "5"], "add number=5"),
    ParserCase("1: long", ["add", "--number", "5"], "add number=5"),
    ParserCase("1: long, attached", ["add", "--number=5"], "add number=5"),
    ParserCase("1: negative, attached", ["add", "-n-5"], "add number=-5"),
    ParserCase("1: negative", ["add", "-n", "-5"], "add number=-5"),
    ParserCase("1: negative, long", ["add", "--number", "-5"], "add number=-5"),
    ParserCase(
      "1: = belongs to the value of a short option", ["update", "1", "-t=x"], "update [1] title==x"),
    ParserCase("1: a value with =", ["update", "1", "--title=a=b"], "update [1] title=a=b"),
    ParserCase(
      "1: a value like an option", ["update", "1", "-t", "--yes"], "update [1] title=--yes"),
    ParserCase("1: a value like --", ["update", "1", "-t", "--"], "update [1] title=--"),
    ParserCase("1: a value like -", ["update", "1", "-t", "-"], "update [1] title=-"),
    ParserCase("1: a value like help", ["update", "1", "-t", "-h"], "update [1] title=-h"),
    ParserCase("1: a field in descending order", ["list", "-s", "-number"], "list sort=-number"),
    ParserCase("1: attached descending", ["list", "-s-number"], "list sort=-number"),
    ParserCase("1: flags in a group", ["delete-all", "-yf", "json"], "delete-all format=json yes"),
    ParserCase(
      "1: flags and a value in a group", ["delete-all", "-yfcsv"], "delete-all format=csv yes"),
    ParserCase("1: a sign and zeros", ["add", "-n", "+007"], "add number=7"),
    ParserCase(
      "1: largest", ["add", "-n", "9223372036854775807"], "add number=9223372036854775807"),
    ParserCase(
      "1: smallest", ["add", "-n", "-9223372036854775808"], "add number=-9223372036854775808"),
    ParserCase("2: before the command", ["-f", "ids", "add", "x"], "add [x] format=ids"),
    ParserCase(
      "2: between its words", ["tasks", "-f", "ids", "add", "x"], "tasks add [x] format=ids"),
    ParserCase("2: after operands", ["update", "1", "2", "-n", "3"], "update [1, 2] number=3"),
    ParserCase("2: between operands", ["update", "1", "-n", "3", "2"], "update [1, 2] number=3"),
    ParserCase("2: file before the command", ["--file", "x", "path"], "path file=x"),
    ParserCase("2: the other word for tasks", ["task", "list"], "tasks list"),
    ParserCase("3: a negative id", ["delete", "-7"], "delete [-7]"),
    ParserCase("3: a negative title", ["add", "-5"], "add [-5]"),
    ParserCase("3: a digit and letters", ["add", "-5x"], "add [-5x]"),
    ParserCase("4: an option behind --", ["add", "--", "-n"], "add [-n]"),
    ParserCase("4: a hyphen behind --", ["add", "--", "-"], "add [-]"),
    ParserCase("4: -- behind --", ["add", "--", "--"], "add [--]"),
    ParserCase("4: help behind --", ["add", "--", "--help"], "add [--help]"),
    ParserCase("4: options before --", ["add", "-n", "1", "--", "x"], "add [x] number=1"),
    ParserCase("4: nothing behind --", ["add", "--"], "add"),
    ParserCase("4: a hyphen is stdin", ["add", "-"], "add stdin"),
    ParserCase("4: a hyphen after options", ["update", "-n", "0", "-"], "update stdin number=0"),
    ParserCase("6: the last one wins", ["add", "-n", "1", "--number=2", "-n3"], "add number=3"),
    ParserCase("6: the last file wins", ["--file", "a", "path", "--file", "b"], "path file=b"),
    ParserCase(
      "6: but all conditions hold", ["list", "-w", "id>1", "-w", "id<5"], "list where=id where=id"),
    ParserCase("7: nothing given is no error here", ["add"], "add"),
    ParserCase("7: an empty operand is one", ["add", ""], "add []"),
    ParserCase("8: nothing", [], "nothing"),
    ParserCase("8: options alone", ["-f", "json"], "nothing"),
    ParserCase("help for all", ["--help"], "help:"),
    ParserCase("help for a command", ["add", "-h"], "help: add"),
    ParserCase("help before the command", ["-h", "tasks", "add"], "help: tasks add"),
    ParserCase("help for a part of a command", ["tasks", "-h"], "help: tasks"),
    ParserCase("help in a group", ["delete-all", "-yh"], "help: delete-all"),
    ParserCase(
      "help beside all kinds of errors",
      [
        "add", "--bogus", "x", "y", "-n", "z", "-q", "--help", "--number",
      ], "help: add"),
    ParserCase("help beside an unknown command", ["nope", "-h"], "help:"),
    ParserCase("help and version", ["--version", "--help"], "help:"),
    ParserCase(
      "help is a value behind an option that takes one", ["update", "-t", "--help", "1"],
      "update [1] title=--help"),
    ParserCase("version", ["--version"], "version"),
    ParserCase("version with a command and errors", ["add", "--bogus", "--version"], "version"),
    ParserCase("help as a command", ["help", "tasks", "add"], "help [tasks, add]"),
  ])
  func `words come to`(_ row: ParserCase) {
    #expect(Self.summary(of: row.input) == row.output)
  }

  private static let helpForAll = "Run 'items --help' for what there is"
  private static let helpForList = "Run 'items list --help' for what it takes"

  @Test(arguments: [
    ParserCase("1: no value", ["add", "-n"], "option '-n' needs a value: -n NUMBER"),
    ParserCase("1: no value, long", ["--file"], "option '--file' needs a value: --file PATH"),
    ParserCase(
      "1: a value for a flag", ["delete-all", "--yes=1"], "option '--yes' takes no value"),
    ParserCase(
      "1: no number", ["add", "-n", "5x"],
      "the number must be a whole number of 64 bits, not '5x'"),
    ParserCase(
      "1: no whole number", ["add", "-n1.5"],
      "the number must be a whole number of 64 bits, not '1.5'"),
    ParserCase(
      "1: a number of JSON", ["add", "-n", "1e2"],
      "the number must be a whole number of 64 bits, not '1e2'"),
    ParserCase(
      "1: a number of JSON that is whole", ["add", "-n", "2.0"],
      "the number must be a whole number of 64 bits, not '2.0'"),
    ParserCase(
      "1: digits of another script", ["add", "-n", "٣"],
      "the number must be a whole number of 64 bits, not '٣'"),
    ParserCase(
      "1: too large", ["add", "-n", "99999999999999999999"],
      "the number must be a whole number of 64 bits, not '99999999999999999999'"),
    ParserCase(
      "1: an empty number", ["add", "--number="],
      "the number must be a whole number of 64 bits, not ''"),
    ParserCase("1: an empty path", ["path", "--file="], "option '--file' needs a path"),
    ParserCase(
      "1: no field", ["list", "-s", "-"], "option '--sort' needs the name of a field, not '-'"),
    ParserCase(
      "1: no name of a field", ["list", "-s=x"],
      "option '--sort' needs the name of a field, not '=x'"),
    ParserCase(
      "1: no condition", ["list", "-w", "number"],
      "a condition is FIELD OP VALUE, not 'number'\nFor instance: --where 'number>=12'"),
    ParserCase(
      "1: no field in a condition", ["list", "-w", "=3"],
      "a condition is FIELD OP VALUE, not '=3'\nFor instance: --where 'number>=12'"),
    ParserCase(
      "1: no format", ["list", "-f", "xml"],
      "unknown format 'xml'\nOne of: table, tsv, csv, json, jsonl, ids"),
    ParserCase(
      "1: a slip in a format", ["list", "-f", "jsno"],
      "unknown format 'jsno'. Did you mean 'json'?\nOne of: table, tsv, csv, json, jsonl, ids"),
    ParserCase(
      "1: no input", ["add", "-", "-i", "xml"],
      "unknown input 'xml'\nOne of: auto, text, tsv, csv, json"),
    ParserCase(
      "2: no abbreviated command", ["del", "1"],
      "unknown command 'del'. Did you mean 'delete'?\nTry: items delete 1"),
    ParserCase(
      "2: no abbreviated command of tasks", ["tasks", "upd"],
      "unknown command 'tasks upd'. Did you mean 'tasks update'?\n\(helpForAll)"),
    ParserCase(
      "2: no abbreviated option", ["add", "--num", "5"],
      "unknown option '--num'. Did you mean '--number'?\nTry: items add --number 5"),
    ParserCase(
      "2: no long option with one hyphen", ["add", "-number", "5"],
      "unknown option '-number'. Did you mean '--number'?\nTry: items add --number 5"),
    ParserCase("3: no command is negative", ["-5"], "unknown command '-5'\n\(helpForAll)"),
    ParserCase(
      "4: stdin for a command that reads none", ["path", "-"],
      "unexpected argument '-'\nRun 'items path --help' for what it takes"),
    ParserCase(
      "4: a title beside stdin", ["add", "-", "Milk"],
      "unexpected argument 'Milk'\nFor a text that begins with '-': items add -- '- Milk'"),
    ParserCase(
      "5: surplus words", ["add", "Buy", "milk"],
      "unexpected argument 'milk'. Quote text that has spaces: items add 'Buy milk'"),
    ParserCase(
      "5: surplus words with an apostrophe", ["add", "Ann's", "milk"],
      #"unexpected argument 'milk'. Quote text that has spaces: items add 'Ann'\''s milk'"#),
    ParserCase(
      "5: surplus words that begin like an option", ["add", "--", "-x", "milk"],
      "unexpected argument 'milk'. Quote text that has spaces: items add -- '-x milk'"),
    ParserCase(
      "5: surplus words of a note", ["tasks", "add", "Call", "the", "bank"],
      "unexpected argument 'the'. Quote text that has spaces: items tasks add 'Call the bank'"),
    ParserCase(
      "5: surplus words of a new note", ["tasks", "update", "5f2a", "Call", "Ann"],
      "unexpected argument 'Ann'. Quote text that has spaces: items tasks update 5f2a 'Call Ann'"),
    ParserCase(
      "5: an operand for a command without", ["undo", "3"],
      "unexpected argument '3'\nRun 'items undo --help' for what it takes"),
    ParserCase(
      "6: an option of another command", ["list", "-n", "3"],
      "'list' has no option '-n'\nTry: items list | head -n 3"),
    ParserCase(
      "6: an option of another command, before it", ["--yes", "list"],
      "'list' has no option '--yes'\n\(helpForList)"),
    ParserCase(
      "6: an option of items only", ["tasks", "add", "x", "-n", "1"],
      "'tasks add' has no option '-n'\nRun 'items tasks add --help' for what it takes"),
    ParserCase(
      "6: an option where the operand says it", ["add", "--title", "Milk"],
      "'add' has no option '--title'\nThe title is an operand: items add 'Milk'"),
    ParserCase("7: an empty title", ["update", "1", "-t", ""], "the title must not be empty"),
    ParserCase("7: a blank title", ["update", "1", "-t", " \t\n"], "the title must not be empty"),
    ParserCase(
      "8: a part of a command", ["tasks"],
      "'tasks' needs a command: add, update, edit, delete, delete-all, list"),
    ParserCase("unknown command", ["frobnicate"], "unknown command 'frobnicate'\n\(helpForAll)"),
    ParserCase(
      "unknown command, two letters swapped", ["udpate"],
      "unknown command 'udpate'. Did you mean 'update'?\n\(helpForAll)"),
    ParserCase(
      "unknown command, in capitals", ["LIST"],
      "unknown command 'LIST'. Did you mean 'list'?\n\(helpForAll)"),
    ParserCase(
      "unknown command of another tool", ["ls"],
      "unknown command 'ls'. Did you mean 'list'?\n\(helpForAll)"),
    ParserCase(
      "unknown command of another tool, for tasks", ["tasks", "rm", "5f2a"],
      "unknown command 'tasks rm'. Did you mean 'tasks delete'?\nTry: items tasks delete 5f2a"),
    ParserCase(
      "a command that tasks have not", ["tasks", "undo"],
      "unknown command 'tasks undo'. Did you mean 'undo'?\n\(helpForAll)"),
    ParserCase(
      "unknown command before a known one", ["nope", "list"],
      "unknown command 'nope'\n\(helpForAll)"),
    ParserCase(
      "unknown command with options of others", ["udpate", "1", "-n", "x", "--json"],
      "unknown command 'udpate'. Did you mean 'update'?\n\(helpForAll)"),
    ParserCase(
      "unknown option", ["list", "--frobnicate"],
      "unknown option '--frobnicate'\n\(helpForList)"),
    ParserCase(
      "unknown option with a slip", ["list", "--fromat", "json"],
      "unknown option '--fromat'. Did you mean '--format'?\nTry: items list --format json"),
    ParserCase(
      "unknown option with a value attached", ["list", "--fromat=json"],
      "unknown option '--fromat'. Did you mean '--format'?\nTry: items list --format json"),
    ParserCase(
      "a format for an option", ["list", "--json"],
      "unknown option '--json'. Did you mean '--format json'?\nTry: items list --format json"),
    ParserCase(
      "a format for an option with one hyphen", ["list", "-json"],
      "unknown option '-json'. Did you mean '--format json'?\nTry: items list --format json"),
    ParserCase(
      "a format where there is none", ["path", "--json"],
      "unknown option '--json'\nRun 'items path --help' for what it takes"),
    ParserCase(
      "unknown option of another tool", ["list", "--filter", "x"],
      "unknown option '--filter'. Did you mean '--where'?\n\(helpForList)"),
    ParserCase(
      "unknown option before the command", ["--bogus", "list"],
      "unknown option '--bogus'\n\(helpForAll)"),
    ParserCase(
      "unknown option without a name", ["list", "--=x"],
      "unknown option '--=x'\n\(helpForList)"),
    ParserCase("unknown letter", ["list", "-q"], "unknown option '-q'\n\(helpForList)"),
    ParserCase(
      "unknown letter in a group", ["delete-all", "-yq"],
      "unknown option '-q'\nRun 'items delete-all --help' for what it takes"),
    ParserCase(
      "unknown letter that is no ASCII", ["list", "-é"],
      "unknown option '-é'\n\(helpForList)"),
  ])
  func `words are refused with`(_ row: ParserCase) {
    #expect(Self.summary(of: row.input) == row.output)
  }

  @Test func `every option is refused where a command has it not`() {
    for command in Commands.all {
      for option in Option.all
      where !command.allOptions.contains(where: { $0.long == option.long }) {
        let words = command.words + [option.longName] + (option.value == nil ? [] : ["id=1"])
        let summary = Self.summary(of: words)
        #expect(summary.hasPrefix("'\(command.name)' has no option '\(option.longName)'\n"))
      }
    }
  }

  @Test(arguments: [
    (["delete", "99"], 1, "items: no item with id 99\n"),
    (["udpate"], 2, "items: unknown command 'udpate'. Did you mean 'update'?\n"),
    (["list", "--json"], 2, "items: unknown option '--json'. Did you mean '--format json'?\n"),
    (
      ["add", "Buy", "milk"], 2,
      "items: unexpected argument 'milk'. Quote text that has spaces: items add 'Buy milk'\n"
    ),
    (["add", ""], 2, "items: the title must not be empty\n"),
    (["tasks", "add", " "], 2, "items: the note must not be empty\n"),
    (["tasks", "add"], 2, "items: missing note"),
    (["list", "-w", "titel=x"], 2, "items: unknown field 'titel'. Did you mean 'title'?\n"),
    (["list", "-s", "nubmer"], 2, "items: unknown field 'nubmer'. Did you mean 'number'?\n"),
    (["add", "a\u{1b}[31m", "b"], 2, "'a\\u{1b}[31m b'"),
    (["delete"], 2, "delete-all"),
    (["delete", "x"], 2, "items: the id must be a whole number of 64 bits, not 'x'\n"),
    (["tasks", "delete", "5f2"], 2, "items: task id '5f2' is too short"),
    (["delete-all"], 2, "items: delete-all needs --yes when it is not run from a terminal\n"),
    (["add", "x", "-i", "csv"], 2, "only '-' does\n"),
    (["delete", "-w", "id=1", "2"], 2, "items: ids and --where cannot be used together\n"),
  ])
  func `a wrong request says so and changes nothing`(
    _ words: [String], _ code: Int, _ message: String
  ) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.run(Sandbox.items.path, words)
    expect(outcome, exits: Int32(code), prints: "", says: message)
    let lines = outcome.error.split(separator: "\n")
    #expect(lines.count <= 2)
    #expect(lines[0].dropFirst("items: ".count).first?.isUppercase == false)
    #expect(lines[0].last != ".")
    #expect(try sandbox.content == Sandbox.seed)
    #expect(try sandbox.names == ["items.json"])
  }

  @Test func `a word that is not UTF-8 is refused`() throws {
    let outcome = try Sandbox().bash(#"items add $'caf\xe9'"#)
    expect(outcome, exits: 2, prints: "", says: "items: argument 2 is not valid UTF-8\n")
  }

  @Test func `the version is printed with a name before it`() throws {
    expect(try Sandbox().items("list", "--version"), prints: "items \(Help.version)\n")
  }
}

extension Invocation {
  fileprivate var summary: String {
    var text = ""
    if !operands.isEmpty { text += " [\(operands.joined(separator: ", "))]" }
    if readsStdin { text += " stdin" }
    if let format { text += " format=\(format)" }
    if let inputFormat { text += " input=\(inputFormat)" }
    if let number { text += " number=\(number)" }
    if let title { text += " title=\(title)" }
    for condition in conditions { text += " where=\(condition.field)" }
    if let sortKey { text += " sort=\(sortKey.isDescending ? "-" : "")\(sortKey.field)" }
    if isConfirmed { text += " yes" }
    if isWatching { text += " watch" }
    if let file { text += " file=\(file)" }
    return text
  }
}
