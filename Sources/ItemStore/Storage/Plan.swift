/// What a change is to do to one version of the data file.
struct Plan {
  let version: Version
  let document: Document
  let verb: Verb
  let schema: Schema
  let edit: Edit
  /// For undo and redo, what the log notes as under way; nil for a new change.
  let step: ChangeLog.Directory.Pending?
  /// Of the file, in ascending order.
  let splices: [Splice]

  init(_ version: Version, _ document: Document, _ verb: Verb, _ schema: Schema, _ edit: Edit) {
    (self.version, self.document, self.verb, self.schema) = (version, document, verb, schema)
    var edit = edit
    edit.splices.sort { $0.range.lowerBound < $1.range.lowerBound }
    self.edit = edit
    step = nil
    splices = document.inFile(edit.splices)
  }

  /// A step through the log.
  init(
    _ version: Version, _ document: Document, _ step: ChangeLog.Step,
    _ pending: ChangeLog.Directory.Pending
  ) throws(StoreError) {
    (self.version, self.document, verb) = (version, document, step.verb)
    schema = Schema.all[step.list]
    splices = step.splices
    let touched = try Selection(touchedBy: splices, of: version.bytes, document, schema)
    edit = Edit(splices: splices, touched: .found(touched))
    self.step = pending
  }

  /// By how many bytes the file grows.
  var growth: Int { splices.reduce(0) { $0 + $1.bytes.count - $1.range.count } }

  var outcome: Outcome {
    get throws(StoreError) {
      Outcome(
        verb: verb, touched: try edit.selection(schema, document), changedCount: edit.changedCount,
        removedCount: edit.removedCount, addedCount: edit.addedCount)
    }
  }
}
