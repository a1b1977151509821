import ItemStore

/// The records of an input, as its reader finds them.
struct InputRecords {
  let bytes: Bytes
  let schema: Schema
  let use: Input.Use
  /// The fields of the records, without the ids of those to be changed or named.
  private(set) var batch: Batch
  /// The ids of the records to be changed or named, and where their records begin. Empty for a new one.
  private(set) var ids: [(text: String, origin: Int)] = []
  private(set) var faults: [InputFault] = []
  /// Texts of records to be changed that are blank: no fault if they were blank before.
  private(set) var blanks: [Blank] = []
  /// What a new record gets if it does not name it.
  private let defaults: [(field: Int, value: ArraySlice<UInt8>)]
  private let (key, texts, all): ([Int], [Int], [Int])

  struct Blank {
    let record: Int
    let field: String
    let text: String
    let origin: Int
  }

  init(_ bytes: Bytes, _ schema: Schema, use: Input.Use, defaults: [Member]) {
    var batch = Batch(schema)
    batch.reserveCapacity(forInput: bytes.count)
    self.defaults = defaults.map { (batch.field(named: $0.name), $0.value) }
    (key, all) = ([0], Array(schema.kinds.indices))
    texts = all.filter { schema.kinds[$0].isText }
    (self.bytes, self.schema, self.use, self.batch) = (bytes, schema, use, batch)
  }

  mutating func report(_ reason: InputFault.Reason, at offset: Int) {
    faults.append(InputFault(reason: reason, offset: offset))
  }

  mutating func report(_ reason: Fault.Reason, at offset: Int) {
    report(.data(reason), at: offset)
  }

  /// The index of a field of any name, known or not.
  mutating func field(named name: String) -> Int { batch.field(named: name) }

  /// Whether a new record gets a value for this field if it does not name it.
  func hasDefault(_ field: Int) -> Bool { defaults.contains { $0.field == field } }

  /// Adds a field to the record that is being read. A blank text can be no new title; whether a record
  /// has it already, the store knows.
  mutating func append(
    _ field: Int, as kind: Batch.Kind = .value, at offset: Int, _ write: (inout [UInt8]) -> Void
  ) {
    batch.append(field, as: kind, write)
    guard field < schema.kinds.count,
      let reason = schema.blankText(batch.lastValue, for: field)
    else { return }
    if use == .new { return report(reason, at: offset) }
    let value = Bytes(Array(batch.lastValue))
    blanks.append(
      Blank(
        record: batch.count, field: schema.fields[field].name,
        text: JSONString.decode(0..<value.count, in: value), origin: offset))
  }

  /// Ends a record, and reports it if it lacks what it needs.
  mutating func endRecord(id: String?, origin: Int) {
    for (field, value) in defaults where !batch.isGiven(field) {
      batch.append(field) { $0 += value }
    }
    let hasFault = !faults.isEmpty && faults[faults.count - 1].offset >= origin
    if !hasFault {
      for field in needed(ofNew: id == nil) where field == 0 ? id == nil : !batch.isGiven(field) {
        report(.missing(field: schema.fields[field].name, noun: "the \(schema.noun)"), at: origin)
      }
    }
    if use != .new { ids.append((id ?? "", origin)) }
    batch.endRecord(origin: origin)
  }

  /// The fields that a record must have.
  private func needed(ofNew isNew: Bool) -> [Int] {
    switch use {
    // The store has a title for a record without one, but here one must be named.
    case .new: texts
    case .edited: isNew ? texts : all
    case .changes, .ids: key
    }
  }
}

extension Schema.Kind {
  var isText: Bool { if case .text = self { true } else { false } }
  var isNumber: Bool { if case .wholeNumber = self { true } else { false } }
}
