/// The keys of a list: numbers, each higher than the one before, as long as that holds; then a table.
struct UniqueKeys {
  private(set) var highest = Int.min
  private let schema: Schema
  private let bytes: Bytes
  /// The index of the record with each key.
  private var first: [RecordKey: Int]?

  init(_ schema: Schema, _ bytes: Bytes) {
    (self.schema, self.bytes) = (schema, bytes)
    if schema.key.kind != .wholeNumber { first = [:] }
  }

  var areAscending: Bool { first == nil }

  mutating func reserveCapacity(_ count: Int) { first?.reserveCapacity(count) }

  /// Adds the key of the last of some rows, and returns the index of the record that had it before.
  @inline(__always)
  mutating func insert(_ key: RecordKey, ofLast rows: RecordRows) -> Int? {
    if first == nil && key.number > highest {
      highest = key.number
      return nil
    }
    return insertIntoTable(key, rows)
  }

  @inline(never)
  private mutating func insertIntoTable(_ key: RecordKey, _ rows: RecordRows) -> Int? {
    let record = rows.count - 1
    if first == nil {
      first = [:]
      for i in 0..<record {
        first?[schema.key(at: rows.value(of: 0, in: i), in: bytes)] = i
      }
    }
    if schema.key.kind == .wholeNumber { highest = max(highest, key.number) }
    let earlier = first?.updateValue(record, forKey: key)
    if let earlier { first?[key] = earlier }
    return earlier
  }
}
