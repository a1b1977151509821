/// What the tool asks of the store: records as they are stored, with fields of the user's own.
extension Store {
  /// The file as it is now, checked.
  package func document() throws(StoreError) -> Document {
    try Document(Version.read(path, system).bytes, of: path, schemas)
  }

  /// - Throws: `StoreError`, or `Rejection` with every id that names no record, or several.
  package func select(_ query: Query, of schema: Schema) throws -> Selection {
    let document = try document()
    if query.selectsAll { return Selection(allOf: schema, in: document) }
    return Selection(document, schema, try query.records(of: schema, in: document))
  }

  /// Adds records; one that brings its id keeps it.
  package func add(_ batch: Batch, to schema: Schema) throws -> Outcome {
    try perform(
      .change(.add, schema) { document, highestID in
        try document.adding(batch, to: schema, highestID: highestID)
      })
  }

  /// Changes the selected records as the batch says: each as its record in the same place, or all alike if
  /// there is only one.
  package func update(_ query: Query, of schema: Schema, with batch: Batch) throws -> Outcome {
    try perform(
      .change(.update, schema) { document, _ in
        let records = try query.records(of: schema, in: document)
        return try document.updating(records, of: document.list(schema), with: batch)
      })
  }

  /// Changes each record that is named as the record of the batch in the same place says.
  package func update(
    _ references: [RecordReference], of schema: Schema, withEachOf batch: Batch
  ) throws -> Outcome {
    try perform(
      .change(.update, schema) { document, _ in
        let list = document.list(schema)
        let (records, problems) = document.locateOnce(references, in: list)
        return try document.updating(records, of: list, with: batch, besides: problems)
      })
  }

  package func delete(_ query: Query, from schema: Schema) throws -> Outcome {
    try perform(
      .change(.delete, schema) { document, _ in
        let records = try query.records(of: schema, in: document)
        return Edit(
          splices: document.deleting(records.sorted(), from: schema), touched: .removed(records))
      })
  }

  package func deleteAll(of schema: Schema) throws -> Outcome {
    try perform(
      .change(.deleteAll, schema) { document, _ in
        let records = Array(0..<document.list(schema).count)
        return Edit(splices: document.deleting(records, from: schema), touched: .removed(records))
      })
  }

  /// Makes the change that was made of records in an editor.
  ///
  /// - Throws: `Rejection` with every record to be changed or taken out that is no longer as it was shown.
  package func edit(_ revision: Revision) throws -> Outcome {
    try perform(
      .change(.edit, revision.shown.schema) { document, highestID in
        try document.applying(revision, highestID: highestID)
      })
  }

  /// - Parameter lockingFirst: whether the request is not tried out before there is a lock.
  package func perform(
    lockingFirst: Bool = false, _ request: Transaction.Request
  ) throws -> Outcome {
    try Transaction(store: self, request: request, locksFirst: lockingFirst).run()
  }
}
