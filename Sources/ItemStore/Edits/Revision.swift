/// What was made of some records in an editor.
///
///     shown   1 Milk, 2 Eggs, 3 Bread
///     edited  1 Oat, 3 Bread, Tea        1 changed, 2 taken out, one added
package struct Revision: Sendable {
  let shown: Selection
  /// All that was in the editor in the end, without the ids.
  let batch: Batch
  /// The records that are not as they were shown.
  private(set) var touched: [Touched] = []
  private(set) var added: Batch
  /// Whether records, or members of one, are in another order than they were shown.
  package private(set) var isReordered = false

  struct Touched {
    /// Its index in the document that was shown.
    let record: Int
    /// Its index in the batch; nil if it was taken out.
    let place: Int?
    let reference: RecordReference
  }

  /// - Parameter references: one for each record of the batch; nil for a new record.
  /// - Throws: all ids that were not shown or are given twice, and all values that cannot be.
  package init(
    _ shown: Selection, to batch: Batch, _ references: [RecordReference?]
  ) throws(Rejection) {
    (self.shown, self.batch, added) = (shown, batch, Batch(shown.schema))
    var problems: [Rejection.Problem] = []
    let places = places(of: references, &problems)
    var update = RecordUpdate(shown.document, shown.list, batch, isWhole: true)
    for record in shown.records {
      guard let place = places[record] else {
        if let reference = shown.reference(to: record) {
          touched.append(Touched(record: record, place: nil, reference: reference))
        }
        continue
      }
      let changedCount = update.changedCount
      update.update(record, with: place)
      if update.changedCount > changedCount, let reference = references[place] {
        touched.append(Touched(record: record, place: place, reference: reference))
      }
      isReordered = isReordered || hasOtherOrder(record, place)
    }
    let order = shown.records.compactMap { places[$0] }
    isReordered = isReordered || zip(order, order.dropFirst()).contains { $0 > $1 }
    try Rejection.throwAll(problems + update.problems)
  }

  /// Where the records are in the batch, by their indices. The records without an id are new.
  private mutating func places(
    of references: [RecordReference?], _ problems: inout [Rejection.Problem]
  ) -> [Int: Int] {
    let isShown = Set(shown.records)
    var places: [Int: Int] = [:]
    let records = shown.document.locate(references, in: shown.list)
    for (place, reference) in references.enumerated() {
      guard let reference else {
        for member in batch.members(of: place) { added.append(member) }
        added.endRecord(origin: batch.origin(of: place))
        continue
      }
      if let record = records[place], isShown.contains(record) {
        if places.updateValue(place, forKey: record) == nil { continue }
        problems.append(reference.problem(.givenTwice, shown.schema))
      } else {
        problems.append(reference.problem(.notShown, shown.schema))
      }
    }
    return places
  }

  private func hasOtherOrder(_ record: Int, _ place: Int) -> Bool {
    var ranks: [Int: Int] = [:]
    StoredRecord(shown.document, shown.list, record).forEachMember { name, _ in
      var text: [UInt8] = []
      JSONString.appendDecoded(name, in: shown.document.bytes, to: &text)
      if let field = batch.existingField(named: text) { ranks[field] = ranks.count }
    }
    var (last, isOther) = (-1, false)
    batch.forEachField(of: place) { field, _, _ in
      guard let rank = ranks[field] else { return }
      if rank < last { isOther = true }
      last = rank
    }
    return isOther
  }
}

extension Selection {
  fileprivate func reference(to record: Int) -> RecordReference? {
    let key = list.key(of: record, in: document.bytes)
    return try? RecordReference(schema.text(of: key), of: schema)
  }

  fileprivate func compactJSON(of record: Int) -> [UInt8] {
    var json: [UInt8] = []
    StoredRecord(document, list, record).appendCompactJSON(to: &json)
    return json
  }
}

extension Document {
  /// The edit that makes the same of the records of this document, in which others may have changed.
  func applying(_ revision: Revision, highestID: Int) throws -> Edit {
    let schema = revision.shown.schema
    let list = list(schema)
    var update = RecordUpdate(self, list, revision.batch, isWhole: true)
    var problems: [Rejection.Problem] = []
    var removed: [Int] = []
    let records = locate(revision.touched.map(\.reference), in: list).records
    let current = Selection(self, schema, [])
    for (touched, record) in zip(revision.touched, records) {
      guard let record,
        current.compactJSON(of: record) == revision.shown.compactJSON(of: touched.record)
      else {
        problems.append(touched.reference.problem(.changedSinceShown, schema))
        continue
      }
      if let place = touched.place {
        update.update(record, with: place)
      } else {
        removed.append(record)
      }
    }
    try Rejection.throwAll(problems + update.problems)
    return try applying(
      update, removing: removed.sorted(), adding: revision.added, to: schema, highestID)
  }

  private func applying(
    _ update: RecordUpdate, removing removed: [Int], adding added: Batch, to schema: Schema,
    _ highestID: Int
  ) throws -> Edit {
    let list = list(schema)
    let isEmptied = !removed.isEmpty && removed.count == list.count
    let addition = try adding(added, to: schema, highestID: highestID, emptying: isEmptied)
    var splices = update.splices + addition.splices
    if added.count == 0 {
      splices += deleting(removed, from: schema)
    } else if !isEmptied {
      // A new id is higher than all that go.
      splices += takingOut(removed, of: list)
    }
    splices.sort { $0.range.lowerBound < $1.range.lowerBound }
    let touched =
      splices.isEmpty
      ? Selection(self, schema, [])
      : try Selection(touchedBy: splices, of: bytes, self, schema)
    var edit = Edit(
      splices: splices, touched: .found(touched), changedCount: update.changedCount,
      highestID: addition.highestID)
    (edit.removedCount, edit.addedCount) = (removed.count, added.count)
    return edit
  }
}
