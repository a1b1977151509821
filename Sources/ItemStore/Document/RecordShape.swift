/// How one record is laid out: its members in their order, and what lies between their values.
///
///     , {"id": 1, "title": "a"}
///     gg                          the gap, from the end of the record before
///       sssssss sssssssssss       a seam before each value
///                             t   the tail
struct RecordShape {
  private(set) var gap = Seam()
  private(set) var steps: [Step] = []
  private(set) var tail = Seam()
  /// Behind the last value, or the start of the record.
  private var end = 0

  struct Step {
    var seam: Seam
    /// The field of the schema; -1 for any other.
    let field: Int
    let kind: Schema.Kind
  }

  mutating func begin(at start: Int, gap: Range<Int>) {
    self.gap = Seam(gap)
    steps.removeAll(keepingCapacity: true)
    end = start
  }

  @inline(__always) mutating func add(_ value: Range<Int>, of field: Int, _ kind: Schema.Kind) {
    steps.append(Step(seam: Seam(end..<value.lowerBound), field: field, kind: kind))
    end = value.upperBound
  }

  mutating func end(at position: Int) { tail = Seam(end..<position) }

  /// Gets ready to compare records with this one. False if the record at `position` begins in another
  /// way: that spares the work for records that differ from one to the next.
  mutating func prepare(forRecordAt position: Int, in bytes: Bytes) -> Bool {
    guard !gap.range.isEmpty, let first = steps.first,
      bytes.isEqual(gap.range.lowerBound..<first.seam.range.upperBound, at: position)
    else { return false }
    gap.load(from: bytes)
    for i in steps.indices { steps[i].seam.load(from: bytes) }
    tail.load(from: bytes)
    return true
  }
}
