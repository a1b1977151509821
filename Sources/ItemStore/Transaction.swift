/// What a change comes to on one version of the file.
struct Plan {
  var splices: [Splice]
  let touched: Touched
  /// The highest item id that it gives out.
  var highestID = 0

  enum Touched {
    /// The text of the records with what parts them.
    case made(text: [UInt8], count: Int)
    /// Indices before the change.
    case changed([Int])
    case removed([Int])
  }
}

/// One change of the data file: lock, read, plan, replace, log.
struct Transaction {
  private let store: ItemStore
  private let file: DataFile

  private static let attempts = 20

  init(_ store: ItemStore) throws(StoreError) {
    self.store = store
    file = try DataFile(store.path, system: store.system)
  }

  /// A plan for one version of the file.
  private struct Attempt {
    let version: DataFile.Version
    let document: Document
    let plan: Plan
  }

  /// - Parameter makePlan: gets the document and the highest item id ever given out.
  func run(
    _ verb: Verb, _ schema: Schema, _ makePlan: (Document, Int) throws(StoreError) -> Plan
  ) throws(StoreError) -> Change {
    func attempt(
      _ highestID: (DataFile.Version, Document) throws(StoreError) -> Int
    ) throws(StoreError) -> Attempt {
      let version = try file.read()
      let document = try checked(version)
      var plan = try makePlan(document, highestID(version, document))
      if plan.splices.isEmpty { return Attempt(version: version, document: document, plan: plan) }
      try file.checkIsWritable(version)
      plan.splices.sort { $0.range.lowerBound < $1.range.lowerBound }
      let growth = plan.splices.reduce(0) { $0 + $1.bytes.count - $1.range.count }
      guard document.bytes.count + growth <= DataFile.limit else {
        throw .tooLarge(path: file.path)
      }
      return Attempt(version: version, document: document, plan: plan)
    }
    func change(_ attempt: Attempt) throws(StoreError) -> Change {
      let touched = try attempt.plan.selection(schema, attempt.document)
      return Change(verb: verb, touched: touched, failure: nil)
    }

    // The first change makes the companion file; what turns out to change nothing must not.
    var early: Attempt?
    if !file.hasCompanion {
      let first = try attempt { $1.highestID }
      if first.plan.splices.isEmpty { return try change(first) }
      early = first
    }
    return try withLog { (log) throws(StoreError) in
      if !log.isNew { early = nil }
      for _ in 0..<Self.attempts {
        let next =
          if let early {
            early
          } else {
            try attempt { (version, document) throws(StoreError) in
              if document.highestID < log.visibleID {
                try forgetUnmade(in: &log, Fingerprint(version.bytes), document)
              }
              return log.highestID(visible: document.highestID)
            }
          }
        early = nil
        var change = try change(next)
        if next.plan.splices.isEmpty { return change }
        if case .made(let failure) = try replace(next, &log, verb, schema) {
          change.failure = failure
          return change
        }
      }
      throw .keepsChanging(path: file.path)
    }
  }

  /// Replaces the file and logs how to take that back, between filling and naming the new file.
  private func replace(
    _ attempt: Attempt, _ log: inout UndoLog, _ verb: Verb, _ schema: Schema
  ) throws(StoreError) -> DataFile.Replacement {
    let (bytes, visible) = (attempt.version.bytes, attempt.document.highestID)
    let splices = attempt.document.inFile(attempt.plan.splices)
    var isLogged = false
    do throws(StoreError) {
      let result = try file.replace(
        attempt.version, with: splices, temporary: log.temporary(for: file), warn: store.warn
      ) { () throws(StoreError) in
        let entry = UndoLog.Entry(
          verb: verb, list: Schema.all.firstIndex { $0.list == schema.list } ?? 0,
          before: Fingerprint(bytes), after: Fingerprint(bytes, edited: splices),
          inverse: splices.inverse(of: bytes))
        isLogged = true
        try file.reporting(log.path) { () throws(Errno) in
          try log.append(
            entry, visibleBefore: visible, visibleAfter: max(visible, attempt.plan.highestID))
        }
      }
      if case .outdated = result { try? log.cancelAppend() }
      return result
    } catch {
      if isLogged { try? log.cancelAppend() }
      throw error
    }
  }

  func undo() throws(StoreError) -> Change {
    guard file.hasCompanion else { throw .nothingToUndo }
    return try withLog { (log) throws(StoreError) in
      for _ in 0..<Self.attempts {
        let version = try file.read()
        let document = try checked(version)
        let entry = try newestEntry(of: &log, for: version, document)
        let splices = entry.inverse
        let restored = try checked(
          DataFile.Version(
            bytes: Bytes(splices.applied(to: version.bytes)), file: nil, status: nil))
        let schema = Schema.all[entry.list]
        let touched =
          if entry.verb == .add {
            document.selection(schema, touching: splices.map(\.range))
          } else {
            restored.selection(schema, touching: splices.inverse(of: version.bytes).map(\.range))
          }
        let result = try file.replace(
          version, with: splices, temporary: log.temporary(for: file), warn: store.warn
        ) {}
        guard case .made(let failure) = result else { continue }
        // Where this fails, the entry is found out by its fingerprints the next time.
        try? log.removeLast(visible: restored.highestID)
        return Change(verb: entry.verb, touched: touched, failure: failure)
      }
      throw .keepsChanging(path: file.path)
    }
  }

  /// The entry of the change that left the file as it is.
  private func newestEntry(
    of log: inout UndoLog, for version: DataFile.Version, _ document: Document
  ) throws(StoreError) -> UndoLog.Entry {
    let current = Fingerprint(version.bytes)
    guard let entry = try forgetUnmade(in: &log, current, document) else { throw .nothingToUndo }
    guard entry.after == current else { throw .changedSince(path: file.path) }
    guard Fingerprint(version.bytes, edited: entry.inverse) == entry.before else {
      throw .nothingToUndo
    }
    return entry
  }

  /// Forgets changes that were logged and then not made, or taken back and then not forgotten, by a
  /// command that was killed.
  ///
  /// - Returns: the newest entry that is left.
  @discardableResult
  private func forgetUnmade(
    in log: inout UndoLog, _ current: Fingerprint, _ document: Document
  ) throws(StoreError) -> UndoLog.Entry? {
    do throws(Errno) {
      while let entry = try log.last() {
        guard entry.before == current, entry.after != current else { return entry }
        try log.removeLast(visible: document.highestID)
      }
      return nil
    } catch {
      throw .failed(path: log.path, error)
    }
  }

  /// Runs `body` under the lock. Where nothing comes of it, what was made for it goes again.
  private func withLog(
    _ body: (inout UndoLog) throws(StoreError) -> Change
  ) throws(StoreError) -> Change {
    var folders: [String] = []
    var log: UndoLog?
    do throws(StoreError) {
      var locked = try lock(making: &folders)
      log = locked
      return try body(&locked)
    } catch {
      if let log, log.isNew { try? store.system.remove(log.path) }
      for folder in folders.reversed() { try? store.system.removeFolder(folder) }
      throw error
    }
  }

  /// Takes the lock, and makes the folders above it where they are not there. Another command that
  /// made them may take them away once more, as it came to nothing.
  private func lock(making folders: inout [String]) throws(StoreError) -> UndoLog {
    let status = try? store.system.status(of: file.path)
    var attempt = 0
    while true {
      do throws(StoreError) {
        if attempt > 0 { folders += try file.makeFolders() }
        return try UndoLog.lock(file, status: status, patience: store.patience)
      } catch {
        guard case .failed(_, .doesNotExist) = error, attempt < Self.attempts else { throw error }
        attempt += 1
      }
    }
  }

  private func checked(_ version: DataFile.Version) throws(StoreError) -> Document {
    try store.document(of: version, in: file)
  }
}

extension Plan {
  /// The records touched, as `Change` has them.
  func selection(_ schema: Schema, _ document: Document) throws(StoreError) -> Selection {
    var json = [UInt8(ascii: "{")] + JSONString.encode(schema.list) + Array(":[".utf8)
    let count: Int
    switch touched {
    case .removed(let records): return Selection(document, schema, records)
    case .changed(let records) where splices.isEmpty: return Selection(document, schema, records)
    case .changed(let records):
      let list = document.list(schema)
      for record in records {
        document.appendText(of: StoredFields(document, list, record), after: splices, to: &json)
        json.append(UInt8(ascii: ","))
      }
      if !records.isEmpty { json.removeLast() }
      count = records.count
    case .made(let text, let made):
      json += text
      count = made
    }
    json += Array("]}".utf8)
    do throws(FaultList) {
      return Selection(try Document(Bytes(json)), schema, Array(0..<count))
    } catch {
      // No caller can make this happen; if one could, the file would be none that can be read.
      throw .invalidValue(error.faults[0].reason, origin: nil)
    }
  }
}

extension Document {
  /// Appends the text that a record has after an edit, whose splices are sorted.
  fileprivate func appendText(
    of fields: StoredFields, after splices: [Splice], to text: inout [UInt8]
  ) {
    let range = fields.range
    var (low, high) = (0, splices.count)
    while low < high {
      let middle = (low + high) / 2
      if splices[middle].range.lowerBound < range.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var position = range.lowerBound
    while low < splices.count, splices[low].range.lowerBound < range.upperBound {
      bytes.append(position..<splices[low].range.lowerBound, to: &text)
      text += splices[low].bytes
      position = splices[low].range.upperBound
      low += 1
    }
    bytes.append(position..<range.upperBound, to: &text)
  }

  /// The records that the ranges, which ascend, lie in or cover.
  fileprivate func selection(_ schema: Schema, touching ranges: [Range<Int>]) -> Selection {
    let list = list(schema)
    var next = 0
    let records = (0..<list.count).filter { record in
      let range = StoredFields(self, list, record).range
      while next < ranges.count && ranges[next].upperBound <= range.lowerBound { next += 1 }
      return next < ranges.count && ranges[next].lowerBound < range.upperBound
    }
    return Selection(self, schema, blank == nil ? records : [])
  }

  /// The splices of `bytes` as splices of the file, for which a skeleton may stand.
  fileprivate func inFile(_ splices: [Splice]) -> [Splice] {
    guard let blank else { return splices }
    let edited = splices.applied(to: bytes)
    let tail = fileCount - blank.upperBound
    return [Splice(blank, Array(edited[blank.lowerBound..<edited.count - tail]))]
  }

  /// Completes new records: ids, and the values that are not given.
  ///
  /// - Returns: the records and the highest item id given out with them.
  /// - Throws: `taken` with every id that is in use or given twice, `noFreeID`, `invalidValue`.
  func complete(
    _ drafts: [Draft], of schema: Schema, highestID: Int
  ) throws(StoreError) -> (records: [[Member]], highestID: Int) {
    var highest = highestID
    try checkIDs(of: drafts, schema, &highest)
    var records: [[Member]] = []
    records.reserveCapacity(drafts.count)
    for draft in drafts {
      var members: [Member] = []
      members.reserveCapacity(draft.members.count + schema.fields.count)
      if !draft.members.contains(where: { $0.name == schema.key.name }) {
        members.append(try newKey(schema, &highest))
      }
      members += draft.members
      for field in schema.fields.dropFirst()
      where !members.contains(where: { $0.name == field.name }) {
        guard let value = field.initial?() else {
          throw .invalidValue(
            .missing(field: field.name, noun: "the \(schema.noun)"), origin: draft.origin)
        }
        members.append(value)
      }
      records.append(members)
    }
    return (records, highest)
  }

  private func newKey(_ schema: Schema, _ highestID: inout Int) throws(StoreError) -> Member {
    if case .uuid = schema.key.kind { return Member(schema.key.name, text: Key.random().uuid) }
    let (next, overflow) = highestID.addingReportingOverflow(1)
    if overflow { throw .noFreeID }
    highestID = next
    return Member(schema.key.name, number: next)
  }

  /// Checks that the ids that drafts bring are free, and raises `highestID` to them.
  private func checkIDs(
    of drafts: [Draft], _ schema: Schema, _ highestID: inout Int
  ) throws(StoreError) {
    var brought: [Key: StoreError.Mention] = [:]
    var taken: [StoreError.Mention] = []
    for draft in drafts {
      guard let member = draft.members.first(where: { $0.name == schema.key.name }) else {
        continue
      }
      let json = Bytes(Array(member.value))
      let key = schema.key(at: 0, in: json)
      let id = if case .uuid = schema.key.kind { key.uuid } else { String(key.number) }
      let mention = StoreError.Mention(noun: schema.noun, id: id, origin: draft.origin)
      if brought.updateValue(mention, forKey: key) != nil { taken.append(mention) }
      if case .wholeNumber = schema.key.kind { highestID = max(highestID, key.number) }
    }
    if brought.isEmpty { return }
    let list = list(schema)
    for record in 0..<list.count {
      if let mention = brought[list.key(of: record, in: bytes)] { taken.append(mention) }
    }
    if !taken.isEmpty {
      throw .taken(taken.sorted { ($0.origin ?? 0) < ($1.origin ?? 0) })
    }
  }

  /// The error of a batch in which several targets name one record.
  func givenTwice(_ targets: [Target], in schema: Schema) throws(StoreError) -> StoreError {
    var seen: Set<Int> = []
    var mentions: [StoreError.Mention] = []
    for target in targets {
      let record = try find([target], in: list(schema))
      if !seen.isDisjoint(with: record) {
        mentions.append(
          StoreError.Mention(noun: schema.noun, id: target.text, origin: target.origin))
      }
      seen.formUnion(record)
    }
    return .givenTwice(mentions)
  }
}
