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

  package func decoded<R: Store.Record>(as type: R.Type = R.self) -> [R] {
    let list = list
    return records.map { R.model.record(StoredRecord(document, list, $0)) }
  }
}
