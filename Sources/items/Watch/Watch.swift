import ItemStore

extension Commands {
  /// Shows the records of a list, and what becomes of them, until a signal or the reader ends it.
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
        try output.write(Difference(from: before, to: view.selection), as: format)
      case .trouble(let error): say(error)
      case .hangUp: Process.endByBrokenPipe()
      case .input: break
      }
    }
  }

  private static func say(_ error: StoreError) {
    for line in error.lines { Complaint.say(line) }
  }

  /// The table in place of the last one.
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

/// The records of a list as the file has them, read again after each change.
struct LiveView {
  private(set) var selection: Selection
  /// Why the records are those of an earlier file.
  private(set) var trouble: StoreError?

  private let watcher: Watcher
  private let read: () throws(StoreError) -> Selection
  private var doubt: Result<Selection, StoreError>?

  /// Editors empty a file, or move it away, before they write it. What looks like that is believed
  /// once nothing more has happened for so many seconds.
  var calm = 0.2

  /// - Throws: what keeps the file from being read or watched.
  init(
    _ store: Store, _ select: @escaping (Store) throws(StoreError) -> Selection
  ) throws(StoreError) {
    watcher = try Watcher(store)
    read = { () throws(StoreError) in try select(store) }
    selection = try read()
  }

  enum Event {
    case records
    /// The file cannot be read, or for another reason than before.
    case trouble(StoreError)
    case input
    case hangUp
  }

  /// Blocks until the file is another, or something else happens.
  mutating func next(
    orInputOf other: CInt = -1, orHangUpOf pipe: CInt = -1
  ) throws(StoreError) -> Event {
    while true {
      let seconds = doubt == nil ? nil : calm
      switch try watcher.wait(orInputOf: other, orHangUpOf: pipe, seconds: seconds) {
      case .input: return .input
      case .hangUp: return .hangUp
      case .change:
        let found = Result(catching: read)
        doubt = isDoubtful(found) ? found : nil
        if doubt == nil, let event = take(found) { return event }
      case .timeout:
        let found = doubt
        doubt = nil
        if let event = found.flatMap({ take($0) }) { return event }
      }
    }
  }

  /// Nil where it is the trouble that there was.
  mutating func take(_ found: Result<Selection, StoreError>) -> Event? {
    switch found {
    case .success(let new):
      selection = new
      trouble = nil
      return .records
    case .failure(let error):
      if error == trouble { return nil }
      trouble = error
      return .trouble(error)
    }
  }

  private func isDoubtful(_ found: Result<Selection, StoreError>) -> Bool {
    switch found {
    case .failure: true
    case .success(let new): new.list.count == 0 && selection.list.count > 0
    }
  }
}
