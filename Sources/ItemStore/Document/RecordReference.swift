/// A record that a command names, by its id or by a unique prefix of it.
package struct RecordReference: Sendable {
  package let text: String
  /// Nil where `text` begins no UUID, and so names no task.
  package let prefix: RecordKey.Prefix?
  package let origin: Int?

  /// How many digits of a UUID name a task.
  package static let shortestPrefix = 4

  package enum Problem: Error {
    case notANumber
    case tooShort
  }

  /// - Throws: why `text` cannot name a record of this type.
  package init(_ text: String, of schema: Schema, origin: Int? = nil) throws(Problem) {
    (self.text, self.origin) = (text, origin)
    switch schema.key.kind {
    case .uuid:
      guard text.unicodeScalars.count >= Self.shortestPrefix else { throw .tooShort }
      prefix = RecordKey.Prefix(uuid: text.utf8)
    case .wholeNumber, .text:
      guard let number = Int(text) else { throw .notANumber }
      prefix = RecordKey.Prefix(RecordKey(number: number))
    }
  }

  func problem(_ reason: Rejection.Reason, _ schema: Schema) -> Rejection.Problem {
    Rejection.Problem(reason, noun: schema.noun, id: text, origin: origin)
  }

  init(_ key: some LosslessStringConvertible, of schema: Schema) throws(StoreError) {
    let text = String(key)
    do throws(Problem) {
      try self.init(text, of: schema)
    } catch {
      throw .notFound(noun: schema.noun, ids: [text])
    }
  }
}

extension Document {
  /// The records that the targets name, each once, in the order of the targets.
  ///
  /// - Throws: every target that names no record, or several.
  func find(_ targets: [RecordReference], in list: RecordList) throws(Rejection) -> [Int] {
    let (located, problems) = locate(targets, in: list)
    try Rejection.throwAll(problems)
    let records = located.compactMap(\.self)
    if records.count < 2 { return records }
    var isFound = [Bool](repeating: false, count: list.count)
    return records.filter { record in
      defer { isFound[record] = true }
      return !isFound[record]
    }
  }

  /// The record that each of the targets names, and what is wrong with those that name none or several.
  package func locate(
    _ targets: [RecordReference], in list: RecordList
  ) -> (records: [Int?], problems: [Rejection.Problem]) {
    let schema = list.schema
    var ascending = AscendingKeys(of: list, in: bytes)
    let table =
      ascending == nil ? KeyTable(targets.compactMap(\.prefix), in: list, of: bytes) : nil
    var problems: [Rejection.Problem] = []
    var found: [Int?] = []
    found.reserveCapacity(targets.count)
    for target in targets {
      let record: Int?
      switch (target.prefix, table) {
      case (nil, _): record = nil
      case (let prefix?, nil): record = ascending?.record(prefix.key.number)
      case (let prefix?, let table?):
        if let records = table.several[prefix] {
          found.append(nil)
          let candidates = candidates(records, in: list)
          problems.append(target.problem(.ambiguous(candidates: candidates), schema))
          continue
        }
        record = table.first[prefix] ?? nil
      }
      found.append(record)
      if record == nil { problems.append(target.problem(.notFound, schema)) }
    }
    return (found, problems)
  }

  /// The record that each of the references names, if there is one, and only one.
  package func locate(_ references: [RecordReference?], in list: RecordList) -> [Int?] {
    var located = locate(references.compactMap(\.self), in: list).records.makeIterator()
    return references.map { $0 == nil ? nil : located.next() ?? nil }
  }

  /// As `locate`, but two references that name one record are a problem.
  package func locateOnce(
    _ references: [RecordReference], in list: RecordList
  ) -> (records: [Int?], problems: [Rejection.Problem]) {
    var (records, problems) = locate(references, in: list)
    var isNamed = [Bool](repeating: false, count: list.count)
    for case (let place, let record?) in zip(records.indices, records) {
      if isNamed[record] { problems.append(references[place].problem(.givenTwice, list.schema)) }
      isNamed[record] = true
    }
    return (records, problems)
  }

  /// The first of several records in words, and how many more there are.
  private func candidates(_ records: [Int], in list: RecordList) -> [String] {
    let most = 10
    let shown = records.prefix(most).map { record in
      let fields = StoredRecord(self, list, record)
      // Each is one line of the message.
      return list.schema.fields.map { fields.text($0.name) }.joined(separator: "  ")
        .split(whereSeparator: \.isNewline).joined(separator: " ")
    }
    return shown + (records.count > most ? ["and \(records.count - most) more"] : [])
  }
}

/// The ids of a list in which each is higher than the one before, as they are where the store gave
/// them all. To look for ids in the order of the list takes one step for each.
struct AscendingKeys {
  private let list: RecordList
  private var scanner: JSONScanner
  /// Behind the record found last.
  private var next = 0

  init?(of list: RecordList, in bytes: Bytes) {
    guard list.hasAscendingKeys else { return nil }
    self.list = list
    scanner = JSONScanner(bytes)
  }

  mutating func record(_ number: Int) -> Int? {
    var (low, high) = (0, next)
    if next < list.count, key(next) <= number {
      // In steps of twice the length each, up to a key that is higher.
      var step = 1
      low = next
      while low + step < list.count, key(low + step) <= number {
        low += step
        step *= 2
      }
      high = min(low + step, list.count)
    }
    while low < high {
      let middle = (low + high) / 2
      if key(middle) < number { low = middle + 1 } else { high = middle }
    }
    guard low < list.count, key(low) == number else { return nil }
    next = low + 1
    return low
  }

  private mutating func key(_ record: Int) -> Int {
    scanner.position = list.value(of: 0, in: record)
    return scanner.skipPlainInteger() ?? list.key(of: record, in: scanner.bytes).number
  }
}

/// Which records of a list begin with the wanted keys.
private struct KeyTable {
  /// For each wanted key the first record, if there is one.
  private(set) var first: [RecordKey.Prefix: Int?]
  /// All records, for the keys of which there are several.
  private(set) var several: [RecordKey.Prefix: [Int]] = [:]

  init(_ wanted: [RecordKey.Prefix], in list: RecordList, of bytes: Bytes) {
    first = Dictionary(wanted.map { ($0, nil) }) { a, _ in a }
    // An array: the set has room for as many as are wanted, and to go through it takes that long.
    let digitCounts = Array(Set(wanted.map(\.digitCount)))
    // One bit for each wanted key spares most records the look into the dictionary.
    let bit = { (key: RecordKey) in UInt64(1) << ((key.low ^ key.high >> 48) & 63) }
    let bits = digitCounts == [32] ? wanted.reduce(0) { $0 | bit($1.key) } : UInt64.max
    if wanted.isEmpty { return }
    for record in 0..<list.count {
      let key = list.key(of: record, in: bytes)
      guard bits & bit(key) != 0 else { continue }
      for digitCount in digitCounts {
        let prefix = RecordKey.Prefix(key, digitCount: digitCount)
        guard let index = first.index(forKey: prefix) else { continue }
        if let earlier = first.values[index] {
          several[prefix, default: [earlier]].append(record)
        } else {
          first.values[index] = record
        }
      }
    }
  }
}
