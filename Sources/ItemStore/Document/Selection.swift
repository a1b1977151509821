/// Some records of a document, in the order in which they are to be shown.
package struct Selection: Sendable {
  package let document: Document
  package let schema: Schema
  package let records: RecordIndices

  /// The file that the records are of or were of, if they were taken out of it into a document of their
  /// own.
  private let origin: Document?

  package init(
    _ document: Document, _ schema: Schema, _ records: [Int], from origin: Document? = nil
  ) {
    self.init(document, schema, RecordIndices(records), from: origin)
  }

  /// All records of a type.
  package init(allOf schema: Schema, in document: Document) {
    self.init(document, schema, RecordIndices(allOf: document.list(schema)))
  }

  private init(
    _ document: Document, _ schema: Schema, _ records: RecordIndices, from origin: Document? = nil
  ) {
    (self.document, self.schema, self.records) = (document, schema, records)
    self.origin = origin
  }

  func from(_ origin: Document) -> Selection {
    Selection(document, schema, records, from: origin)
  }

  package var list: RecordList { document.list(schema) }

  package var isEmpty: Bool { records.isEmpty }

  package func decoded<R: Store.Record>(as type: R.Type = R.self) -> [R] {
    let list = list
    return records.map { R.model.record(StoredRecord(document, list, $0)) }
  }
}

// MARK: Short ids

extension Selection {
  /// For each of the records, how many digits of its UUID tell it from all others of the file; nil if ids
  /// are numbers.
  package var idDigits: [Int]? {
    guard schema.key.kind == .uuid else { return nil }
    let list = list
    let all = (allKeys(of: document) + (origin.map(allKeys) ?? []))
      .sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    return records.map { record in
      let key = list.key(of: record, in: document.bytes)
      // Among all others, the neighbours in this order have the most in common with it.
      let before = all.partitioningIndex { ($0.high, $0.low) >= (key.high, key.low) } - 1
      let after = all.partitioningIndex { ($0.high, $0.low) > (key.high, key.low) }
      return [before, after].filter(all.indices.contains).reduce(RecordKey.shortDigits) {
        max($0, all[$1].sharedDigitCount(with: key) + 1)
      }
    }
  }

  private func allKeys(of document: Document) -> [RecordKey] {
    let list = document.list(schema)
    return (0..<list.count).map { list.key(of: $0, in: document.bytes) }
  }
}
