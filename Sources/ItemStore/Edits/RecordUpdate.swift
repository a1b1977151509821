/// Makes the splices that give records of one list what a batch says of them, one record after another.
///
///     stored  {"id": 1, "title": "a", "x": 1, "y": 2}
///     given   title "b", x removed, z 3
///     splices                    "b"  ------              , "z": 3
///
/// A value that is there already is left as it is spelled.
struct RecordUpdate {
  private let document: Document
  private let list: RecordList
  private let batch: Batch
  private let values: Bytes
  private var members: OwnMembers

  private(set) var splices: [Splice] = []
  private(set) var problems: [Rejection.Problem] = []
  /// How many records are not as they were.
  private(set) var changedCount = 0
  /// Whether a record is to lose the fields that are not given.
  private let isWhole: Bool

  init(_ document: Document, _ list: RecordList, _ batch: Batch, isWhole: Bool = false) {
    (self.document, self.list, self.batch, self.isWhole) = (document, list, batch, isWhole)
    values = Bytes(batch.values)
    members = OwnMembers(document, batch)
  }

  /// Gives a record what the batch has in one place.
  mutating func update(_ record: Int, with given: Int) {
    let before = splices.count
    var hasOwn = isWhole
    let batch = batch
    batch.forEachField(of: given) { field, _, value in
      if field < batch.knownCount {
        updateKnown(field, value, in: record, given)
      } else {
        hasOwn = true
      }
    }
    if hasOwn { updateOwn(in: record, given) }
    if splices.count > before { changedCount += 1 }
  }

  private mutating func updateKnown(
    _ field: Int, _ value: Range<Int>, in record: Int, _ given: Int
  ) {
    let start = list.value(of: field, in: record)
    if document.bytes.hasValue(values, value, at: start) { return }
    let range = start..<document.end(ofValueAt: start)
    if document.bytes.means(range, values, value) { return }
    if let reason = list.schema.blankText(batch.values[value], for: field) {
      return refuse(.invalid(reason), record, given)
    }
    splices.append(Splice(range, values[value]))
  }

  // MARK: Fields of the user's own

  private mutating func updateOwn(in record: Int, _ given: Int) {
    let fields = StoredRecord(document, list, record)
    members.read(fields)
    var added: [(field: Int, value: Range<Int>)] = []
    // Backwards, so that the last one given of a name goes to the last one stored.
    for entry in batch.entries(of: given).reversed() {
      let (field, kind, value) = batch.entry(entry)
      if field < batch.knownCount { continue }
      guard let place = members.takeLast(of: field) else {
        if members.count(of: field) > 0 || !members.add(field) {
          refuse(.invalid(.repeated(field: batch.names[field])), record, given)
        } else if kind != .removal {
          added.append((field, value))
        }
        continue
      }
      let stored = members[place].value
      guard let new = kind == .removal ? [] : replacement(of: stored, by: value, kind) else {
        continue
      }
      if members.count(of: field) > 1 {
        refuse(.storedTwice(field: batch.names[field]), record, given)
      } else if kind == .removal {
        members.remove(place)
      } else {
        splices.append(Splice(stored, new))
      }
    }
    if isWhole { removeOthers(of: fields, given) }
    if members.hasRemovals { splices += members.removals }
    if !added.isEmpty { append(added.reversed(), to: fields) }
  }

  /// Takes out the fields that are not given.
  private mutating func removeOthers(of fields: StoredRecord, _ given: Int) {
    let others = members.others
    if others.isEmpty { return }
    let ranges = fields.ranges
    for place in others {
      var name: [UInt8] = []
      JSONString.appendDecoded(members[place].name, in: document.bytes, to: &name)
      if ranges[name, default: []].count > 1 {
        let field = String(decoding: name, as: UTF8.self)
        refuse(.storedTwice(field: field), fields.record, given)
      } else {
        members.remove(place)
      }
    }
  }

  /// The bytes to put in the place of a stored value; nil if that means the same.
  private func replacement(
    of stored: Range<Int>, by value: Range<Int>, _ kind: Batch.Kind
  ) -> [UInt8]? {
    let bytes = document.bytes
    if kind == .cell && bytes[stored.lowerBound] != UInt8(ascii: "\"") {
      return CellText.replacement(of: stored, in: bytes, by: value, of: values)
    }
    if bytes.hasValue(values, value, at: stored.lowerBound) || bytes.means(stored, values, value) {
      return nil
    }
    return values[value]
  }

  /// Adds members after the last one, in the layout of their record.
  private mutating func append(_ added: [(field: Int, value: Range<Int>)], to fields: StoredRecord)
  {
    let layout = RecordLayout(of: fields)
    var text: [UInt8] = []
    for (field, value) in added {
      text += layout.between
      JSONString.appendEncoded(batch.names[field], to: &text)
      text += layout.colon
      layout.append(value, of: values, to: &text)
    }
    splices.append(Splice(members.end..<members.end, text))
  }

  private mutating func refuse(
    _ reason: Rejection.Reason, _ record: Int, _ given: Int
  ) {
    var id = ""
    if case .storedTwice = reason {
      id = list.schema.text(of: list.key(of: record, in: document.bytes))
    }
    problems.append(
      Rejection.Problem(reason, noun: list.schema.noun, id: id, origin: batch.origin(of: given)))
  }
}

extension Document {
  /// The edit that changes records as the batch says: each as its record in the same place, or all alike
  /// if there is only one. A record that is nil is none.
  ///
  /// - Throws: these problems and all that the values make.
  func updating(
    _ records: [Int?], of list: RecordList, with batch: Batch,
    besides problems: [Rejection.Problem] = []
  ) throws(Rejection) -> Edit {
    var update = RecordUpdate(self, list, batch)
    for case (let place, let record?) in zip(records.indices, records) {
      update.update(record, with: batch.count == 1 ? 0 : place)
    }
    try Rejection.throwAll(problems + update.problems)
    return Edit(
      splices: update.splices, touched: .changed(records.compactMap(\.self)),
      changedCount: update.changedCount)
  }
}
