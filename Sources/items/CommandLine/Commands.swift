import ItemStore

/// The table of all commands. Parsing, help, suggestions, completion and the manual page read it, and none
/// of them knows a command by name.
enum Commands {
  static let all = items + tasks + file + about

  /// Other words for the first word of a command.
  static let aliases = ["task": "tasks"]

  /// The words with no other word for the first.
  static func canonical(_ words: [String]) -> [String] {
    words.prefix(1).map { aliases[$0] ?? $0 } + words.dropFirst()
  }

  private static let items =
    [
      Command(
        words: ["add"],
        forms: [
          "[TITLE] [-n NUMBER] [--set FIELD=TEXT]...",
          "- [-n NUMBER] [--set FIELD=TEXT]... [-i INPUT]",
        ],
        summary: "add an item, or one for each record on stdin",
        details: [
          "The title is 'First Title' if none is given, the number a random one from 0 to 100.",
          "With '-' each line of stdin is a title, or each record an item.",
        ],
        options: [.number, .set, .columns, .format, .input], operands: .text, kind: .items,
        group: .items
      ) { try add(Item.schema, $0) },
      Command(
        words: ["update"],
        forms: [
          "ID... [-t TITLE] [-n NUMBER] [--set FIELD=TEXT]...",
          "-w COND [-t TITLE] [-n NUMBER] [--set FIELD=TEXT]...",
          "- [-t TITLE] [-n NUMBER] [--set FIELD=TEXT]... [-i INPUT]",
        ],
        summary: "change items",
        details: [
          "Only what is named changes. If nothing is named, each ID gets 'Changed Title' and a new random number.",
          "With '-' the ids come from stdin; if nothing is named, its records say what to change.",
        ],
        options: [.title, .number, .set, .unset, .condition, .columns, .format, .input],
        operands: .ids, kind: .items,
        group: .items
      ) { try update(Item.schema, $0) },
    ] + common(.items)

  private static let tasks =
    [
      Command(
        words: ["tasks", "add"],
        forms: ["NOTE [--set FIELD=TEXT]...", "- [--set FIELD=TEXT]... [-i INPUT]"],
        summary: "add a task, or one for each record on stdin",
        details: ["With '-' each line of stdin is a note, or each record a task."],
        options: [.set, .columns, .format, .input], operands: .text, kind: .tasks, group: .tasks
      ) { try add(ToDoTask.schema, $0) },
      Command(
        words: ["tasks", "update"],
        forms: [
          "ID [NOTE] [--set FIELD=TEXT]... [--unset FIELD]...",
          "-w COND [NOTE] [--set FIELD=TEXT]...", "- [NOTE] [--set FIELD=TEXT]... [-i INPUT]",
        ],
        summary: "change a task",
        details: RecordKind.tasks.aboutIDs + [
          "NOTE may be left out if --set or --unset says what to change.",
          "With '-' the ids come from stdin; if nothing is named, its records say what to change.",
        ],
        options: [.set, .unset, .condition, .columns, .format, .input], operands: .idAndText,
        kind: .tasks, group: .tasks
      ) { try update(ToDoTask.schema, $0) },
    ] + common(.tasks)

  /// The rows that are the same for every kind of record.
  private static func common(_ kind: RecordKind) -> [Command] {
    let nouns = kind.schema.nouns(0)
    let others = RecordKind.all.filter { $0.schema !== kind.schema }.map { $0.schema.nouns(0) }
    return [
      Command(
        words: kind.words + ["edit"], forms: ["[ID...]", "-w COND"],
        summary: "change \(nouns) in an editor",
        details: kind.aboutIDs + [
          "Opens them, or all, in $VISUAL, $EDITOR or vi, and makes one change of what was changed,"
            + " taken out and added.",
          "A record without an id is new. An empty file changes nothing; [] deletes what was shown.",
        ],
        options: [.condition, .format], operands: .typedIDs, kind: kind, group: kind.group
      ) { try edit(kind.schema, $0) },
      Command(
        words: kind.words + ["delete"], forms: ["ID...", "-w COND", "- [-i INPUT]"],
        summary: "delete \(nouns)",
        details: kind.aboutIDs + ["With '-' the ids come from stdin."],
        options: [.condition, .columns, .format, .input], operands: .ids, kind: kind,
        group: kind.group
      ) { try delete(kind.schema, $0) },
      Command(
        words: kind.words + ["delete-all"], forms: ["[-y]"],
        summary: "delete all \(nouns); \(others.joined(separator: ", ")) stay",
        details: ["Asks first on a terminal. Anywhere else it needs --yes."],
        options: [.yes, .columns, .format], kind: kind, group: kind.group
      ) { try deleteAll(kind.schema, $0) },
      Command(
        words: kind.words + ["list"],
        forms: ["[ID... | -] [-w COND]... [-s FIELD]", "--watch [-w COND]... [-s FIELD]"],
        summary: "list \(nouns)",
        details: [
          "Prints a table on a terminal, anywhere else tab-separated values without a header.",
          "With --watch it draws the table again at each change of the file, until Ctrl-C.",
          "Anywhere else, or with -f tsv or jsonl, it prints a line for each record that changes: 'added',"
            + " 'updated' or 'deleted' and the record.",
        ],
        options: [.condition, .sort, .columns, .format, .input, .watch], operands: .filteredIDs,
        kind: kind,
        group: kind.group
      ) { try list(kind.schema, $0) },
    ]
  }

  private static let file = [
    Command(
      words: ["undo"], forms: [""], summary: "take back the newest change",
      details: [
        "Run again, it takes back the change before that: at least 100 changes.",
        "Refuses if anything else has changed the data file since.",
        "Prints the affected records: restored, removed, or with their old values.",
      ],
      options: [.columns, .format], group: .file, run: undo),
    Command(
      words: ["redo"], forms: [""], summary: "make again what undo took back",
      details: [
        "Again, it makes again what was taken back before. A new change ends that.",
        "It refuses if anything else has changed the data file since.",
        "Prints the affected records.",
      ],
      options: [.columns, .format], group: .file, run: redo),
    Command(
      words: ["path"], forms: [""], summary: "print where the data file is", group: .file, run: path
    ),
  ]

  private static let about = [
    Command(
      words: ["completions"],
      forms: [Shell.names.joined(separator: "|")],
      summary: "print a script for tab completion",
      details: ["Completion offers commands, options, their values, and up to 200 ids."],
      recipes: [
        (
          "For bash (a login shell, as on macOS, reads ~/.bash_profile instead):",
          #"echo 'eval "$(items completions bash)"' >> ~/.bashrc"#
        ),
        ("For zsh:", #"echo 'eval "$(items completions zsh)"' >> ~/.zshrc"#),
        (
          "For fish:",
          "mkdir -p ~/.config/fish/completions\nitems completions fish > ~/.config/fish/completions/items.fish"
        ),
      ],
      operands: .choice(name: "SHELL", Shell.names), group: .help,
      run: completions),
    Command(
      words: ["man"], forms: [""], summary: "print the manual page",
      recipes: [
        ("To read it:", "items man | man -l -"),
        ("To read it on macOS:", "items man | mandoc | less"),
        (
          "To install it:",
          "mkdir -p ~/.local/share/man/man1\nitems man > ~/.local/share/man/man1/items.1"
        ),
      ],
      group: .help
    ) { _ in try print(ManualPage.text) },
    Command(
      words: ["help"], forms: ["[COMMAND...]"], summary: "print help", operands: .commandWords,
      group: .help, run: help),
  ]
}
