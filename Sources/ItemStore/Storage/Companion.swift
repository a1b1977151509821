#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The companion file: the lock of a data file, and the log that `undo` and `redo` read. It exists from
/// the first change on and keeps its name, so that all who lock it lock the same file.
///
/// The lock ends with this value. So does what was noted of a change that was not made, and a companion
/// that was made for it.
struct Companion: ~Copyable {
  /// Whether this command made the file, and no other has used it.
  let isNew: Bool
  private let file: OpenFile
  private let name: FilePath
  private let data: DataFile
  private var log: ChangeLog
  private var isUsed = false

  private init(
    _ file: OpenFile, _ name: FilePath, of data: DataFile, log: ChangeLog, isNew: Bool
  ) {
    (self.file, self.name, self.data, self.log, self.isNew) = (file, name, data, log, isNew)
  }

  deinit {
    var log = log
    log.cancel()
    if isNew, !isUsed, (try? isInPlace()) == true { try? data.folder.remove(name) }
  }

  /// Whether whoever looks for the lock still finds this one.
  func isInPlace() throws(StoreError) -> Bool { try Self.isStill(file, name, in: data.folder) }

  private static func isStill(
    _ file: OpenFile, _ name: FilePath, in folder: OpenFolder
  ) throws(StoreError) -> Bool {
    try folder.status(of: name)?.isSameFile(as: file.status()) == true
  }

  /// A name for the new file of the next replacement. It stays the same until the log is lost, so a file
  /// that a killed command left is found without a search.
  var temporaryName: FilePath { Self.temporaryName(of: data, log.nonce) }

  private static func temporaryName(of data: DataFile, _ nonce: UInt64) -> FilePath {
    data.companionName("\(String(nonce, radix: 16)).tmp")
  }

  /// The highest item id ever given out, which an undo or an editor may have taken from the data file.
  var highestID: Int { log.highestID }

  // MARK: Lock

  static func name(of data: DataFile) -> FilePath { data.companionName("undo") }

  /// Takes the lock, and makes the companion if there is none.
  ///
  /// - Throws: `locked` after `patience` seconds; `notACompanion` if the file of that name is none that
  ///   can be trusted.
  static func lock(_ data: DataFile, patience: Double) throws(StoreError) -> Companion {
    let name = name(of: data)
    let deadline = System.now + patience
    while true {
      let (file, isMade) = try open(name, in: data.folder)
      if !isMade { try refuseForeign(file, beside: data.folder.status(of: data.name)) }
      var pause = 0.0005
      while try !file.takesLock() {
        guard System.now < deadline else { throw .locked(path: file.path.description) }
        System.pause(seconds: pause * .random(in: 0.5...1))
        pause = min(pause * 1.5, 0.05)
      }
      // Whoever made it may have removed it again, as nothing came of the change.
      guard try isStill(file, name, in: data.folder) else { continue }
      let own = try file.status()
      do throws(StoreError) {
        if own.links > 1 {
          try replaceShared(file, own, name, of: data)
          continue
        }
        try share(file, own, with: data)
        if let log = try ChangeLog(reading: file) {
          return Companion(file, name, of: data, log: log, isNew: false)
        }
        let log = try ChangeLog(makingIn: file)
        return Companion(file, name, of: data, log: log, isNew: isMade)
      } catch {
        if isMade, own.count == 0, (try? isStill(file, name, in: data.folder)) == true {
          try? data.folder.remove(name)
        }
        throw error
      }
    }
  }

  private static func open(
    _ name: FilePath, in folder: OpenFolder
  ) throws(StoreError) -> (OpenFile, isMade: Bool) {
    while true {
      do throws(StoreError) {
        return (try folder.open(name, O_RDWR), false)
      } catch {
        let path = folder.path(of: name).description
        switch error.errno {
        case .doesNotExist: break
        case .tooManyLinks: throw .notACompanion(path: path, reason: "is a symbolic link")
        case Errno(EISDIR): throw .notACompanion(path: path, reason: "is a folder")
        default:
          let kind = try? folder.status(of: name)?.otherKind
          if let kind { throw .notACompanion(path: path, reason: "is \(kind)") }
          throw error
        }
      }
      do throws(StoreError) {
        return (try folder.create(name), true)
      } catch {
        guard error.errno == .exists else { throw error }
      }
    }
  }

  /// A file of this name that someone else put there would get the user's texts, and could lead `undo`
  /// to put other content in place.
  ///
  /// - Parameter old: what is known of the data file.
  private static func refuseForeign(
    _ file: OpenFile, beside old: FileStatus?
  ) throws(StoreError) {
    let path = file.path.description
    let own = try file.status()
    if let kind = own.otherKind { throw .notACompanion(path: path, reason: "is \(kind)") }
    let owners = [geteuid(), 0, old?.user ?? 0]
    let isOfGroup = old.map { $0.mode & 0o020 != 0 && $0.group == own.group } ?? false
    guard owners.contains(own.user) || isOfGroup else {
      throw .notACompanion(path: path, reason: "belongs to another user")
    }
    if try !ChangeLog.hasMagic(file) {
      throw .notACompanion(path: path, reason: "was not made by items")
    }
  }

  /// Gives this folder a companion of its own if its file has another name too, as in a copy that was
  /// made by hard links.
  private static func replaceShared(
    _ file: OpenFile, _ own: FileStatus, _ name: FilePath, of data: DataFile
  ) throws(StoreError) {
    let folder = data.folder
    let log = try ChangeLog(reading: file)
    let new = temporaryName(of: data, log?.nonce ?? 0)
    let copy = try folder.replacing(new) { () throws(StoreError) in try folder.create(new) }
    do throws(StoreError) {
      // A file can claim to be larger than any memory; only what was written counts.
      if log != nil, try file.isFilled(ChangeLog.Directory.end..<own.count) {
        try copy.write(file.read(0..<own.count))
      }
      try folder.rename(new, to: name)
    } catch {
      try? folder.remove(new)
      throw error
    }
  }

  /// Opens the companion to the same people as the data file, narrower and wider.
  private static func share(
    _ file: OpenFile, _ own: FileStatus, with data: DataFile
  ) throws(StoreError) {
    guard let status = try data.folder.status(of: data.name),
      let old = try? data.folder.open(data.name, O_RDONLY)
    else {
      if own.permissions != 0o600 { try file.setMode(0o600) }
      return
    }
    var mode = status.mode & 0o666 | 0o600
    if own.user != status.user || own.group != status.group {
      // Only root gives a file away; its group needs no less than on the data file.
      let isGiven =
        (try? file.setOwner(user: status.user, group: status.group)) != nil
        || own.group == status.group || (try? file.setOwner(group: status.group)) != nil
      if !isGiven { mode &= ~0o070 }
    }
    if own.permissions == mode, try file.hasAccess(of: old) { return }
    do throws(StoreError) {
      try file.copyAccess(of: old)
      try file.setMode(mode)
    } catch {
      // A companion of another in the group stays as it is, unless more may read it than the data.
      if own.permissions & ~mode != 0 { throw error }
    }
  }

  // MARK: Log

  /// Finds out whether a change that was under way when a command was killed has been made.
  ///
  /// - Throws: `emptied` if someone has just emptied the file that the newest change left.
  mutating func settle(with version: Version) throws(StoreError) {
    if version.bytes.count == 0, version.file != nil, log.leftContent {
      throw .emptied(path: data.path)
    }
    if log.isPending { log.resolve(version.fingerprint.value) }
  }

  /// The edit that takes back the newest change.
  mutating func undoing(_ version: Version) throws(StoreError) -> ChangeLog.Step {
    try log.undoing(version.fingerprint.value, path: data.path)
  }

  /// The edit that makes again what was taken back last.
  mutating func redoing(_ version: Version) throws(StoreError) -> ChangeLog.Step {
    try log.redoing(version.fingerprint.value, path: data.path)
  }

  /// Notes what is about to be done, so that whoever comes after a kill can tell whether it was.
  mutating func note(_ plan: Plan) throws(StoreError) {
    let (version, splices) = (plan.version, plan.splices)
    let after = Fingerprint(version.bytes, after: splices)
    if let step = plan.step { return try log.step(step, after: after) }
    let list = Schema.all.firstIndex { $0.list == plan.schema.list } ?? 0
    try log.append(
      ChangeLog.Change(verb: plan.verb, list: list, splices: splices, old: version.bytes),
      before: version.fingerprint.value, after: after,
      highestID: max(plan.document.highestID, plan.edit.highestID))
  }

  /// Notes that the change was made.
  mutating func settle() {
    isUsed = true
    log.settle()
  }
}
