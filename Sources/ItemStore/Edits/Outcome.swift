/// What a command does to the records of one list.
package enum Verb: UInt64, Sendable {
  case add = 1
  case update, delete, deleteAll, edit
}

/// What a change did.
package struct Outcome: Sendable {
  package let verb: Verb
  /// The records touched: as they are now, or as they were if they are gone.
  package let touched: Selection
  /// How many of them are not as they were.
  package let changedCount: Int
  /// Of an edit in an editor: how many it took out, and how many it added.
  package let removedCount: Int
  package let addedCount: Int
  /// Whether the file was changed: false if all was as it was to be.
  package var isMade = false
  /// What failed after the change was made.
  package var failure: StoreError?
  /// What could not be kept of the file that was replaced, in words.
  var warnings: [String] = []
}
