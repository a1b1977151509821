/// Where each record of a list begins, and where the value of each of its fields does.
///
///     [{"id": 1, "title": "a", "number": 7}, …
///      1       7           19            32      one row
struct RecordRows {
  /// The beginning and the first three fields, in 16 bytes.
  private var rows: [Row] = []
  /// The other fields, one record after another.
  private var others: [UInt32] = []
  private let otherCount: Int

  init(of schema: Schema) { otherCount = max(0, schema.fields.count - Row.fieldCount) }

  var count: Int { rows.count }

  func start(of record: Int) -> Int { rows[record][0] }

  func value(of field: Int, in record: Int) -> Int {
    if field < Row.fieldCount { return rows[record][1 + field] }
    return Int(others[record * otherCount + field - Row.fieldCount])
  }

  mutating func reserveCapacity(_ count: Int) {
    rows.reserveCapacity(count)
    others.reserveCapacity(count * otherCount)
  }

  // MARK: Writing

  /// Begins a row, which `append` ends. A field after the third is noted here, the others in the row.
  @inline(__always) mutating func begin(at start: Int) -> Row {
    if otherCount > 0 { beginOthers() }
    return Row(start: start)
  }

  @inline(never) private mutating func beginOthers() {
    others.append(contentsOf: repeatElement(0, count: otherCount))
  }

  @inline(__always) mutating func append(_ row: Row) { rows.append(row) }

  /// Takes back what was noted since `begin`.
  mutating func takeBack() { others.removeLast(otherCount) }

  /// Notes where the value of a field begins, which is not noted yet.
  @inline(__always)
  mutating func note(_ offset: Int, of field: Int, in row: inout Row) {
    if field < Row.fieldCount { row.note(offset, of: field) } else { noteOther(offset, of: field) }
  }

  @inline(never) private mutating func noteOther(_ offset: Int, of field: Int) {
    others[others.count - otherCount + field - Row.fieldCount] = UInt32(truncatingIfNeeded: offset)
  }

  /// Whether a field of a row that is begun is noted: no value begins at the first byte of a file.
  func isNoted(_ field: Int, in row: Row) -> Bool {
    field < Row.fieldCount
      ? row[1 + field] != 0 : others[others.count - otherCount + field - Row.fieldCount] != 0
  }

  /// Four offsets of 32 bits. They are shifted into words, as to set one by its number in an array or a
  /// vector goes through memory and takes a third of a scan.
  struct Row {
    static let fieldCount = 3
    private var low: UInt64
    private var high: UInt64 = 0

    init(start: Int) { low = UInt64(truncatingIfNeeded: start) }

    subscript(place: Int) -> Int {
      let word = place < 2 ? low : high
      return Int(truncatingIfNeeded: word &>> UInt64(32 &* (place & 1)) & 0xFFFF_FFFF)
    }

    /// Notes where the value of a field begins, which is not noted yet.
    @inline(__always) mutating func note(_ offset: Int, of field: Int) {
      let place = 1 &+ field
      let part = UInt64(truncatingIfNeeded: offset) &<< UInt64(32 &* (place & 1))
      if place < 2 { low |= part } else { high |= part }
    }
  }
}
