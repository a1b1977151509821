import ItemStore

extension Commands {
  /// Shows the records of a list, and each change of them, until a signal or the reader ends it.
  static func watch(
    _ selector: Query, _ schema: Schema, _ invocation: Invocation
  ) throws -> ExitCode {
    guard invocation.operands.isEmpty && !invocation.readsStdin else {
      throw UsageError(
        "--watch cannot be used together with ids", hint: "Choose what to watch by --where COND")
    }
    let output = Output()
    let canDraw = output.isTerminal && Style.isCapable
    let format = invocation.format ?? (canDraw ? .table : .tsv)
    guard format != .table || canDraw else {
      throw UsageError(
        "--watch draws a table on a terminal only",
        hint: "It prints what changes with --format tsv or jsonl")
    }
    guard [.table, .tsv, .jsonl].contains(format) else {
      throw UsageError(
        "--watch cannot print \(format)", hint: "One of: \(canDraw ? "table, " : "")tsv, jsonl")
    }
    var view = try LiveView(store(invocation)) { (store) throws(StoreError) in
      let document = try store.document()
      let records = selector.records(matching: document.list(schema), in: document)
      let selection = Selection(document, schema, records)
      return invocation.sortKey.map(selection.sorted(by:)) ?? selection
    }
    view.columns = invocation.columns
    if format == .table { try draw(&view) } else { try printEvents(&view, output, as: format) }
    return .done
  }

  /// A line for each record that comes, changes or goes.
  private static func printEvents(
    _ view: inout LiveView, _ output: Output, as format: Format
  ) throws {
    var output = output
    while true {
      let before = view.selection
      switch try view.next(orHangUpOf: output.isTerminal ? -1 : 1) {
      case .records:
        try output.write(
          Difference(from: before, to: view.selection), as: format, columns: view.columns)
      case .trouble(let error): say(error)
      case .hangUp: Process.endByBrokenPipe()
      case .input: break
      }
    }
  }

  private static func say(_ error: StoreError) {
    for line in error.lines { Complaint.say(line) }
  }

  /// Draws the table over the one before, at each change.
  private static func draw(_ view: inout LiveView) throws {
    let signals = try Signals()
    try Screen.enter()
    defer { Screen.leave() }
    while true {
      try Screen.show(view)
      switch try view.next(orInputOf: signals.descriptor) {
      case .records, .hangUp: break
      case .trouble(let error):
        // On a terminal it is a part of the picture.
        if !Process.isTerminal(2) { say(error) }
      case .input:
        for signal in signals.taken() where signal != Signals.resize {
          Screen.leave()
          signals.obey(signal)
          try Screen.enter()
        }
      }
    }
  }
}
