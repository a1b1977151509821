/// What a command does to the records of one list.
package enum Verb: UInt64, Sendable {
  case add = 1
  case update, delete, deleteAll
}

/// Some records of a document, in the order in which they are to be shown.
package struct Selection: Sendable {
  package let document: Document
  package let schema: Schema
  package let records: [Int]

  package init(_ document: Document, _ schema: Schema, _ records: [Int]) {
    (self.document, self.schema, self.records) = (document, schema, records)
  }

  package var list: RecordList { document.list(schema) }

  package var isEmpty: Bool { records.isEmpty }

  func decoded<R: Record>(as type: R.Type = R.self) -> [R] {
    let list = list
    return records.map { R(StoredFields(document, list, $0)) }
  }
}

/// What a command did.
package struct Change: Sendable {
  package let verb: Verb
  /// The records touched: as they are now, or as they were where they are gone.
  package let touched: Selection
  /// Whether the file was changed: false where all was as it was to be.
  package var isMade = false
  /// What failed after the change was made.
  package var failure: StoreError?
}

/// A record to be made.
package struct Draft: Sendable {
  package let members: [Member]
  /// Where it stands in the input, for an error.
  package let origin: Int?

  package init(_ members: [Member], origin: Int? = nil) {
    (self.members, self.origin) = (members, origin)
  }
}

/// A record that a command names, by its id or by a unique prefix of it.
package struct Target: Sendable {
  package let text: String
  /// Nil where `text` begins no UUID, and so names no task.
  package let prefix: KeyPrefix?
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
      guard text.utf8.count >= Self.shortestPrefix else { throw .tooShort }
      prefix = KeyPrefix(uuid: text.utf8)
    case .wholeNumber, .text:
      guard let number = Int(text), text.first != "+" else { throw .notANumber }
      prefix = KeyPrefix(Key(number: number))
    }
  }

  func mention(_ schema: Schema) -> StoreError.Mention {
    StoreError.Mention(noun: schema.noun, id: text, origin: origin)
  }

  init(_ key: some LosslessStringConvertible, of schema: Schema) throws(StoreError) {
    let text = String(key)
    do throws(Problem) {
      try self.init(text, of: schema)
    } catch {
      throw .notFound([StoreError.Mention(noun: schema.noun, id: text)])
    }
  }
}

/// Which records a command works on: those that it names, all that meet its conditions, or those
/// named that meet them.
package struct Selector: Sendable {
  package var targets: [Target]?
  package var conditions: [Condition]

  package init(targets: [Target]? = nil, conditions: [Condition] = []) {
    (self.targets, self.conditions) = (targets, conditions)
  }

  /// - Throws: `notFound` with every target that names none, `ambiguous` where one names several.
  func records(of schema: Schema, in document: Document) throws(StoreError) -> [Int] {
    let list = document.list(schema)
    let named =
      if let targets { try document.find(targets, in: list) } else { Array(0..<list.count) }
    if conditions.isEmpty { return named }
    return named.filter { record in
      let fields = StoredFields(document, list, record)
      return conditions.allSatisfy { $0.matches(fields) }
    }
  }
}

extension Document {
  /// The records that the targets name, each once, in the order of the targets.
  func find(_ targets: [Target], in list: RecordList) throws(StoreError) -> [Int] {
    var isFound = [Bool](repeating: false, count: list.count)
    return try locate(targets, in: list).filter { record in
      defer { isFound[record] = true }
      return !isFound[record]
    }
  }

  /// The record that each of the targets names.
  func locate(_ targets: [Target], in list: RecordList) throws(StoreError) -> [Int] {
    // The first record that each target names, and of those that name more, all.
    let none = -1
    let prefixes = targets.compactMap(\.prefix)
    var first = Dictionary(prefixes.map { ($0, none) }) { a, _ in a }
    var several: [KeyPrefix: [Int]] = [:]
    // An array: the set has room for as many as there are targets, and to go through it takes that long.
    let digitCounts = Array(Set(prefixes.map(\.digitCount)))
    // One bit for each wanted key spares most records the look into the dictionary.
    let bit = { (key: Key) in UInt64(1) << ((key.low ^ key.high >> 48) & 63) }
    var wanted = digitCounts == [32] ? prefixes.reduce(0) { $0 | bit($1.key) } : UInt64.max
    if prefixes.isEmpty { wanted = 0 }
    list.forEachKey(in: bytes) { record, key in
      guard wanted & bit(key) != 0 else { return }
      for digitCount in digitCounts {
        let prefix = KeyPrefix(key, digitCount: digitCount)
        guard let index = first.index(forKey: prefix) else { continue }
        let earlier = first.values[index]
        if earlier == none {
          first.values[index] = record
        } else {
          several[prefix, default: [earlier]].append(record)
        }
      }
    }

    let schema = list.schema
    var missing: [StoreError.Mention] = []
    var found: [Int] = []
    for target in targets {
      if let records = target.prefix.flatMap({ several[$0] }) {
        throw .ambiguous(
          target.mention(schema), candidates: candidates(records, in: list))
      }
      guard let record = target.prefix.flatMap({ first[$0] }), record != none else {
        missing.append(target.mention(schema))
        continue
      }
      found.append(record)
    }
    if !missing.isEmpty { throw .notFound(missing) }
    return found
  }

  /// The first of several records in words, and how many more there are.
  private func candidates(_ records: [Int], in list: RecordList) -> [String] {
    let most = 10
    let shown = records.prefix(most).map { record in
      let fields = StoredFields(self, list, record)
      return list.schema.fields.map { fields.text($0.name) }.joined(separator: "  ")
    }
    return shown + (records.count > most ? ["and \(records.count - most) more"] : [])
  }
}
