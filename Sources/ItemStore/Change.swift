/// What a command does to the records of one list.
package enum Verb: UInt64, Sendable {
  case add = 1
  case update, delete, deleteAll
}

/// Some records of a document, in the order in which they are to be shown.
package struct Selection: Sendable {
  package let document: Document
  package let schema: Schema
  package let records: [Int]

  package init(_ document: Document, _ schema: Schema, _ records: [Int]) {
    (self.document, self.schema, self.records) = (document, schema, records)
  }

  package var list: RecordList { document.list(schema) }

  package var isEmpty: Bool { records.isEmpty }

  func decoded<R: Record>(as type: R.Type = R.self) -> [R] {
    let list = list
    return records.map { R(StoredFields(document, list, $0)) }
  }
}

/// What a command did.
package struct Change: Sendable {
  package let verb: Verb
  /// The records touched: as they are now, or as they were where they are gone.
  package let touched: Selection
  /// Whether the file was changed: false where all was as it was to be.
  package var isMade = false
  /// What failed after the change was made.
  package var failure: StoreError?
}
