/// Records as they are given to a store, many at once, in few pieces of memory: an array for each of
/// 100,000 would take longer than all the rest.
///
///     records   2 members       , 4 members …
///     entries   title 6, number 7 , …
///     values    "Milk" 3          …
package struct Batch: Sendable {
  /// The names of fields: those of the schema in its order, then all others.
  private(set) var names: [String]
  /// JSON, one value after another.
  private(set) var values: [UInt8] = []
  private var entries: [Entry] = []
  private var records: [Record] = []
  /// The indices of the names that are not of the schema, by their bytes: to `String` two spellings of a
  /// character are the same, and here are two fields.
  private var foreign: [[UInt8]: Int] = [:]
  /// What will be `known` of the record that is being written.
  private var known: UInt = 0

  /// What is given for a field.
  package enum Kind: UInt8, Sendable {
    /// A JSON value.
    case value
    /// A JSON string with the text of a cell, which takes the kind of the value that it replaces.
    case cell
    /// No value: the field is to be taken out of the record.
    case removal
  }

  private struct Entry {
    let field: Int32
    let kind: Kind
    /// The end of its value, which begins one byte after that of the entry before.
    let end: Int
  }

  private struct Record {
    /// After its last entry.
    let end: Int
    /// -1 for none.
    let origin: Int
    /// One bit for each field of the schema that it has.
    let known: UInt
  }

  /// How many of the names are fields of the schema.
  let knownCount: Int

  package init(_ schema: Schema) {
    names = schema.fields.map(\.name)
    knownCount = names.count
  }

  /// One record for each array of members.
  package init(_ schema: Schema, _ records: [[Member]]) {
    self.init(schema)
    for members in records {
      for member in members { append(member) }
      endRecord()
    }
  }

  package var count: Int { records.count }

  /// Whether no record has a field.
  package var isEmpty: Bool { entries.isEmpty }

  // MARK: Writing

  /// Makes room for what so many bytes of input can give, up to a limit; what is not used costs nothing.
  package mutating func reserveCapacity(forInput bytes: Int) {
    let most = min(bytes, 1 << 21)
    values.reserveCapacity(2 * most)
    entries.reserveCapacity(most / 2)
    records.reserveCapacity(most / 4)
  }

  /// The index of a field of any name, known or not.
  package mutating func field(named name: String) -> Int {
    let bytes = Array(name.utf8)
    if let field = existingField(named: bytes) { return field }
    foreign[bytes] = names.count
    names.append(name)
    return names.count - 1
  }

  /// The index of a field that has been given an index before.
  func existingField(named name: [UInt8]) -> Int? {
    names[..<knownCount].firstIndex { $0.utf8.elementsEqual(name) } ?? foreign[name]
  }

  /// Adds a field to the record that is being written; `write` appends its value.
  @inline(__always)
  package mutating func append(
    _ field: Int, as kind: Kind = .value, _ write: (inout [UInt8]) -> Void
  ) {
    write(&values)
    entries.append(Entry(field: Int32(truncatingIfNeeded: field), kind: kind, end: values.count))
    // Or two numbers would be one.
    values.append(UInt8(ascii: "\n"))
    if field < knownCount { known |= 1 << UInt(field) }
  }

  package mutating func append(_ member: Member) {
    append(field(named: member.name)) { $0 += member.value }
  }

  /// Takes a field out of the record that is being written.
  package mutating func appendRemoval(of name: String) {
    append(field(named: name), as: .removal) { _ in }
  }

  /// Whether the record that is being written has a field.
  package func isGiven(_ field: Int) -> Bool {
    if field < knownCount { return known >> UInt(field) & 1 == 1 }
    return entries[(records.last?.end ?? 0)...].contains { $0.field == field }
  }

  /// The value of the field added last.
  package var lastValue: ArraySlice<UInt8> { values[value(of: entries.count - 1)] }

  /// Ends the record that is being written.
  ///
  /// - Parameter origin: where it begins in the input, for an error.
  package mutating func endRecord(origin: Int? = nil) {
    records.append(Record(end: entries.count, origin: origin ?? -1, known: known))
    known = 0
  }

  // MARK: Reading

  func origin(of record: Int) -> Int? {
    records[record].origin < 0 ? nil : records[record].origin
  }

  /// Whether a record has a field of the schema.
  func isGiven(_ field: Int, in record: Int) -> Bool {
    records[record].known >> UInt(field) & 1 == 1
  }

  /// The value that a record has for a field of the schema.
  func value(of field: Int, in record: Int) -> Range<Int>? {
    guard isGiven(field, in: record) else { return nil }
    return range(of: record).first { entries[$0].field == field }.map(value)
  }

  /// Calls `body` with each field of a record, what is given for it, and the range of its value.
  @inline(__always)
  func forEachField(of record: Int, _ body: (Int, Kind, Range<Int>) -> Void) {
    for entry in range(of: record) {
      body(Int(entries[entry].field), entries[entry].kind, value(of: entry))
    }
  }

  /// One bit for each field of the schema that a record has.
  func known(in record: Int) -> UInt { records[record].known }

  /// Whether a record has a field that is not of the schema.
  func hasOwnField(_ record: Int) -> Bool {
    range(of: record).contains { entries[$0].field >= knownCount }
  }

  /// The places of the fields of a record, in their order.
  func entries(of record: Int) -> Range<Int> { range(of: record) }

  /// A field, what is given for it, and the range of its value.
  func entry(_ place: Int) -> (field: Int, kind: Kind, value: Range<Int>) {
    (Int(entries[place].field), entries[place].kind, value(of: place))
  }

  /// The fields of a record, in their order.
  func members(of record: Int) -> [Member] {
    range(of: record).map {
      Member(name: names[Int(entries[$0].field)], value: values[value(of: $0)])
    }
  }

  /// The entries of a record.
  private func range(of record: Int) -> Range<Int> {
    (record > 0 ? records[record - 1].end : 0)..<records[record].end
  }

  private func value(of entry: Int) -> Range<Int> {
    (entry > 0 ? entries[entry - 1].end + 1 : 0)..<entries[entry].end
  }
}
