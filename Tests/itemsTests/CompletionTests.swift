import Foundation
import TestSupport
import Testing

@testable import items

/// A shell that may be installed here.
enum ShellProgram: String, CaseIterable, CustomTestStringConvertible {
  case bash, zsh, fish

  var testDescription: String { rawValue }

  var isInstalled: Bool { Sandbox.expects(rawValue) }
}

/// A line up to the cursor, and what has to be offered there, by names alone.
struct CompletionCase: CustomTestStringConvertible, Sendable {
  let name: String
  let line: String
  let offers: [String]
  var file = Sandbox.seed

  var testDescription: String { "\(name): items \(line)" }

  init(_ name: String, _ line: String, _ offers: [String], file: String = Sandbox.seed) {
    (self.name, self.line, self.offers, self.file) = (name, line, offers, file)
  }
}

private let commands = [
  "add", "update", "edit", "delete", "delete-all", "list", "tasks", "undo", "redo", "path",
  "completions",
  "man",
  "help",
]

/// Titles that a shell could take for something else.
private let hostile = #"""
  {"items": [
    {"id": 1, "title": "$(touch hacked) `touch hacked` ; touch hacked", "number": 1},
    {"id": 2, "title": "it's \"quoted\": a\\b\ttab\nline \u001b[31m %F{red}", "number": 2}
  ]}
  """#

private let ownFields = #"""
  {"items": [{"id": 1, "title": "a", "number": 1, "shelf": "top"},
             {"id": 2, "title": "b", "number": 1, "shelf": "low", "due": 1}]}
  """#

private let titleConditions = ["=", "!=", "<", "<=", ">", ">=", "~", "!~"].map { "title" + $0 }

/// What the shells agree on.
private let cases = [
  CompletionCase("commands", "", commands),
  CompletionCase("commands that begin so", "de", ["delete", "delete-all"]),
  CompletionCase(
    "commands of tasks", "tasks ", ["add", "update", "edit", "delete", "delete-all", "list"]),
  CompletionCase("commands behind the other word for tasks", "task l", ["list"]),
  CompletionCase("commands behind options", "--file x.json -f json li", ["list"]),
  CompletionCase("commands after help", "help de", ["delete", "delete-all"]),
  CompletionCase("commands of tasks after help", "help tasks u", ["update"]),
  CompletionCase("nothing behind a word that is no command", "nope ", []),
  CompletionCase(
    "long options", "list --",
    [
      "--format", "--input", "--where", "--sort", "--columns", "--watch", "--file", "--help",
      "--version",
    ]),
  CompletionCase("options of one command only", "add --n", ["--number"]),
  CompletionCase("no option of another command", "delete --n", []),
  CompletionCase("options of tasks", "tasks delete-all --y", ["--yes"]),
  CompletionCase("options of every command", "help --fi", ["--file"]),
  CompletionCase("no options after --", "delete -- --f", []),
  CompletionCase("formats", "list -f ", ["table", "tsv", "csv", "json", "jsonl", "ids"]),
  CompletionCase("formats that begin so", "undo --format js", ["json", "jsonl"]),
  CompletionCase("formats behind a group of flags", "delete-all -yf t", ["table", "tsv"]),
  CompletionCase("formats before the command", "-f c", ["csv"]),
  CompletionCase("inputs", "add - -i ", ["auto", "text", "tsv", "csv", "json"]),
  CompletionCase("fields to sort by", "list -s n", ["number"]),
  CompletionCase(
    "fields to sort by, both ways", "list --sort ",
    ["id", "title", "number", "-id", "-title", "-number"]),
  CompletionCase(
    "fields of one's own", "update 1 --unset ", ["shelf", "due"], file: ownFields),
  CompletionCase("one's own to sort by", "list -s sh", ["shelf"], file: ownFields),
  CompletionCase("columns", "list -c ", ["id", "title", "number"]),
  CompletionCase("more columns", "list --columns id,", ["id,title", "id,number"]),
  CompletionCase("a column that begins so", "tasks list -c tasknote,t", ["tasknote,taskid"]),
  CompletionCase("fields to set", "add x --set t", ["title="]),
  CompletionCase("nothing for the value of a field", "update 1 --set title=", []),
  CompletionCase("nothing for a field to take out", "update 1 --unset ", []),
  CompletionCase("fields to sort tasks by", "tasks list --sort taskn", ["tasknote"]),
  CompletionCase("values in the word of their option", "undo -fjs", ["-fjson", "-fjsonl"]),
  CompletionCase("values after flags in one word", "delete-all -yft", ["-yftable", "-yftsv"]),
  CompletionCase("fields for a condition", "tasks delete -w ", ["taskid", "tasknote"]),
  CompletionCase("the one field that begins so, with operators", "list -w titl", titleConditions),
  CompletionCase("operators after a field", "list -w title", titleConditions),
  CompletionCase("nothing but a value after a field and an operator", "delete -w number=", []),
  CompletionCase("nothing but a value after a longer operator", "delete -w 'number>=", []),
  CompletionCase("no ids after a condition that is not finished", "delete -w number ", []),
  CompletionCase("no ids beside a condition", "update -w number=3 ", []),
  CompletionCase("ids beside a condition of a list", "list -w number=3 1", ["1"]),
  CompletionCase("no ids beside stdin", "delete - ", []),
  CompletionCase("the note of tasks that a condition selects", "tasks update -w tasknote=x ", []),
  CompletionCase("nothing for a title with a colon", "update 1 -t size:", []),
  CompletionCase("nothing after all operands", "undo ", []),
  CompletionCase("no hidden command", "__", []),
  CompletionCase("commands with a flag that is not known", "--bogus und", ["undo"]),
  CompletionCase("nothing for a number", "add -n ", []),
  CompletionCase("nothing for a title", "add ", []),
  CompletionCase("nothing for a note", "tasks update 5f2a91c4 ", []),
  CompletionCase("shells", "completions ", ["bash", "zsh", "fish"]),
  CompletionCase("one shell only", "completions zsh ", []),
  CompletionCase("ids", "delete ", ["1", "2", "3"]),
  CompletionCase("ids that begin so", "update 2", ["2"]),
  CompletionCase("ids but for those on the line", "list 2 ", ["1", "3"]),
  CompletionCase("ids with the value of an option among them", "update 2 -n 1 ", ["1", "3"]),
  CompletionCase("ids after --", "delete -- ", ["1", "2", "3"]),
  CompletionCase(
    "negative ids", "delete -1", ["-1", "-12"],
    file: #"""
      {"items": [{"id": -1, "title": "a", "number": 1}, {"id": -12, "title": "b", "number": 1},
        {"id": 3, "title": "c", "number": 1}]}
      """#),
  CompletionCase("prefixes of tasks", "tasks delete ", ["5f2a91c4", "5f2ab007"]),
  CompletionCase("prefixes of tasks that begin so", "tasks list 5f2ab", ["5f2ab007"]),
  CompletionCase("a task that is on the line in another form", "tasks delete 5f2a9 ", ["5f2ab007"]),
  CompletionCase("prefixes for the one task to update", "tasks update 5f2a9", ["5f2a91c4"]),
  CompletionCase(
    "the rest of an id that is typed further than its prefix", "tasks delete 5f2a91c4-0",
    ["5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10"]),
  CompletionCase("nothing for what is no id", "tasks delete 5x", []),
  CompletionCase(
    "whole ids of tasks whose prefixes are the same", "tasks delete ",
    ["5f2a91c4-0", "5f2a91c4-1"],
    file: Sandbox.seed.replacing("5f2ab007", with: "5f2a91c4")),
  CompletionCase(
    "no more ids than anyone can read", "delete ", (1...200).map(String.init),
    file: manyItems),
  CompletionCase(
    "those of many ids that begin so", "delete 123", ["123"] + (1230...1239).map(String.init),
    file: manyItems),
  CompletionCase("nothing from a broken file", "delete ", [], file: "{\"items\": ["),
  CompletionCase("titles that look like code", "delete ", ["1", "2"], file: hostile),
  CompletionCase("ids of the file on the line", "--file 'other file.json' delete ", ["77"]),
  CompletionCase("ids of the file on the line, attached", "list --file=other\\ file.json ", ["77"]),
  CompletionCase(
    "ids of the last file on the line", "--file x --file 'other file.json' delete ", ["77"]),
]

private let manyItems =
  "{\"items\": ["
  + (1...2000).map { "{\"id\": \($0), \"title\": \"t\", \"number\": 0}" }.joined(separator: ",")
  + "]}"

extension ShellProgram {
  /// What the shell offers for a line, each with what is said of it, where the shell shows that.
  func offers(for line: String, in sandbox: Sandbox) throws -> [(word: String, text: String)] {
    let words: String
    var environment = ["LINE": line]
    switch self {
    case .bash: words = Self.askBash
    case .fish: words = "fish --no-config -c 'source ./script; complete -C \"items $LINE\"'"
    case .zsh:
      words = Self.askZsh
      environment["LOAD"] =
        "autoload -Uz compinit && compinit -C -u -d '\(Self.zshDump)' && source ./script"
    }
    let outcome = try sandbox.bash(
      "items completions \(rawValue) > script; \(words)", environment: environment)
    expect(outcome)
    return outcome.output.split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// Calls the function as readline does; `|` is the cursor if it is not at the end.
  private static let askBash = #"""
    source ./script
    before=${LINE%%|*}
    COMP_LINE="items ${LINE/|/}"
    COMP_POINT=$((6 + ${#before}))
    # Readline breaks words at these too.
    part=${before##*[ =:<>]}
    _items items "${part#\'}" ''
    for word in "${COMPREPLY[@]}"; do printf '%s\n' "$word"; done
    """#

  /// A real zsh on a terminal of its own, whose line editor lists what it would complete; `compadd`
  /// notes what it is given and matches. LOAD is how the script gets there.
  static let askZsh = #"""
    cat > .zshrc <<'END'
    eval $LOAD
    zstyle ':completion:*' verbose yes
    # No question whether so many are wanted.
    LISTMAX=1000
    function compadd {
      # Calls that only ask what would match are not for the list.
      [[ " ${@[1,(i)(-|--)]} " == *\ -[OAD]\ * ]] && { builtin compadd "$@"; return }
      local -a hits texts
      integer i=${@[(I)-d]}
      (( i )) && texts=("${(@P)@[i+1]}")
      builtin compadd -A hits -D texts "$@"
      for ((i = 1; i <= $#hits; i++)); do
        # The word itself stands before what is said of it.
        print -r -- "${hits[i]}"$'\t'"${texts[i]#*-- }" >> found
      done
      builtin compadd "$@"
    }
    function zle-line-init {
      BUFFER="items ${LINE/|/}"
      CURSOR=$((6 + ${#LINE%%|*}))
      zle list-choices
      exit
    }
    zle -N zle-line-init
    END
    : > found
    export ZDOTDIR=$PWD
    zsh -f -c 'zmodload zsh/zpty; zpty shell "zsh -d -i"; while zpty -r shell text; do :; done'
    cat found
    """#

  /// Where zsh keeps what it found on its way through all completions there are; made once, as that
  /// takes it the better part of a second.
  static let zshDump: String = {
    let path = FileManager.default.temporaryDirectory.appending(path: "items-\(UUID()).zcompdump")
      .path
    let sandbox = try? Sandbox()
    _ = try? sandbox?.run(
      "/usr/bin/env", ["zsh", "-f", "-c", "autoload -Uz compinit && compinit -u -d $0", path])
    return path
  }()
}

@Suite struct CompletionTests {
  @Test(.needs("bash"), arguments: cases)
  func `bash offers`(_ row: CompletionCase) throws { try expectOffers(.bash, row) }

  @Test(.needs("zsh"), arguments: cases)
  func `zsh offers`(_ row: CompletionCase) throws { try expectOffers(.zsh, row) }

  @Test(.needs("fish"), arguments: cases)
  func `fish offers`(_ row: CompletionCase) throws { try expectOffers(.fish, row) }

  @Test(arguments: ShellProgram.allCases.filter(\.isInstalled))
  func `the shell finds nothing wrong with its script`(_ shell: ShellProgram) throws {
    let sandbox = try Sandbox()
    let check = shell == .fish ? "fish --no-execute" : "\(shell.rawValue) -n"
    expect(
      try sandbox.bash("items completions \(shell.rawValue) > script; \(check) script"), prints: "")
  }

  @Test(arguments: [ShellProgram.zsh, .fish].filter(\.isInstalled))
  func `titles and notes stand beside ids`(_ shell: ShellProgram) throws {
    let sandbox = try Sandbox(hostile)
    let texts = try shell.offers(for: "delete ", in: sandbox).map(\.text)
    #expect(
      texts == [
        "$(touch hacked) `touch hacked` ; touch hacked",
        #"it's "quoted": a\b\ttab\nline \u{1b}[31m %F{red}"#,
      ])
    try sandbox.write(Sandbox.seed)
    #expect(
      try shell.offers(for: "task delete ", in: sandbox).map(\.text) == [
        "Call the bank", "Pay rent",
      ])
  }

  @Test(arguments: [ShellProgram.zsh, .fish].filter(\.isInstalled))
  func `what a command or an option does stands beside it`(_ shell: ShellProgram) throws {
    let sandbox = try Sandbox()
    #expect(
      try shell.offers(for: "und", in: sandbox).map(\.text) == ["take back the newest change"])
    #expect(
      try shell.offers(for: "list --so", in: sandbox).map(\.text)
        == ["sort by FIELD; by -FIELD: descending"])
  }

  @Test(arguments: ShellProgram.allCases.filter(\.isInstalled), ["--file ", "list --file "])
  func `file names follow --file`(_ shell: ShellProgram, _ line: String) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    try Data().write(to: sandbox.folder.appending(path: "a b.json"))
    let words = try shell.offers(for: line, in: sandbox).map(\.word)
    #expect(words.contains("items.json"))
    // zsh notes a name as it has to be typed.
    #expect(words.contains(shell == .zsh ? #"a\ b.json"# : "a b.json"))
    #expect(!words.contains("list"))
  }

  @Test(arguments: ShellProgram.allCases.filter(\.isInstalled))
  func `a value may be attached to its option`(_ shell: ShellProgram) throws {
    let sandbox = try Sandbox()
    let words = try shell.offers(for: "list --format=js", in: sandbox).map(\.word)
    // bash replaces what follows the =, the others the whole word.
    let lead = shell == .bash ? "" : "--format="
    #expect(words.sorted() == ["\(lead)json", "\(lead)jsonl"])
  }

  @Test(arguments: ShellProgram.allCases.filter(\.isInstalled))
  func `fields follow --where`(_ shell: ShellProgram) throws {
    let sandbox = try Sandbox()
    let words = try shell.offers(for: "update -w ", in: sandbox).map(\.word)
    #expect(Set(words).isSuperset(of: ["id", "title", "number"]))
    #expect(!words.contains("tasknote"))
  }

  @Test(
    .needs("zsh"),
    arguments: [
      "fpath=($PWD/functions $fpath) && autoload -Uz compinit && compinit -u -D",
      #"eval "$(items completions zsh)""#,
    ])
  func `zsh loads the script from a folder of functions, and with no more than the script`(
    _ load: String
  ) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let outcome = try sandbox.bash(
      "mkdir functions; items completions zsh > functions/_items; \(ShellProgram.askZsh)",
      environment: ["LINE": "delete ", "LOAD": load])
    expect(outcome, prints: "1\tMilk\n2\tEggs\n3\tBread\n")
  }

  @Test(
    arguments: [ShellProgram.bash, .zsh].filter(\.isInstalled),
    [
      CompletionCase("ids but for those after the cursor", "delete | 3", ["1", "2"]),
      CompletionCase(
        "ids of the file after the cursor", "delete | --file 'other file.json'", ["77"]),
      CompletionCase("no ids with a condition after the cursor", "delete | -w id=1", []),
    ])
  func `words after the cursor count`(_ shell: ShellProgram, _ row: CompletionCase) throws {
    try expectOffers(shell, row)
  }

  @Test(.needs("shellcheck"))
  func `shellcheck finds nothing wrong with the script for bash`() throws {
    expect(
      try Sandbox().bash("items completions bash > script; shellcheck -s bash script"), prints: "")
  }

  @Test(arguments: [
    ("what bash leaves of a word", ["--format=js", "js"], "json jsonl"),
    (
      "a word that bash does not break", ["--format=js", "--format=js"],
      "--format=json --format=jsonl"
    ),
    ("a value that is not begun", ["--format=", ""], "table tsv csv json jsonl ids"),
    ("an open quote", ["-w 'titl", "titl"], titleConditions.joined(separator: " ")),
    (
      "no quote", ["-w titl", "titl"],
      #"title= title\!= title\< title\<= title\> title\>= title\~ title\!\~"#
    ),
    ("quotes and backslashes before", [#"--file "other"\ 'file'.json "#, ""], "77"),
    ("a title in quotes that looks like options", [#"-w title='--file x' "#, ""], "1 2 3"),
    ("the home folder", ["--file ~/f.json ", ""], "5"),
  ])
  func `bash is given what it puts in place of a part`(
    _ name: String, _ line: [String], _ offers: String
  ) throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let other = #"{"items": [{"id": 77, "title": "Other", "number": 1}]}"#
    try Data(other.utf8).write(to: sandbox.folder.appending(path: "other file.json"))
    _ = try sandbox.bash(
      "mkdir -p ~; items --file ~/f.json add x; items --file ~/f.json delete 1; for i in 2 3 4 5; do items --file ~/f.json add x; done; items --file ~/f.json delete 2 3 4"
    )
    let outcome = try sandbox.items(
      "__complete", "--", "bash", "items", line[1], "x=1 items list " + line[0], "")
    expect(
      outcome,
      prints: (offers.contains("title=") ? "parts" : "words") + "\n"
        + offers.split(separator: " ").map { $0 + "\n" }.joined())
  }

  @Test func `what fits is printed with its meaning, and is no command for people`() throws {
    let sandbox = try Sandbox(Sandbox.seed)
    let complete = { (words: String...) in
      try sandbox.run(Sandbox.items.path, ["__complete", "--", "zsh"] + words)
    }
    expect(try complete("2", "tasks", "list", "5F2AB"), prints: "words\n5f2ab007\tPay rent\n")
    expect(try complete("2", "list", "-", "1"), prints: "words\n")
    expect(try complete("1", "list", "", "1", "x"), prints: "words\n2\tEggs\n3\tBread\n")
    expect(try complete("1", "list"), exits: 2, prints: "")
    expect(try complete("-1", "list"), exits: 2, prints: "")
    for words in [["help"], ["man"], ["completions", "bash"]] {
      let output = try sandbox.run(Sandbox.items.path, words).output
      #expect(words[0] == "completions" || !output.contains("__"))
    }
    expect(try sandbox.items("complete", "1"), exits: 2, says: "Did you mean 'delete'?")
  }

  @Test func `completion prints no error and changes nothing`() throws {
    let sandbox = try Sandbox()
    for file in ["missing/items.json", ".", "broken.json", "~nobody/x", ""] {
      try Data("{".utf8).write(to: sandbox.folder.appending(path: "broken.json"))
      let outcome = try sandbox.items("__complete", "--", "fish", "3", "--file", file, "delete", "")
      expect(outcome, prints: "words\n")
    }
    #expect(try sandbox.names == ["broken.json"])
  }

  @Test(arguments: [
    (
      ShellProgram.bash, #"bash --norc -c '. ~/.bashrc; complete -p items'"#,
      "complete -F _items items"
    ),
    (.zsh, "zsh -i -c 'print $_comps[items]'", "_items"),
    (.fish, #"fish -c 'complete -C "items und"'"#, "undo\ttake back the newest change"),
  ])
  func `the lines of the manual set up completion in a fresh home`(
    _ shell: ShellProgram, _ question: String, _ answer: String
  ) throws {
    guard shell.isInstalled else { return }
    let recipes = try #require(Commands.all.first { $0.words == ["completions"] }).recipes
    let recipe = try #require(recipes.first { $0.commands.contains("items completions \(shell)") })
    let outcome = try Sandbox().bash("mkdir -p ~; \(recipe.commands)\n\(question)")
    expect(outcome, prints: answer + "\n")
  }

  @Test func `completions names the shells that it knows`() throws {
    let sandbox = try Sandbox()
    expect(try sandbox.items("completions"), exits: 2, prints: "", says: "bash, zsh, fish")
    expect(
      try sandbox.items("completions", "tcsh"), exits: 2, prints: "", says: "unknown shell 'tcsh'")
    expect(
      try sandbox.items("completions", "bsah"), exits: 2, prints: "", says: "Did you mean 'bash'?")
    expect(
      try sandbox.items("completions", "bash", "zsh"), exits: 2, prints: "",
      says: "unexpected argument 'zsh'")
  }

  private func expectOffers(_ shell: ShellProgram, _ row: CompletionCase) throws {
    let sandbox = try Sandbox(row.file)
    let other = #"{"items": [{"id": 77, "title": "Other", "number": 1}]}"#
    try Data(other.utf8).write(to: sandbox.folder.appending(path: "other file.json"))
    // bash and zsh note a word as it has to be typed.
    let offers = try shell.offers(for: row.line, in: sandbox).map {
      $0.word.replacing("\\", with: "")
    }
    #expect(offers.sorted() == row.offers.sorted())
    #expect(try !sandbox.names.contains("hacked"))
  }
}
