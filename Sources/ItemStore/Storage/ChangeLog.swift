/// The log of the newest changes, in the companion file: for each, the bytes that it replaced and those
/// that it put in their place, so that it can be taken back and made again.
///
///     magic | directory | directory | change, change, … in any order, with gaps
///     0       64          8256        16448
///
/// A directory says where each change lies, which of them are made, and which step is under way. Two of
/// them take turns, and the one with the higher number counts; so a kill in the middle of a write leaves
/// the other. A change is written where the directory in force has nothing, and counts from the moment
/// when the next directory has it. What is damaged is as good as absent.
struct ChangeLog {
  private let file: OpenFile
  private var directory: Directory
  /// What to go back to if the step under way is not made.
  private var settled: Directory?

  /// How many changes can be taken back.
  static let limit = 100

  /// One undo or redo: its splices, and the verb and the list to report.
  struct Step {
    let verb: Verb
    let list: Int
    let splices: [Splice]
  }

  /// One change, to be noted.
  struct Change {
    let verb: Verb
    /// The index of the list in `Schema.all`.
    let list: Int
    let splices: [Splice]
    /// The content that the splices are for.
    let old: Bytes
  }

  // MARK: Opening

  /// The log in a file; nil if there is none, or it is damaged.
  init?(reading file: OpenFile) throws(StoreError) {
    guard let directory = try Directory.newest(in: file) else { return nil }
    (self.file, self.directory) = (file, directory)
  }

  /// Begins a log. What the file has of another is lost.
  init(makingIn file: OpenFile) throws(StoreError) {
    self.file = file
    directory = Directory(nonce: .random(in: .min ... .max))
    try file.truncate(to: 0)
    try file.write(Words([Directory.magic]).bytes, at: 0)
    try write()
  }

  /// Whether a file begins like a log, as far as a killed command got with it.
  static func hasMagic(_ file: OpenFile) throws(StoreError) -> Bool {
    let bytes = try file.read(0..<8)
    return Words([Directory.magic]).bytes.starts(with: bytes[0..<bytes.count])
  }

  /// How large the file may become; the newest change always has room.
  static func limit(ofDataSize size: Int) -> Int { max(64 << 20, 4 * size) }

  private mutating func write() throws(StoreError) {
    var next = directory
    next.sequence &+= 1
    try file.write(next.encoded, at: next.offset)
    directory = next
  }

  // MARK: What it remembers

  var nonce: UInt64 { directory.nonce }
  var highestID: Int { directory.highestID }

  /// Whether a step was under way when a command was killed.
  var isPending: Bool { directory.pending != nil }

  /// Whether the newest change left anything in the data file.
  var leftContent: Bool {
    let states = directory.states
    return !states.isEmpty && states.allSatisfy { $0.count > 0 }
  }

  /// Finds out by the content of the data file whether the step under way was made. If the content is
  /// neither, the file was changed since, and a change counts as made until it is looked at again.
  mutating func resolve(_ current: Fingerprint) {
    switch directory.pending {
    case .change(let row)?:
      if row.before == current && row.after != current {
        directory.pending = nil
      } else {
        directory.apply(row, isCertain: row.after == current)
      }
    case .undo?: directory.finish(.undo, isMade: directory.newest?.before == current)
    case .redo?: directory.finish(.redo, isMade: directory.next?.after == current)
    case nil: break
    }
  }

  // MARK: Steps

  /// - Throws: `nothingToUndo`, or `changedSince` if the file is not as the newest change left it.
  mutating func undoing(_ current: Fingerprint, path: String) throws(StoreError) -> Step {
    directory.dropUnmade(current)
    guard let row = directory.newest else { throw .nothingToUndo }
    guard row.after == current else { throw .changedSince(path: path) }
    guard let change = try read(row) else { throw .nothingToUndo }
    return Step(verb: row.verb, list: row.list, splices: change.backward)
  }

  /// - Throws: `nothingToRedo`, or `changedSince` if the file is not as the newest undo left it.
  mutating func redoing(_ current: Fingerprint, path: String) throws(StoreError) -> Step {
    guard let row = directory.next else { throw .nothingToRedo }
    guard row.before == current else { throw .changedSince(path: path) }
    guard let change = try read(row) else { throw .nothingToRedo }
    return Step(verb: row.verb, list: row.list, splices: change.forward)
  }

  private func read(_ row: Directory.Row) throws(StoreError) -> LoggedChange? {
    let range = row.offset..<row.offset + row.length
    // A file can claim to be larger than any memory; only what was written counts.
    guard try file.isFilled(range) else { return nil }
    let bytes = try file.read(range)
    guard bytes.count == row.length, Fingerprint(bytes).hash == row.checksum else { return nil }
    return LoggedChange(bytes, sizes: (row.before.count, row.after.count))
  }

  /// Notes a change that is about to be made. Those that were taken back can no longer be made again
  /// once it is, and the oldest go if there are too many.
  mutating func append(
    _ change: Change, before: Fingerprint, after: Fingerprint, highestID: Int
  ) throws(StoreError) {
    settled = directory
    directory.dropUnmade(before)
    let bytes = LoggedChange.encoded(change)
    let offset = try place(for: bytes.count, limit: Self.limit(ofDataSize: before.count))
    try file.write(bytes, at: offset)
    directory.highestID = max(directory.highestID, highestID)
    directory.pending = .change(
      Directory.Row(
        verb: change.verb, list: change.list, offset: offset, length: bytes.count,
        checksum: Fingerprint(bytes).hash, before: before, after: after))
    try write()
  }

  /// Where so many bytes fit. Old changes go until they do, and first those that were taken back.
  private mutating func place(for length: Int, limit: Int) throws(StoreError) -> Int {
    while true {
      var offset = Directory.end
      for row in directory.rows.sorted(by: { $0.offset < $1.offset }) {
        if row.offset - offset >= length { return offset }
        offset = max(offset, row.offset + row.length)
      }
      if directory.rows.isEmpty || offset + length <= limit { return offset }
      directory.dropOne()
      try write()
      settled?.rows = directory.rows
      settled?.made = directory.made
    }
  }

  /// Notes that the newest change is about to be taken back, or the next one to be made again.
  ///
  /// - Throws: `nothingToUndo` or `nothingToRedo` if that would not give the content that it should.
  mutating func step(
    _ pending: Directory.Pending, after: Fingerprint
  ) throws(StoreError) {
    switch pending {
    case .undo where directory.newest?.before != after: throw .nothingToUndo
    case .redo where directory.next?.after != after: throw .nothingToRedo
    default: break
    }
    settled = directory
    directory.pending = pending
    try write()
  }

  /// Notes that the step under way is made. If that fails, the next command finds it out.
  mutating func settle() {
    settled = nil
    switch directory.pending {
    case .change(let row)?: directory.apply(row, isCertain: true)
    case let step?: directory.finish(step, isMade: true)
    case nil: return
    }
    guard (try? write()) != nil else { return }
    let end = directory.rows.reduce(Directory.end) { max($0, $1.offset + $1.length) }
    if let size = try? file.status().count, size > end { try? file.truncate(to: end) }
  }

  /// Forgets the step under way, also one that could not be noted, as it is not made.
  mutating func cancel() {
    guard var before = settled else { return }
    settled = nil
    before.sequence = directory.sequence
    directory = before
    try? write()
  }
}
