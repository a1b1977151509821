/// Items and to-do tasks in one JSON file that a person can read.
///
/// Every operation reads the file anew. One that changes it holds a lock from before it reads until
/// after it has written, checks the whole file and the whole request first, and then puts the new
/// content in place at once and durably; where it throws, nothing is changed, but for the one case
/// `StoreError.unsynced`. A file that is not there, or blank, is an empty store. All calls block, and
/// may be made from any thread.
///
///     let store = Store(path: "items.json")
///     let milk = try store.create(Item.Values(title: "Milk", number: 3))
///     try store.update(Item.self, milk.id, Item.Values(number: 4))
///     for item in try store.all(Item.self) { print(item.title, item.number) }
public struct Store: Sendable {
  /// The data file; a symbolic link is followed.
  public let path: String
  /// Is told what could not be kept of the file replaced: its owner, attributes, a hard link.
  public var warn: @Sendable (String) -> Void = { _ in }

  /// How many seconds a change waits for the lock.
  package var patience = 10.0
  /// From how many bytes on the new file begins as a copy that is made while the old one is read.
  package var leastToClone = 1 << 20
  package var system = System()

  public init(path: String) { self.path = path }
}

// MARK: Records as values

extension Store {
  /// All records of a type, in the order of the file.
  ///
  /// - Throws: `StoreError.invalid` with all that is wrong with the file, or why it cannot be read.
  public func all<R: Record>(_ type: R.Type = R.self) throws(StoreError) -> [R] {
    try select(Query(), of: R.schema).decoded()
  }

  /// The records with these ids, in this order; of tasks, unique prefixes of four characters or more
  /// will do.
  ///
  /// - Throws: as `all`; `StoreError.notFound` with every id that there is not, or
  ///   `StoreError.ambiguous`.
  public func find<R: Record>(_ type: R.Type, _ ids: [R.ID]) throws(StoreError) -> [R] {
    try select(Self.selector(ids, R.schema), of: R.schema).decoded()
  }

  /// The record with this id.
  ///
  /// - Throws: as `find(_:_:)` of several.
  public func find<R: Record>(_ type: R.Type, _ id: R.ID) throws(StoreError) -> R {
    try find(type, [id])[0]
  }

  /// Adds a record behind the last of its type. An item with no title is called `First Title`, one
  /// with no number gets one from 0 to 100.
  ///
  /// - Throws: as `create(_:)` of several.
  @discardableResult
  public func create(_ values: Item.Values = Item.Values()) throws(StoreError) -> Item {
    try create(Item.self, [values])[0]
  }

  /// Adds a task behind the last one.
  ///
  /// - Throws: as `create(_:)` of several.
  @discardableResult
  public func create(_ values: ToDoTask.Values) throws(StoreError) -> ToDoTask {
    try create(ToDoTask.self, [values])[0]
  }

  /// Adds several records in one replacement of the file, and returns them with their new ids.
  ///
  /// - Throws: `StoreError.invalidValues` where a text is blank, `noFreeID`, or what keeps the file
  ///   from being read, locked or replaced. Nothing is added then.
  @discardableResult
  public func create<R: Record>(
    _ type: R.Type, _ values: [R.Values]
  ) throws(StoreError) -> [R] {
    try R.schema.check(values.flatMap(\.members))
    return try add(Batch(R.schema, values.map(\.members)), to: R.schema).get()
  }

  /// Changes what is given of the records with these ids, in one replacement of the file. A value that
  /// is there already is left as it is spelled. With nothing given, an item gets the title
  /// `Changed Title` and a new number from 0 to 100.
  ///
  /// - Returns: the records as they are now.
  /// - Throws: `StoreError.notFound` or `ambiguous` for the ids, `invalidValues` where a text is blank,
  ///   or what keeps the file from being read, locked or replaced. Nothing is changed then.
  @discardableResult
  public func update<R: Record>(
    _ type: R.Type, _ ids: [R.ID], _ values: R.Values
  ) throws(StoreError) -> [R] {
    try R.schema.check(values.members)
    let members = values.members.isEmpty ? R.schema.changedValues : values.members
    return try update(Self.selector(ids, R.schema), of: R.schema, with: members).get()
  }

  /// Changes what is given of the record with this id.
  ///
  /// - Throws: as `update(_:_:_:)` of several.
  @discardableResult
  public func update<R: Record>(
    _ type: R.Type, _ id: R.ID, _ values: R.Values
  ) throws(StoreError) -> R {
    try update(type, [id], values)[0]
  }

  /// Takes out the records with these ids, in one replacement of the file, and returns them.
  ///
  /// - Throws: `StoreError.notFound` or `ambiguous` for the ids, or what keeps the file from being
  ///   read, locked or replaced. Nothing is deleted then.
  @discardableResult
  public func delete<R: Record>(_ type: R.Type, _ ids: [R.ID]) throws(StoreError) -> [R] {
    try delete(Self.selector(ids, R.schema), from: R.schema).get()
  }

  /// Takes out the record with this id.
  ///
  /// - Throws: as `delete(_:_:)` of several.
  @discardableResult
  public func delete<R: Record>(_ type: R.Type, _ id: R.ID) throws(StoreError) -> R {
    try delete(type, [id])[0]
  }

  /// Takes out all records of a type and returns them. The file stays, with an empty list.
  ///
  /// - Throws: what keeps the file from being read, locked or replaced. Nothing is deleted then.
  @discardableResult
  public func deleteAll<R: Record>(_ type: R.Type) throws(StoreError) -> [R] {
    try deleteAll(of: R.schema).get()
  }

  private static func selector(
    _ ids: [some LosslessStringConvertible], _ schema: Schema
  ) throws(StoreError) -> Query {
    var targets: [RecordReference] = []
    for id in ids { targets.append(try RecordReference(id, of: schema)) }
    return Query(targets: targets)
  }
}

extension Outcome {
  fileprivate func get<R: Record>() throws(StoreError) -> [R] {
    if let failure { throw failure }
    return touched.decoded()
  }
}

// MARK: Records as they are stored

extension Store {
  package func select(_ selector: Query, of schema: Schema) throws(StoreError) -> Selection {
    let file = try DataFile(path, system: system)
    let document = try document(of: file.read(), in: file)
    return Selection(document, schema, try selector.records(of: schema, in: document))
  }

  /// Adds records; one that brings its id keeps it.
  package func add(_ batch: Batch, to schema: Schema) throws(StoreError) -> Outcome {
    try change(.add, schema) { (document, highestID) throws(StoreError) in
      if batch.count == 0 { return Edit(splices: [], touched: .made(text: [], 0..<0, count: 0)) }
      let list = document.list(schema)
      let layout = ListLayout(of: list, in: document) ?? ListLayout(forEmptyListIn: document)
      let insertion = document.insertion(into: list, layout)
      var writer = RecordWriter(layout, names: batch.names, after: insertion.before)
      let lastID = try document.layOut(batch, schema, highestID: highestID, with: &writer)
      let records = insertion.before.count..<writer.text.count
      let text = writer.finish(insertion.after)
      var splices = [Splice(insertion.range, text)]
      let touched = Edit.Touched.made(text: text, records, count: batch.count)
      guard case .wholeNumber = schema.key.kind else {
        return Edit(splices: splices, touched: touched)
      }
      // A file without `lastID` counts from its highest id.
      if document.lastID != nil { splices += document.raisingLastID(to: lastID) }
      return Edit(splices: splices, touched: touched, highestID: lastID)
    }
  }

  /// Gives all selected records the same values.
  package func update(
    _ selector: Query, of schema: Schema, with members: [Member]
  ) throws(StoreError) -> Outcome {
    try change(.update, schema) { (document, _) throws(StoreError) in
      let records = try selector.records(of: schema, in: document)
      let list = document.list(schema)
      var splices: [Splice] = []
      var invalid: [StoreError.InvalidValue] = []
      for record in records {
        document.update(record, of: list, with: members, origin: nil, &splices, &invalid)
      }
      // One value for all is wrong once.
      if let first = invalid.first { throw .invalidValues([first]) }
      return Edit(splices: splices, touched: .changed(records))
    }
  }

  /// Gives each target the values of the record of the batch that stands in the same place.
  ///
  /// - Throws: `notFound`, `givenTwice` with every target of a record that has one before,
  ///   `invalidValues`, or several of these; `ambiguous`.
  package func update(
    _ targets: [RecordReference], of schema: Schema, with batch: Batch
  ) throws(StoreError) -> Outcome {
    try change(.update, schema) { (document, _) throws(StoreError) in
      let list = document.list(schema)
      let (records, missing) = try document.locate(targets, in: list)
      var isChanged = [Bool](repeating: false, count: list.count)
      var again: [StoreError.Mention] = []
      var invalid: [StoreError.InvalidValue] = []
      var splices: [Splice] = []
      for case (let i, let record?) in zip(records.indices, records) {
        if isChanged[record] { again.append(targets[i].mention(schema)) }
        isChanged[record] = true
        document.update(
          record, of: list, with: batch.members(of: i), origin: batch.origin(of: i), &splices,
          &invalid)
      }
      try StoreError.throwAll([
        missing.isEmpty ? nil : .notFound(missing), again.isEmpty ? nil : .givenTwice(again),
        invalid.isEmpty ? nil : .invalidValues(invalid),
      ])
      return Edit(splices: splices, touched: .changed(records.compactMap(\.self)))
    }
  }

  package func delete(_ selector: Query, from schema: Schema) throws(StoreError) -> Outcome {
    try change(.delete, schema) { (document, _) throws(StoreError) in
      let records = try selector.records(of: schema, in: document)
      return Edit(
        splices: document.deleting(records.sorted(), from: schema), touched: .removed(records))
    }
  }

  package func deleteAll(of schema: Schema) throws(StoreError) -> Outcome {
    try change(.deleteAll, schema) { (document, _) in
      let records = Array(0..<document.list(schema).count)
      return Edit(splices: document.deleting(records, from: schema), touched: .removed(records))
    }
  }

  /// Takes back the newest change that was made through a store and not taken back yet.
  ///
  /// - Throws: `nothingToUndo`, or `changedSince` where the file is not as that change left it.
  package func undo() throws(StoreError) -> Outcome {
    try Transaction.perform(self) { (transaction) throws(StoreError) in try transaction.undo() }
  }

  private func change(
    _ verb: Verb, _ schema: Schema, _ plan: (Document, Int) throws(StoreError) -> Edit
  ) throws(StoreError) -> Outcome {
    try Transaction.perform(self) { (transaction) throws(StoreError) in
      try transaction.run(verb, schema, plan)
    }
  }

  func document(of version: DataFile.Version, in file: DataFile) throws(StoreError) -> Document {
    do throws(FaultList) {
      return try Document(version.bytes)
    } catch {
      throw .invalid(
        path: file.path,
        error.faults.map {
          StoreError.Place(
            position: Position(offset: $0.offset, in: version.bytes), reason: $0.reason)
        })
    }
  }
}

extension Schema {
  /// - Throws: `invalidValues` with those that their fields cannot have.
  package func check(_ members: [Member]) throws(StoreError) {
    let reasons = members.compactMap(blankText)
    if !reasons.isEmpty { throw .invalidValues(reasons.map { .init($0) }) }
  }

  func blankText(in member: Member) -> Fault.Reason? {
    fields.firstIndex { $0.name == member.name }.flatMap { blankText(member.value, for: $0) }
  }

  /// Text that consists of nothing but white space is no title and no note.
  package func blankText(_ value: ArraySlice<UInt8>, for field: Int) -> Fault.Reason? {
    guard case .text = kinds[field] else { return nil }
    // Most text shows at its first letter that it is not blank.
    let first = value[value.startIndex + 1]
    if 0x21...0x7E ~= first && first != UInt8(ascii: "\\") && first != UInt8(ascii: "\"") {
      return nil
    }
    let json = Bytes(Array(value))
    let text = JSONString.decode(0..<json.count, in: json)
    return text.isBlank ? .blank(field: fields[field].name) : nil
  }
}

extension String {
  /// Whether it has nothing but white space. An accent on a blank is visible, though the two are one
  /// character.
  package var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
