/// One change of the data file: lock, read, plan, replace, log.
struct Transaction {
  private let store: Store
  private let file: DataFile

  private static let attempts = 20

  init(_ store: Store) throws(StoreError) {
    self.store = store
    file = try DataFile(store.path, system: store.system)
  }

  /// A plan for one version of the file.
  private struct Attempt {
    let version: DataFile.Version
    let fingerprints: Background<Fingerprints>
    let document: Document
    let plan: Edit
  }

  /// Runs `body`, and again where that returns nil: the file or its lock has become another.
  static func perform(
    _ store: Store, _ body: (Transaction) throws(StoreError) -> Outcome?
  ) throws(StoreError) -> Outcome {
    for _ in 0..<attempts {
      if let change = try body(Transaction(store)) { return change }
    }
    throw .keepsChanging(path: store.path)
  }

  /// Whether a link stands in the place of the file, or others may hold a lock beside this one, as the
  /// companion was removed or its folder was replaced.
  private func isElsewhere(_ log: Companion) throws(StoreError) -> Bool {
    if file.isLink { return true }
    return try file.reporting(log.path) { () throws(Errno) in try !log.isInPlace() }
  }

  /// - Parameter makePlan: gets the document and the highest item id ever given out.
  func run(
    _ verb: Verb, _ schema: Schema, _ makePlan: (Document, Int) throws(StoreError) -> Edit
  ) throws(StoreError) -> Outcome? {
    func attempt(
      cloningTo temporary: String? = nil,
      _ highestID: (DataFile.Version, Document) throws(StoreError) -> Int
    ) throws(StoreError) -> Attempt {
      let version = try file.read(cloningTo: temporary, from: store.leastToClone)
      // While the file is checked.
      let fingerprints = Background(forBytes: version.bytes.count) { [bytes = version.bytes] in
        Fingerprints(of: bytes)
      }
      let document = try checked(version)
      var plan = try makePlan(document, highestID(version, document))
      if !plan.splices.isEmpty {
        try file.checkIsWritable(version)
        plan.splices.sort { $0.range.lowerBound < $1.range.lowerBound }
        let growth = plan.splices.reduce(0) { $0 + $1.bytes.count - $1.range.count }
        guard document.bytes.count + growth <= DataFile.limit else {
          throw .tooLarge(path: file.path)
        }
      }
      return Attempt(
        version: version, fingerprints: fingerprints, document: document, plan: plan)
    }
    func change(_ attempt: Attempt) throws(StoreError) -> Outcome {
      let touched = try attempt.plan.selection(schema, attempt.document)
      return Outcome(verb: verb, touched: touched, failure: nil)
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
            try attempt(cloningTo: log.temporary(for: file)) {
              (version, document) throws(StoreError) in
              if document.highestID < log.visibleID {
                try forgetUnmade(in: &log, Fingerprint(version.bytes), document)
              }
              return log.highestID(visible: document.highestID)
            }
          }
        early = nil
        if next.plan.splices.isEmpty { return try change(next) }
        // Made when the new file is filled, while the disk is at work.
        var made: Outcome?
        let result = try replace(next, &log, verb, schema) { () throws(StoreError) in
          made = try change(next)
        }
        if case .made(let failure) = result {
          made?.isMade = true
          made?.failure = failure
          return made
        }
        if try isElsewhere(log) { return nil }
      }
      throw .keepsChanging(path: file.path)
    }
  }

  /// Replaces the file and logs how to take that back, between filling and naming the new file.
  private func replace(
    _ attempt: Attempt, _ log: inout Companion, _ verb: Verb, _ schema: Schema,
    prepare: () throws(StoreError) -> Void
  ) throws(StoreError) -> DataFile.Replacement {
    let (bytes, visible) = (attempt.version.bytes, attempt.document.highestID)
    let splices = attempt.document.inFile(attempt.plan.splices)
    let fingerprints = attempt.fingerprints
    var isLogged = false
    do throws(StoreError) {
      let result = try file.replace(
        attempt.version, with: splices, under: log, warn: store.warn
      ) { () throws(StoreError) in
        try prepare()
        let entry = Companion.Entry(
          verb: verb, list: Schema.all.firstIndex { $0.list == schema.list } ?? 0,
          before: fingerprints.value.whole, after: fingerprints.value.edited(splices),
          inverse: splices.inverse(of: bytes))
        isLogged = true
        try file.reporting(log.path) { () throws(Errno) in
          try log.append(
            entry, visibleBefore: visible, visibleAfter: max(visible, attempt.plan.highestID))
        }
      }
      switch result {
      case .outdated: try? log.cancelAppend()
      // Where this fails, the entry counts as one that may not have been made, and it was.
      case .made: try? log.settle()
      }
      return result
    } catch {
      if isLogged { try? log.cancelAppend() }
      throw error
    }
  }

  func undo() throws(StoreError) -> Outcome? {
    guard file.hasCompanion else { throw .nothingToUndo }
    return try withLog { (log) throws(StoreError) in
      for _ in 0..<Self.attempts {
        let version = try file.read(
          cloningTo: log.temporary(for: file), from: store.leastToClone)
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
          version, with: splices, under: log, warn: store.warn
        ) { () throws(StoreError) in
          try file.reporting(log.path) { () throws(Errno) in try log.beginUndo() }
        }
        guard case .made(let failure) = result else {
          try? log.settle()
          if try isElsewhere(log) { return nil }
          continue
        }
        // Where this fails, the entry is found out by its fingerprints the next time.
        try? log.removeLast(visible: restored.highestID)
        return Outcome(verb: entry.verb, touched: touched, isMade: true, failure: failure)
      }
      throw .keepsChanging(path: file.path)
    }
  }

  /// The entry of the change that left the file as it is.
  private func newestEntry(
    of log: inout Companion, for version: DataFile.Version, _ document: Document
  ) throws(StoreError) -> Companion.Entry {
    let fingerprints = Fingerprints(of: version.bytes)
    let current = fingerprints.whole
    guard let entry = try forgetUnmade(in: &log, current, document) else { throw .nothingToUndo }
    guard entry.after == current else { throw .changedSince(path: file.path) }
    guard fingerprints.edited(entry.inverse) == entry.before else {
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
    in log: inout Companion, _ current: Fingerprint, _ document: Document
  ) throws(StoreError) -> Companion.Entry? {
    do throws(Errno) {
      while let entry = try log.last() {
        guard log.isPending, entry.before == current, entry.after != current else { return entry }
        try log.removeLast(visible: document.highestID)
      }
      return nil
    } catch {
      throw .failed(path: log.path, error)
    }
  }

  /// Runs `body` under the lock. Where nothing comes of it, what was made for it goes again.
  private func withLog(
    _ body: (inout Companion) throws(StoreError) -> Outcome?
  ) throws(StoreError) -> Outcome? {
    var folders: [String] = []
    var log: Companion?
    do throws(StoreError) {
      var locked = try lock(making: &folders)
      log = locked
      let change = try body(&locked)
      if change == nil, locked.isNew, (try? locked.isInPlace()) == true {
        try? store.system.remove(locked.path)
      }
      return change
    } catch {
      if let log, log.isNew { try? store.system.remove(log.path) }
      for folder in folders.reversed() { try? store.system.removeFolder(folder) }
      throw error
    }
  }

  /// Takes the lock, and makes the folders above it where they are not there. Another command that
  /// made them may take them away once more, as it came to nothing.
  private func lock(making folders: inout [String]) throws(StoreError) -> Companion {
    var attempt = 0
    while true {
      do throws(StoreError) {
        if attempt > 0 { folders += try file.makeFolders() }
        return try Companion.lock(file, patience: store.patience)
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
