/// One change of the data file, from the lock to the rename.
package struct Transaction {
  let store: Store
  let request: Request
  /// Whether the request is not tried out before there is a lock.
  let locksFirst: Bool

  /// What is to be done to the records.
  package enum Request {
    /// The closure gets the checked file and the highest item id ever given out.
    case change(Verb, Schema, (Document, Int) throws -> Edit)
    case undo, redo
  }

  /// How often a change begins anew because the file or the lock was replaced between reading and rename.
  /// Only programs that take no lock can do that, and each time they have to be faster.
  private static let attempts = 20

  /// - Throws: `StoreError`, or what the closure of the request throws. Nothing is changed then.
  func run() throws -> Outcome {
    var missing: StoreError?
    for _ in 0..<Self.attempts {
      guard let outcome = try attempt(&missing) else { continue }
      // Whoever is told may let us wait, so nobody waits for the lock meanwhile.
      for warning in outcome.warnings { store.onWarning(warning) }
      return outcome
    }
    throw missing ?? .keepsChanging(path: store.path)
  }

  /// - Parameter missing: becomes the error if a folder is not there that was just made.
  /// - Returns: nil if the file or the lock is another one by now.
  private func attempt(_ missing: inout StoreError?) throws -> Outcome? {
    let found = try DataFile.existing(store.path, store.system)
    var early: Plan?
    if !locksFirst, try found?.hasCompanion != true {
      let plan = try planWithoutLog()
      if plan.edit.splices.isEmpty { return try plan.outcome }
      early = plan
    }
    let folders = MadeFolders()
    var outcome: Outcome?
    defer { if outcome?.isMade != true { folders.remove() } }
    do {
      let data = try found ?? DataFile(store.path, store.system, making: folders)
      outcome = try change(data, early)
    } catch let error as StoreError where error.errno == .doesNotExist && found == nil {
      // Perhaps another command has made the folders and takes them away, as its change has failed.
      missing = error
      return nil
    }
    return outcome
  }

  /// The plan if there is no companion yet: a request that changes nothing makes none.
  private func planWithoutLog() throws -> Plan {
    let version = try Version.read(store.path, store.system)
    let document = try Document(version.bytes, of: store.path, store.schemas)
    guard case .change(let verb, let schema, let edit) = request else {
      throw if case .undo = request { StoreError.nothingToUndo } else { StoreError.nothingToRedo }
    }
    return Plan(version, document, verb, schema, try edit(document, document.highestID))
  }

  private func change(_ data: DataFile, _ early: Plan?) throws -> Outcome? {
    // Lock the companion.
    var companion = try Companion.lock(data, patience: store.lockTimeout)
    let plan: Plan
    if let early, companion.isNew {
      plan = early
    } else {
      // Read the data file, while the kernel makes a copy.
      let name = companion.temporaryName
      let version = try Version.read(data) { [store] file, status in
        guard OpenFolder.hasUnnamedFiles, status.count >= store.leastToClone else { return nil }
        return StagedFile.clone(file, status, for: name, beside: data)
      }
      guard let version else { return nil }
      try companion.settle(with: version)
      // Check it.
      let document = try Document(version.bytes, of: store.path, store.schemas)
      // Edit.
      plan = try makePlan(version, document, &companion)
    }
    if plan.edit.splices.isEmpty { return try plan.outcome }
    try data.refuseReadOnly(plan.version)
    guard plan.version.bytes.count + plan.growth <= DataFile.limit else {
      throw StoreError.tooLarge(path: store.path)
    }
    return try System.holdingSignals { try replace(data, plan, &companion) }
  }

  private func makePlan(
    _ version: Version, _ document: Document, _ companion: inout Companion
  ) throws -> Plan {
    switch request {
    case .change(let verb, let schema, let edit):
      let highestID = max(document.highestID, companion.highestID)
      return Plan(version, document, verb, schema, try edit(document, highestID))
    case .undo:
      return try Plan(version, document, try companion.undoing(version), .undo)
    case .redo:
      return try Plan(version, document, try companion.redoing(version), .redo)
    }
  }

  private func replace(
    _ data: DataFile, _ plan: Plan, _ companion: inout Companion
  ) throws(StoreError) -> Outcome? {
    // Stage the new file.
    var staged = try StagedFile(of: plan.version, beside: data, named: companion.temporaryName)
    try staged.fill(with: plan.splices)
    // Say what was done, while the disk is at work.
    var outcome = try plan.outcome
    outcome.warnings = staged.keepAttributes()
    // Log the way back.
    try companion.note(plan)
    // Commit.
    try staged.sync()
    guard try companion.isInPlace(), try data.isCurrent(plan.version, store.system) else {
      return nil
    }
    try staged.rename(to: data.name)
    outcome.isMade = true
    do throws(StoreError) {
      try data.folder.sync()
    } catch {
      outcome.failure = error.errno.map { .unsynced(path: store.path, $0) }
    }
    companion.settle()
    return outcome
  }
}
