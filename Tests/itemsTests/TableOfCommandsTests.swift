import ItemStore
import Testing

@testable import items

@Suite struct TableOfCommandsTests {
  @Test func `no two commands have the same name, and none begins another`() {
    let names = Commands.all.map(\.words)
    #expect(Set(names).count == names.count)
    for words in names {
      #expect(!names.contains { $0 != words && $0.starts(with: words) }, "\(words)")
    }
  }

  @Test func `no two options have the same name`() {
    let names = Option.all.flatMap { [$0.longName] + ($0.short.map { ["-\($0)"] } ?? []) }
    #expect(Set(names).count == names.count)
  }

  @Test func `other words for commands lead to one and are none themselves`() {
    for (alias, word) in Commands.aliases {
      #expect(Commands.all.contains { $0.words[0] == word })
      #expect(!Commands.all.contains { $0.words[0] == alias })
    }
  }

  @Test(arguments: CommandRow.all)
  func `a row is complete`(_ row: CommandRow) {
    let command = row.command
    #expect(!command.words.isEmpty && command.words.allSatisfy { !$0.isEmpty })
    #expect(!command.forms.isEmpty)
    #expect(command.summary.first?.isLowercase == true)
    #expect(command.summary.last != ".")
    #expect(command.details.allSatisfy { $0.hasSuffix(".") && $0.first?.isUppercase == true })
    for option in command.allOptions {
      #expect(Option.all.contains { $0.long == option.long }, "\(option.long)")
    }
    #expect(Set(command.allOptions.map(\.long)).count == command.allOptions.count)
  }

  @Test(arguments: CommandRow.all)
  func `options that a form shows are those of the row`(_ row: CommandRow) {
    for form in row.command.forms {
      for word in form.split(whereSeparator: { " []|.".contains($0) }) where word.hasPrefix("-") {
        if word == "-" { continue }
        let isKnown = row.command.allOptions.contains {
          word == $0.longName || word == "-\($0.short ?? "-")"
        }
        #expect(isKnown, "\(word) in \(form)")
      }
    }
  }

  @Test func `every option is used by a command and documented`() {
    for option in Option.all {
      #expect(Commands.all.contains { $0.allOptions.contains { $0.long == option.long } })
      #expect(!option.summary.isEmpty)
      #expect(option.long.count > 1)
      if let value = option.value { #expect(value == value.uppercased()) }
    }
  }

  @Test func `every value that is offered for an option is taken`() throws {
    for option in Option.all {
      guard case .oneOf(let words) = option.values else { continue }
      var invocation = Invocation()
      for word in words { try option.set(&invocation, word) }
    }
  }

  @Test(arguments: Array(Suggestion.commandSynonyms.keys))
  func `a word of another tool leads to a command`(_ word: String) throws {
    #expect(!Commands.all.contains { $0.words[0] == word })
    let suggestion = try #require(Suggestion.commandSynonyms[word])
    // What may follow is not the tool's.
    let meant = (suggestion.hasSuffix(" -w") ? suggestion + " id=1" : suggestion)
      .split(separator: "|")[0].split(separator: " ").map(String.init)
    var parser = Parser(Commands.all)
    let result = try parser.parse(meant.count == 1 ? meant + ["-h"] : meant)
    switch result {
    case .help(let words): #expect(words == meant || meant[0].hasPrefix("--"))
    case .run(let command, _): #expect(command.words == [meant[0]])
    case .version, .nothing: Issue.record("\(meant)")
    }
    let error = #expect(throws: UsageError.self) {
      var parser = Parser(Commands.all)
      _ = try parser.parse([word])
    }
    #expect(
      error?.messages
        == ["unknown command '\(word)'. Did you mean '\(suggestion)'?"])
  }

  @Test(arguments: Array(Suggestion.optionSynonyms.keys))
  func `an option of another tool leads to one`(_ word: String) throws {
    #expect(!Option.all.contains { $0.long == word || $0.short.map(String.init) == word })
    let meant = try #require(Suggestion.optionSynonyms[word])
    let option = try #require(Option.all.first { $0.longName == meant })
    // Where a command has it, it is suggested there.
    let command = try #require(
      Commands.all.first { $0.allOptions.contains { $0.long == option.long } })
    let error = #expect(throws: UsageError.self) {
      var parser = Parser(Commands.all)
      _ = try parser.parse(command.words + [word.count == 1 ? "-\(word)" : "--\(word)"])
    }
    #expect(error?.messages.first?.hasSuffix(". Did you mean '\(meant)'?") == true)
  }
}
