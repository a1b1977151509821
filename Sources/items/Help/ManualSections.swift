/// What the manual page says beyond the command table.
extension ManualPage {
  static let description = #"""
    .Sh DESCRIPTION
    .Nm
    keeps two kinds of records in one JSON file: items, each with an id, a title
    and a number, and to\-do tasks, each with an id and a note.
    The file can be read, edited, searched and kept under version control like any
    other text, and every change by
    .Nm
    leaves all of it as it was but for the bytes that have to change.
    .Pp
    .Nm Ar VERB
    works on items and
    .Nm Cm tasks Ar VERB
    on tasks; for
    .Cm tasks ,
    .Cm task
    will do.
    .Pp
    Options may stand before the command, after it and after its operands.
    An option that takes a value takes the next word, whatever it looks like, or
    what is attached to it:
    .Fl n Ar 5 ,
    .Fl n Ns Ar 5 ,
    .Fl \-number Ar 5
    and
    .Fl \-number Ns = Ns Ar 5
    are the same.
    Flags may be grouped.
    No command and no long option may be abbreviated, and a long option needs both
    of its hyphens:
    .Ql \-title
    is refused, not read as
    .Fl t
    with
    .Ql itle .
    A word that begins with a hyphen and a digit is an operand, so ids and titles
    may be negative numbers.
    Behind
    .Ql \-\-
    every word is an operand, which makes
    .Ql items add \-\- \(dq$title\(dq
    right for every title.
    Only a
    .Ql \-
    that stands before it reads standard input.
    An option that is repeated counts as it was given last, but for
    .Fl w .
    One that the command cannot use is an error.
    .Pp
    Ids of items are whole numbers from 1 up, and none is given twice in the life
    of a data file, also not after an undo.
    Ids of tasks are random UUIDs.
    Any first part of one that no other task shares names the task, if it has 4
    characters or more; upper and lower case are the same.
    An id that is given twice in one command counts once.
    .Pp
    All ids and records that a command is given are checked before anything is
    printed or changed, and all that are wrong are reported.
    """#

  static let sections = #"""
    .Sh CONDITIONS AND ORDER
    .Ar COND
    is a field, an operator and a value in one word, for instance
    .Ql number>=12 ;
    the field ends where the first operator begins.
    The operators are
    .Ql = ,
    .Ql != ,
    .Ql < ,
    .Ql <= ,
    .Ql > ,
    .Ql >= ,
    .Ql \(ti
    (contains, ignoring case) and
    .Ql !\(ti
    (does not contain).
    Two numbers are compared by value, so
    .Ql 12
    and
    .Ql 12.0
    are equal; anything else is compared as text, by code point.
    Where
    .Fl w
    is repeated, all conditions must hold.
    .Pp
    The field may be one that only the user knows of.
    A record without it meets no condition, not even
    .Ql != ,
    and comes last in either order.
    Sorting keeps the order of records that are alike, and puts numbers before text.
    A name that is one slip away from a known field is refused.
    .Pp
    .Cm update
    and
    .Cm delete
    take either ids or conditions, and change nothing and succeed where no record
    meets the conditions.
    .Cm list
    takes both, and lists those of the ids that meet the conditions.
    .Sh STANDARD INPUT
    With
    .Ql \-
    the records or their ids are read from standard input, to its end and before
    the data file is read or locked; so a pipeline may begin and end with the same
    file.
    .Fl i
    says how:
    .Bl -tag -width Ds
    .It Cm text
    Each line that is not blank is a title or a note, exactly as it stands, or an
    id.
    One carriage return at its end is dropped.
    .It Cm tsv
    The columns that
    .Cm list
    prints, without a header.
    An empty cell is not given.
    .It Cm csv
    A header names the fields, in any order.
    Quotes are those of RFC 4180; lines end in LF or CRLF.
    .It Cm json
    Objects, one after another or in arrays; also bare ids where only ids count.
    .It Cm auto
    JSON where the first character is
    .Ql {
    or
    .Ql \&[ ,
    else TSV where the first line has a tab, else text.
    CSV is never guessed.
    .El
    .Pp
    All that
    .Cm list
    prints can be read back, but for tables.
    .Bl -bullet
    .It
    .Cm add
    needs the title or note of each record.
    A record that has an id keeps it; where the id is taken, all is refused.
    .Fl n
    is for the records that have no number.
    .It
    .Cm update
    does what the command line says to the records whose ids it reads, and only
    where that says nothing, what the records say.
    Two records for one id are refused.
    .It
    .Cm delete
    and
    .Cm list
    take the ids and nothing else.
    .El
    .Pp
    JSON objects may have fields of their own, which are kept as they came;
    .Cm update
    changes them, or adds them to the record.
    A byte\-order mark at the start is skipped in every format.
    Everything is checked before anything is changed, and what is wrong is reported
    with its line and column: up to 20 faults of the input, and every id that cannot
    be used.
    Nothing on standard input is no error, and changes nothing.
    .Sh OUTPUT
    On a terminal
    .Cm list
    prints a table, and a change prints a sentence.
    Anywhere else
    .Cm list
    prints TSV, and a change the ids of the records that it touched, one a line.
    With
    .Fl f
    both print the records in that format; deleted ones as they were.
    .Bl -tag -width Ds
    .It Cm table
    Columns aligned by the width of their characters, with a header.
    Text is cut to the width of a terminal, and whole anywhere else.
    Ids of tasks are as short as they are unique, but 8 characters or more.
    .It Cm tsv
    One line a record, without a header.
    Tab, newline, carriage return and backslash are
    .Ql \et ,
    .Ql \en ,
    .Ql \er
    and
    .Ql \e\e .
    .It Cm csv
    With a header, and quotes where they are needed.
    .It Cm json
    An array, one record a line.
    .It Cm jsonl
    One object a line.
    This and
    .Cm json
    have the whole record, numbers and order of its fields as they are stored.
    .It Cm ids
    One id a line.
    .El
    .Pp
    On a terminal, and in tables, control characters and such as turn the direction
    of text are shown as
    .Ql \et ,
    .Ql \eu{1b}
    and so on, in JSON as
    .Ql \eu001b .
    The header of a table is bold and the
    .Ql items\&:
    of an error is red, where colour is wanted; see
    .Sx ENVIRONMENT .
    .Pp
    Answers go to standard output, and all else to standard error.
    .Sh DATA FILE
    .Bd -literal
    {
      \(dqlastID\(dq: 2,
      \(dqitems\(dq: [
        {\(dqid\(dq: 1, \(dqtitle\(dq: \(dqFirst Title\(dq, \(dqnumber\(dq: 42},
        {\(dqid\(dq: 2, \(dqtitle\(dq: \(dqBuy milk\(dq, \(dqnumber\(dq: 7, \(dqshop\(dq: \(dqcorner\(dq}
      ],
      \(dqtasks\(dq: [
        {\(dqtaskid\(dq: \(dq5f2a91c4\-0c5e\-4a47\-9d0e\-2f4f5b8e7a10\(dq,
         \(dqtasknote\(dq: \(dqCall the bank\(dq}
      ]
    }
    .Ed
    .Pp
    It is strict JSON in UTF\-8, without comments and trailing commas.
    .Ql lastID
    is the highest item id that was ever given.
    It, and either list, may be missing; so may the whole file, and it may be
    blank.
    .Ql id
    and
    .Ql number
    are whole numbers of 64 bits, however they are spelled.
    Records and the file may have fields that
    .Nm
    does not know, and these are kept.
    .Pp
    Each command checks the whole file.
    What it does not understand it reports as file, line, column and reason, and
    changes nothing.
    .Sh GUARANTEES
    .Bl -bullet
    .It
    An update replaces the value that changes, an add puts a record behind the last
    in the layout of its neighbour, and a delete takes the record out with its
    comma and its line.
    White space, order, the spelling of numbers and escapes, and line ends stay.
    .It
    A change is made completely or not at all, whatever is killed and whenever the
    power fails, and is on the disk when the command ends with exit status 0.
    .It
    Commands that change the file wait for each other, up to 10 seconds; none of
    them is lost.
    One that has waited longer ends with exit status 3.
    .Cm list
    waits for nobody, writes nothing and sees one version of the file.
    .It
    Where another program replaced the file while a change was under way, the
    change is made again on the new content.
    .It
    A symbolic link stays one.
    Owner, group, mode, access list and extended attributes stay, or it is said
    what could not be kept.
    A file without write permission is not replaced.
    .El
    .Pp
    Not promised is anything on network file systems whose locks do not work and
    on disks that report a sync that they did not do.
    A program that writes the file in place, between the last look at it and the
    rename a moment later, loses what it wrote.
    A second hard link keeps the old content, of which a warning tells.
    .Sh ENVIRONMENT
    A variable that is empty counts as not set.
    .Bl -tag -width Ds
    .It Ev ITEMS_FILE
    The data file, where there is no
    .Fl \-file .
    .It Ev XDG_DATA_HOME , HOME
    Where the data file is looked for otherwise; see
    .Sx FILES .
    A value of
    .Ev XDG_DATA_HOME
    that is no absolute path is ignored.
    .It Ev NO_COLOR
    No colour.
    .It Ev CLICOLOR_FORCE , FORCE_COLOR
    Colour everywhere, unless the value is 0.
    .It Ev CLICOLOR , TERM
    No colour where these are
    .Ql 0
    and
    .Ql dumb .
    .El
    .Sh FILES
    The data file is the first of these that is named:
    .Fl \-file ,
    .Ev ITEMS_FILE ,
    .Pa $XDG_DATA_HOME/items/items.json ,
    .Pa $HOME/.local/share/items/items.json .
    .Ic items path
    prints which one it is.
    There is no configuration file.
    A new data file can be read by its owner only, and so can the folders that are
    made for it.
    .Bl -tag -width Ds
    .It Pa .items.json.undo
    Beside the data file, and named for it: what is locked by a change, and how to
    take back the newest 100.
    Without it nothing can be undone, and nothing else is lost.
    Ids may be given again then that the data file says nothing of.
    .It Pa .items.json.*.tmp
    The new content, while a change is under way.
    The next change removes one that was left behind.
    .El
    .Sh EXIT STATUS
    .Bl -tag -width Ds
    .It 0
    Done; also where there was nothing to list, to change or to read.
    .It 1
    There is no such record, an id is taken or may mean several tasks, there is
    nothing to undo, the file was changed since, or the answer was no.
    .It 2
    The request is wrong: options, operands, or records on standard input.
    .It 3
    The data file or the output cannot be used, and the data is as it was.
    .It 4
    The change is made, but something after it failed, as the message says: its
    output, or the last sync of the folder.
    .El
    .Pp
    Where the reader of a pipe has gone,
    .Nm
    ends quietly by
    .Dv SIGPIPE ;
    a change is made by then.
    """#

  static let examples: [(purpose: String, commands: String)] = [
    ("Add, change and list items:", "items add 'Buy milk' -n 2\nitems update 1 -n 3\nitems list"),
    (
      "Note a task, and strike it off by the first characters of its id:",
      "items tasks add 'Call the bank'\nitems tasks delete 5f2a"
    ),
    ("List those of 12 or more, the highest first:", "items list -w 'number>=12' -s -number"),
    ("Keep the id of a new item:", "id=$(items add 'Buy milk')"),
    ("Add a line for each file:", "ls | items add - -i text"),
    (
      "Set the number of all items that grep finds to 0:",
      "items list | grep milk | items update - -n 0"
    ),
    (
      "Add one to every number, in one change:",
      "items list -f jsonl | jq -c '.number += 1' | items update -"
    ),
    (
      "Delete all but the ten highest:",
      "items list -s -number -f ids | tail -n +11 | items delete -"
    ),
    (
      "Delete everything, keep it in a file, and bring it back with the same ids:",
      "items delete-all --yes -f jsonl > gone.jsonl\nitems add - < gone.jsonl"
    ),
    (
      "Make tasks of the open check boxes of a text:",
      "sed -n 's/^- \\[ \\] //p' notes.md | items tasks add - -i text"
    ),
    (
      "Edit all titles as text:",
      "items list -f csv > items.csv\n$EDITOR items.csv\nitems update - -i csv < items.csv"
    ),
    ("Take back the last change:", "items undo"),
  ]

  static let closingSections = #"""
    .Sh SEE ALSO
    awk(1), grep(1), jq(1), sort(1)
    .Sh STANDARDS
    The data file follows RFC 8259, CSV follows RFC 4180, UUIDs follow RFC 9562, and
    where the data file is follows the XDG Base Directory Specification.
    .Sh BUGS
    Values may be nested up to 1024 levels deep, and the file may have up to 4 GiB;
    what is larger or deeper is refused.
    Every command reads the whole file, and every change writes a new one.
    .Pp
    A change of the data file by anything else ends what can be undone:
    .Cm undo
    refuses until the file is as the last change left it.
    .Pp
    Arguments and variables must be valid UTF\-8.
    """#
}
