/// What a change comes to on one version of the file.
struct Plan {
  var splices: [Splice]
  let touched: Touched
  /// The highest item id that it gives out.
  var highestID = 0

  enum Touched {
    case made([[Member]])
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

  /// - Parameter plan: gets the document and the highest item id ever given out.
  func run(
    _ verb: Verb, _ schema: Schema, _ plan: (Document, Int) throws(StoreError) -> Plan
  ) throws(StoreError) -> Change {
    // The first change makes the companion file; what turns out to change nothing must not.
    if !file.hasCompanion {
      let version = try file.read()
      let document = try checked(version)
      let plan = try plan(document, document.highestID)
      if plan.splices.isEmpty {
        return Change(verb: verb, touched: try plan.selection(schema, document), failure: nil)
      }
      try file.checkIsWritable(version)
    }
    return try withLog { (log) throws(StoreError) in
      for _ in 0..<Self.attempts {
        let version = try file.read()
        let document = try checked(version)
        var plan = try plan(document, log.highestID(visible: document.highestID))
        plan.splices.sort { $0.range.lowerBound < $1.range.lowerBound }
        var change = Change(verb: verb, touched: try plan.selection(schema, document), failure: nil)
        if plan.splices.isEmpty { return change }
        let splices = document.inFile(plan.splices)
        switch try replace(
          version, splices, &log, logging: (verb, schema, document, plan.highestID))
        {
        case .outdated: continue
        case .made(let failure): change.failure = failure
        }
        return change
      }
      throw .keepsChanging(path: file.path)
    }
  }

  /// Replaces the file and logs how to take that back, between filling and naming the new file.
  private func replace(
    _ version: DataFile.Version, _ splices: [Splice], _ log: inout UndoLog,
    logging change: (verb: Verb, schema: Schema, document: Document, highestID: Int)
  ) throws(StoreError) -> DataFile.Replacement {
    let visible = change.document.highestID
    var isLogged = false
    do throws(StoreError) {
      let result = try file.replace(
        version, with: splices, temporary: log.temporary(for: file), warn: store.warn
      ) { () throws(StoreError) in
        let entry = UndoLog.Entry(
          verb: change.verb, list: Schema.all.firstIndex { $0.list == change.schema.list } ?? 0,
          before: Fingerprint(version.bytes), after: Fingerprint(version.bytes, edited: splices),
          inverse: splices.inverse(of: version.bytes))
        isLogged = true
        try file.reporting(log.path) { () throws(Errno) in
          try log.append(
            entry, visibleBefore: visible, visibleAfter: max(visible, change.highestID))
        }
      }
      if case .outdated = result { try? log.removeLast(visible: visible) }
      return result
    } catch {
      if isLogged { try? log.removeLast(visible: visible) }
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

  /// The entry of the change that left the file as it is. Entries of changes that were logged and
  /// then not made, by a command that was killed, are forgotten on the way.
  private func newestEntry(
    of log: inout UndoLog, for version: DataFile.Version, _ document: Document
  ) throws(StoreError) -> UndoLog.Entry {
    let current = Fingerprint(version.bytes)
    while let entry = try file.reporting(log.path, { () throws(Errno) in try log.last() }) {
      if entry.after == current {
        guard Fingerprint(version.bytes, edited: entry.inverse) == entry.before else { break }
        return entry
      }
      guard entry.before == current else { throw .changedSince(path: file.path) }
      try file.reporting(log.path) { () throws(Errno) in
        try log.removeLast(visible: document.highestID)
      }
    }
    throw .nothingToUndo
  }

  /// Runs `body` under the lock. Where nothing comes of it, what was made for it goes again.
  private func withLog(
    _ body: (inout UndoLog) throws(StoreError) -> Change
  ) throws(StoreError) -> Change {
    var folders: [String] = []
    var log: UndoLog?
    do throws(StoreError) {
      let status = try? store.system.status(of: file.path)
      do throws(StoreError) {
        log = try UndoLog.lock(file, status: status, patience: store.patience)
      } catch {
        guard case .failed(_, .doesNotExist) = error else { throw error }
        folders = try file.makeFolders()
        log = try UndoLog.lock(file, status: status, patience: store.patience)
      }
      guard var log else { throw .locked(path: file.path) }
      return try body(&log)
    } catch {
      if let log, log.isNew { try? store.system.remove(log.path) }
      for folder in folders.reversed() { try? store.system.removeFolder(folder) }
      throw error
    }
  }

  private func checked(_ version: DataFile.Version) throws(StoreError) -> Document {
    try store.document(of: version, in: file)
  }
}

extension Plan {
  /// The records touched, as `Change` has them.
  func selection(_ schema: Schema, _ document: Document) throws(StoreError) -> Selection {
    var texts: [[UInt8]]
    switch touched {
    case .removed(let records): return Selection(document, schema, records)
    case .changed(let records) where splices.isEmpty: return Selection(document, schema, records)
    case .changed(let records):
      texts = records.map { document.text(of: $0, schema, after: splices) }
    case .made(let records):
      let layout = RecordLayout(colon: Array(": ".utf8))
      texts = records.map { members in
        var text: [UInt8] = []
        layout.append(members, to: &text)
        return text
      }
    }
    let list = JSONString.encode(schema.list) + [UInt8(ascii: ":"), UInt8(ascii: "[")]
    let json =
      [UInt8(ascii: "{")] + list + texts.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
    do throws(FaultList) {
      return Selection(try Document(Bytes(json)), schema, Array(texts.indices))
    } catch {
      // No caller can make this happen; if one could, the file would be none that can be read.
      throw .invalidValue(error.faults[0].reason, origin: nil)
    }
  }
}

extension Document {
  /// The text that a record has after an edit, whose splices are sorted.
  fileprivate func text(of record: Int, _ schema: Schema, after splices: [Splice]) -> [UInt8] {
    let range = StoredFields(self, list(schema), record).range
    var (low, high) = (0, splices.count)
    while low < high {
      let middle = (low + high) / 2
      if splices[middle].range.lowerBound < range.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var text: [UInt8] = []
    var position = range.lowerBound
    for splice in splices[low...].prefix(while: { $0.range.lowerBound < range.upperBound }) {
      bytes.append(position..<splice.range.lowerBound, to: &text)
      text += splice.bytes
      position = splice.range.upperBound
    }
    bytes.append(position..<range.upperBound, to: &text)
    return text
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
      var members = draft.members
      for (i, field) in schema.fields.enumerated()
      where !members.contains(where: { $0.name == field.name }) {
        if i == 0 {
          members.insert(try newKey(schema, &highest), at: 0)
        } else if let value = field.initial?() {
          members.append(value)
        } else {
          throw .invalidValue(
            .missing(field: field.name, noun: "the \(schema.noun)"), origin: draft.origin)
        }
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
