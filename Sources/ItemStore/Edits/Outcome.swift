/// What a command does to the records of one list.
package enum Verb: UInt64, Sendable {
  case add = 1
  case update, delete, deleteAll
}

/// What a command did.
package struct Outcome: Sendable {
  package let verb: Verb
  /// The records touched: as they are now, or as they were where they are gone.
  package let touched: Selection
  /// Whether the file was changed: false where all was as it was to be.
  package var isMade = false
  /// What failed after the change was made.
  package var failure: StoreError?
}
