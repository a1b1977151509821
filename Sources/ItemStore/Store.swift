/// Items and to-do tasks in one JSON file that a person can read.
///
///     let store = Store(path: "items.json")
///     let milk = try store.create(Item.Draft(title: "Buy milk", number: 3))
///     try store.update(Item.self, id: milk.id) { $0.number += 1 }
///     for item in try store.all(Item.self) { print(item.title, item.number) }
///     try store.undo()
///
/// Every operation reads the file anew. One that changes it holds a lock from before it reads until after
/// it has written, checks the whole file and the whole request first, and then puts the new content in
/// place at once and durably. If it throws, nothing is changed, except for `StoreError.unsynced`. A file
/// that is not there, or is blank, is an empty store. All calls block, and may be made from any thread.
///
/// To follow what others change, import `ItemStoreChanges`, which imports this module too, and loop over
/// `changes()`.
public struct Store: Sendable {
  /// The data file. A symbolic link is followed.
  public let path: String

  /// Gets each warning after the change that it speaks of is made and the lock is free.
  package var onWarning: @Sendable (String) -> Void
  /// In seconds.
  package var lockTimeout: Double
  /// From this many bytes on the new file begins as a copy that is made while the old one is read.
  package var leastToClone = 1 << 20
  package var system = System()
  /// The types of record that the file may hold.
  package var schemas = Schema.all

  /// A store in a file. Nothing is read or made yet.
  ///
  /// - Parameters:
  ///   - path: the data file. Folders that are missing are made by the first change.
  ///   - lockTimeout: how long a change waits for other processes that change the same file.
  ///   - onWarning: gets what could not be kept of a file that was replaced, in words: its owner, an
  ///     attribute, a hard link.
  public init(
    path: String, lockTimeout: Duration = .seconds(10),
    onWarning: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.path = path
    self.onWarning = onWarning
    let (seconds, attoseconds) = lockTimeout.components
    self.lockTimeout = Double(seconds) + Double(attoseconds) / 1e18
  }
}

// MARK: Reading

extension Store {
  /// All records of a type, in the order of the file.
  ///
  /// - Throws: `StoreError.invalid` with all that is wrong with the file, or why it cannot be read.
  public func all<R: Record>(_ type: R.Type = R.self) throws(StoreError) -> [R] {
    try refusing { try select(Query(), of: R.model.schema).decoded() }
  }

  /// The records with these ids, each once and in this order. The first characters of a task's id will
  /// do, four or more, if no other task shares them.
  ///
  /// - Throws: `StoreError.notFound` with every id that no record has, `StoreError.ambiguous`, or what
  ///   `all(_:)` throws.
  public func find<R: Record>(_ type: R.Type, ids: [R.ID]) throws(StoreError) -> [R] {
    try refusing { try select(Query(ids, R.model.schema), of: R.model.schema).decoded() }
  }

  /// The record with this id.
  ///
  /// - Throws: what `find(_:ids:)` throws.
  public func find<R: Record>(_ type: R.Type, id: R.ID) throws(StoreError) -> R {
    try find(type, ids: [id])[0]
  }
}

// MARK: Changing

extension Store {
  /// Adds a record after the last of its type and returns it with its new id.
  ///
  /// - Throws: `StoreError.blank` for a blank text, `noFreeID`, or why the file cannot be read, locked or
  ///   replaced. Nothing is added then.
  @discardableResult
  public func create<D: Draft>(_ draft: D) throws(StoreError) -> D.Record
  where D.Record.Draft == D {
    try create([draft])[0]
  }

  /// Adds several records in one replacement of the file, and returns them with their new ids.
  ///
  /// - Throws: what `create(_:)` of one throws. Nothing is added then.
  @discardableResult
  public func create<D: Draft>(_ drafts: [D]) throws(StoreError) -> [D.Record]
  where D.Record.Draft == D {
    let model = D.Record.model
    return try refusing {
      let members = drafts.map(model.membersOfDraft)
      try model.schema.refuseBlank(members)
      return try add(Batch(model.schema, members), to: model.schema).decoded()
    }
  }

  /// Changes the record with this id by a closure, which gets the record as it is under the lock.
  ///
  /// Only the values that the closure changes are replaced in the file; a closure that changes nothing
  /// writes nothing. The closure is called again if a program that takes no lock changes the file
  /// meanwhile. It must not use the store.
  ///
  /// - Returns: the record as it is now.
  /// - Throws: what `update(_:ids:_:)` throws.
  @discardableResult
  public func update<R: Record>(
    _ type: R.Type, id: R.ID, _ change: (inout R) throws -> Void
  ) throws -> R {
    try update(type, ids: [id], change)[0]
  }

  /// Changes the records with these ids, each once, by a closure, in one replacement of the file.
  ///
  /// - Returns: the records as they are now, in the order of the ids.
  /// - Throws: what the closure throws; `StoreError.notFound` or `ambiguous` for the ids, `blank` if the
  ///   closure makes a text blank, `changedID`, or why the file cannot be read, locked or replaced.
  ///   Nothing is changed then.
  @discardableResult
  public func update<R: Record>(
    _ type: R.Type, ids: [R.ID], _ change: (inout R) throws -> Void
  ) throws -> [R] {
    try update(Query(ids, R.model.schema), change)
  }

  /// Changes all records of a type by a closure, in one replacement of the file.
  ///
  /// - Returns: the records as they are now.
  /// - Throws: what `update(_:ids:_:)` throws.
  @discardableResult
  public func updateAll<R: Record>(
    _ type: R.Type, _ change: (inout R) throws -> Void
  ) throws -> [R] {
    try update(Query(), change)
  }

  /// Deletes the record with this id and returns it.
  ///
  /// - Throws: what `delete(_:ids:)` throws.
  @discardableResult
  public func delete<R: Record>(_ type: R.Type, id: R.ID) throws(StoreError) -> R {
    try delete(type, ids: [id])[0]
  }

  /// Deletes the records with these ids, in one replacement of the file, and returns them.
  ///
  /// - Throws: `StoreError.notFound` or `ambiguous` for the ids, or why the file cannot be read, locked
  ///   or replaced. Nothing is deleted then.
  @discardableResult
  public func delete<R: Record>(_ type: R.Type, ids: [R.ID]) throws(StoreError) -> [R] {
    try refusing { try delete(Query(ids, R.model.schema), from: R.model.schema).decoded() }
  }

  /// Deletes all records of a type and returns them. The file stays, with an empty list.
  ///
  /// - Throws: why the file cannot be read, locked or replaced. Nothing is deleted then.
  @discardableResult
  public func deleteAll<R: Record>(_ type: R.Type) throws(StoreError) -> [R] {
    try refusing { try deleteAll(of: R.model.schema).decoded() }
  }

  /// Takes back the newest change that was made through a store or the tool, byte for byte; called again,
  /// the one before.
  ///
  /// - Throws: `StoreError.nothingToUndo`, `changedSince` if the file is not as that change left it, or
  ///   why the file cannot be read, locked or replaced. Nothing is taken back then.
  public func undo() throws(StoreError) {
    try refusing { _ = try perform(.undo).get() }
  }

  /// Makes again, byte for byte, what `undo()` took back last; called again, what it took back before.
  /// A new change ends that.
  ///
  /// - Throws: `StoreError.nothingToRedo`, `changedSince` if the file is not as the undo left it, or why
  ///   the file cannot be read, locked or replaced. Nothing is made again then.
  public func redo() throws(StoreError) {
    try refusing { _ = try perform(.redo).get() }
  }

  private func update<R: Record>(
    _ query: @autoclosure () throws -> Query, _ change: (inout R) throws -> Void
  ) throws -> [R] {
    let model = R.model
    do {
      let query = try query()
      return try withoutActuallyEscaping(change) { change in
        try perform(
          lockingFirst: true,
          .change(.update, model.schema) { document, _ in
            try document.update(query.records(of: model.schema, in: document), by: change)
          }
        ).decoded()
      }
    } catch let rejection as Rejection {
      throw rejection.storeError
    }
  }

  /// Runs `body`, which throws nothing but the two kinds of error that the store has.
  private func refusing<T>(_ body: () throws -> T) throws(StoreError) -> T {
    do {
      return try body()
    } catch let error as StoreError {
      throw error
    } catch let rejection as Rejection {
      throw rejection.storeError
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension Document {
  /// The edit that gives records what a closure makes of them.
  fileprivate func update<R: Store.Record>(
    _ records: [Int], by change: (inout R) throws -> Void
  ) throws -> Edit {
    let model = R.model
    let list = list(model.schema)
    var changes: [[Member]] = []
    for record in records {
      let old = model.record(StoredRecord(self, list, record))
      var new = old
      try change(&new)
      guard new.id == old.id else {
        throw StoreError.changedID(noun: model.schema.noun, id: "\(old.id)")
      }
      changes.append(
        zip(model.members(old), model.members(new)).filter { $0.value != $1.value }.map(\.1))
    }
    try model.schema.refuseBlank(changes)
    return try updating(records, of: list, with: Batch(model.schema, changes))
  }
}

extension Schema {
  fileprivate func refuseBlank(_ members: [[Member]]) throws(StoreError) {
    for member in members.joined() {
      if case .blank(let field)? = blankText(in: member) { throw .blank(field: field) }
    }
  }
}

extension Query {
  fileprivate init(_ ids: [some LosslessStringConvertible], _ schema: Schema) throws(StoreError) {
    var targets: [RecordReference] = []
    for id in ids { targets.append(try RecordReference(id, of: schema)) }
    self.init(targets: targets)
  }
}

extension Outcome {
  /// The change was made; what failed after it is not to be kept quiet.
  fileprivate func get() throws(StoreError) -> Outcome {
    if let failure { throw failure }
    return self
  }

  fileprivate func decoded<R: Store.Record>() throws(StoreError) -> [R] {
    try get().touched.decoded()
  }
}
