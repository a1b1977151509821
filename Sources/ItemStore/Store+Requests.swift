/// What the tool asks of the store: records as they are stored, with fields of the user's own.
extension Store {
  /// The file as it is now, checked.
  package func document() throws(StoreError) -> Document {
    try Document(Version.read(path, system).bytes, of: path)
  }

  /// - Throws: `StoreError`, or `Rejection` with every id that names no record, or several.
  package func select(_ query: Query, of schema: Schema) throws -> Selection {
    let document = try document()
    return Selection(document, schema, try query.records(of: schema, in: document))
  }

  /// Adds records; one that brings its id keeps it.
  package func add(_ batch: Batch, to schema: Schema) throws -> Outcome {
    try perform(
      .change(.add, schema) { document, highestID in
        if batch.count == 0 { return Edit(splices: [], touched: .made(text: [], 0..<0, count: 0)) }
        let list = document.list(schema)
        let layout = ListLayout(of: list, in: document) ?? ListLayout(forEmptyListIn: document)
        let insertion = document.insertion(into: list, layout)
        var writer = RecordWriter(layout, names: batch.names, after: insertion.before)
        let lastID = try document.layOut(batch, schema, highestID: highestID, with: &writer)
        let records = insertion.before.count..<writer.text.count
        let text = writer.finish(insertion.after)
        var splices = [Splice(insertion.range, text)]
        // A file without `lastID` counts from its highest id.
        if schema.key.kind == .wholeNumber, document.lastID != nil {
          splices += document.raisingLastID(to: lastID)
        }
        return Edit(
          splices: splices, touched: .made(text: text, records, count: batch.count),
          highestID: schema.key.kind == .wholeNumber ? lastID : 0)
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

  /// - Parameter lockingFirst: whether the request is not tried out before there is a lock.
  package func perform(
    lockingFirst: Bool = false, _ request: Transaction.Request
  ) throws -> Outcome {
    try Transaction(store: self, request: request, locksFirst: lockingFirst).run()
  }
}
