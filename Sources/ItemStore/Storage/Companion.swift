#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The companion file: the lock of a data file, and the log that `undo` reads. It exists from the
/// first change on and is never replaced, so that all who lock it lock the same file.
///
///     header | dropped entries | entry … entry, the newest last | what is left of longer ones
///            64                start                            end
///
/// An entry is written behind the last, and counts from the moment when the header says so. Damage
/// is found by checksums and costs the entries, nothing else.
struct Companion {
  let path: String
  /// Whether this command made the file, and no other has used it.
  let isNew: Bool
  private let file: OpenFile
  private var header: Header
  private var headerBeforeAppend: Header

  /// How many changes can be taken back.
  static let limit = 100

  struct Header {
    /// A number that nobody else knows, for the name of the temporary file.
    var nonce: UInt64
    /// The highest item id ever given out, which an undo may have taken from the data file again.
    var highestID = 0
    /// The highest item id that the data file spoke of after the newest change.
    var visibleID = 0
    var start = Header.size
    var end = Header.size
    var count = 0
    /// Whether a change that the newest entry speaks of, or its undo, may not have been made: from
    /// before the rename to after it.
    var isPending = false

    static let size = 64
    static let magic: UInt64 = 0x31_6F64_6E75_7469  // "itundo1", the first byte lowest
  }

  /// One change: how to take it back, and between which contents.
  struct Entry {
    let verb: Verb
    /// The index in `Schema.all`.
    let list: Int
    let before: Fingerprint
    let after: Fingerprint
    /// The splices of the content after the change that give the one before.
    let inverse: [Splice]
  }

  // MARK: Opening

  /// Locks the companion of `file` and reads its header; makes it, and the folders above it, where it
  /// is not there.
  ///
  /// - Throws: `locked` after `patience` seconds.
  static func lock(_ file: DataFile, patience: Double) throws(StoreError) -> Companion {
    let path = file.companion("undo")
    let deadline = System.now + patience
    while true {
      let (log, isNew) = try file.reporting(path) { () throws(Errno) in
        try open(path, for: file)
      }
      var pause = 0.0005
      while try !file.reporting(path, { () throws(Errno) in try log.takesLock() }) {
        guard System.now < deadline else { throw .locked(path: path) }
        System.pause(seconds: pause * .random(in: 0.5...1))
        pause = min(pause * 1.5, 0.05)
      }
      // Whoever made it may have removed it again, as nothing came of the change.
      if try file.reporting(path, { () throws(Errno) in try isStill(log, at: path) }) {
        let kind = try file.reporting(path) { () throws(Errno) in try log.status().otherKind }
        if let kind { throw .notAFile(path: path, kind: kind) }
        do throws(Errno) {
          return try Companion(path: path, isMade: isNew, file: log)
        } catch {
          if isNew { try? file.system.remove(path) }
          throw .failed(path: path, error)
        }
      }
    }
  }

  private static func isStill(_ file: OpenFile, at path: String) throws(Errno) -> Bool {
    do throws(Errno) {
      return try file.system.status(of: path).isSameFile(as: file.status())
    } catch {
      guard error == .doesNotExist else { throw error }
      return false
    }
  }

  private static func open(
    _ path: String, for dataFile: DataFile
  ) throws(Errno) -> (OpenFile, isNew: Bool) {
    let system = dataFile.system
    while true {
      do throws(Errno) {
        return (try system.openToUpdate(path), false)
      } catch {
        guard error == .doesNotExist else { throw error }
      }
      do throws(Errno) {
        let data = try? system.openToRead(dataFile.path)
        let status = try? data?.status()
        let log = try system.create(path, mode: 0o600 & (status?.mode ?? 0o600))
        if let data, let status { try? share(log, with: data, status) }
        return (log, true)
      } catch {
        guard error == .exists else { throw error }
      }
    }
  }

  /// Makes the log for the same people as the data file.
  private static func share(
    _ file: OpenFile, with data: OpenFile, _ status: FileStatus
  ) throws(Errno) {
    var mode = status.mode & 0o666
    let own = try file.status()
    if own.user != status.user || own.group != status.group {
      do throws(Errno) {
        try file.setOwner(user: status.user, group: status.group)
      } catch {
        do throws(Errno) {
          // Only root gives a file away; its group needs no less than on the data file.
          try file.setOwner(user: .max, group: status.group)
        } catch {
          mode &= ~0o070
        }
      }
    }
    try file.copyAccess(of: data)
    try file.setMode(mode)
  }

  private init(path: String, isMade: Bool, file: OpenFile) throws(Errno) {
    let bytes = try file.read(0..<Header.size)
    let known = Header(bytes)
    header = known ?? Header(nonce: .random(in: .min ... .max))
    headerBeforeAppend = header
    (self.path, self.file) = (path, file)
    isNew = isMade && bytes.isEmpty
    if known == nil { try file.write(header.encoded, at: 0) }
  }

  /// Whether whoever looks for the lock still finds this one.
  func isInPlace() throws(Errno) -> Bool { try Self.isStill(file, at: path) }

  // MARK: What the header remembers

  /// The highest item id that the data file spoke of after the newest change.
  var visibleID: Int { header.visibleID }

  /// A name for the new file of the next replacement. It stays the same until this log is lost, so a
  /// file that a killed command left is found without a search.
  func temporary(for file: DataFile) -> String {
    file.companion("\(String(header.nonce, radix: 16)).tmp")
  }

  /// The highest item id ever given out, for a data file that speaks of none above `visible`. A file
  /// whose ids are lower than they were is another one, with a life of its own.
  func highestID(visible: Int) -> Int {
    visible < header.visibleID ? visible : max(visible, header.highestID)
  }

  // MARK: Entries

  /// The newest entry; nil where there is none, or it is damaged.
  func last() throws(Errno) -> Entry? {
    guard header.count > 0, let length = try length(at: header.end - 8) else { return nil }
    return Entry(try file.read(header.end - length..<header.end))
  }

  /// Adds an entry, drops those that are too old, and remembers which ids the change gives out.
  mutating func append(_ entry: Entry, visibleBefore: Int, visibleAfter: Int) throws(Errno) {
    headerBeforeAppend = header
    // An entry whose change was never made would stand in the way of those below it.
    if header.isPending, let last = try last(), last.before == entry.before,
      last.after != entry.before, let length = try length(at: header.end - 8)
    {
      header.end -= length
      header.count -= 1
    }
    header.isPending = false
    try compact()
    headerBeforeAppend = header
    let bytes = entry.encoded
    try file.write(bytes, at: header.end)
    header.highestID = max(highestID(visible: visibleBefore), visibleAfter)
    header.visibleID = visibleAfter
    header.end += bytes.count
    header.count += 1
    header.isPending = true
    while header.count > Self.limit {
      if let length = try length(at: header.start) {
        header.start += length
        header.count -= 1
      } else {
        header.start = header.end - bytes.count
        header.count = 1
      }
    }
    try file.write(header.encoded, at: 0)
  }

  /// Whether the newest entry may speak of a change that was not made, as a command was killed.
  var isPending: Bool { header.isPending }

  /// Notes that the newest entry is about to be taken back.
  mutating func beginUndo() throws(Errno) {
    header.isPending = true
    try file.write(header.encoded, at: 0)
  }

  /// Notes that the change of the newest entry was made.
  mutating func settle() throws(Errno) {
    header.isPending = false
    try file.write(header.encoded, at: 0)
  }

  /// Takes back `append`, also one that failed on the way, as its change was not made.
  mutating func cancelAppend() throws(Errno) {
    header = headerBeforeAppend
    try file.write(header.encoded, at: 0)
    try file.truncate(to: header.end)
  }

  /// Forgets the newest entry, as its change was taken back or never made. The ids that it gave out
  /// are not given out again.
  mutating func removeLast(visible: Int) throws(Errno) {
    guard let length = try length(at: header.end - 8) else { return }
    header.highestID = highestID(visible: header.visibleID)
    header.visibleID = visible
    header.isPending = false
    header.end -= length
    header.count -= 1
    try file.write(header.encoded, at: 0)
    try file.truncate(to: header.end)
  }

  /// Moves the entries to the front once those dropped take as much room, so that a kill or a failure
  /// on the way finds them whole at either place.
  private mutating func compact() throws(Errno) {
    let live = header.start..<header.end
    guard header.start > Header.size, header.start - Header.size >= live.count else { return }
    try file.write(file.read(live), at: Header.size)
    header.start = Header.size
    header.end = Header.size + live.count
    try file.write(header.encoded, at: 0)
    try file.truncate(to: header.end)
  }

  /// The length of an entry, which stands at both of its ends; nil where it cannot be one.
  private func length(at offset: Int) throws(Errno) -> Int? {
    guard offset >= Header.size, let word = Words(try file.read(offset..<offset + 8))[0] else {
      return nil
    }
    return 0...header.end - header.start ~= Int(truncatingIfNeeded: word) ? Int(word) : nil
  }
}

extension Companion.Header {
  init?(_ bytes: [UInt8]) {
    let words = Words(bytes)
    guard bytes.count == Self.size, words[0] == Self.magic, words.hasChecksum else { return nil }
    nonce = words[1] ?? 0
    highestID = words.integer(2)
    visibleID = words.integer(3)
    (start, end, count) = (words.integer(4), words.integer(5), words.integer(6) & 0xFFFF_FFFF)
    isPending = words.integer(6) >> 32 == 1
    guard Self.size <= start, start <= end, 0...Companion.limit ~= count else { return nil }
  }

  var encoded: [UInt8] {
    var words = Words()
    words.append(Self.magic)
    words.append(nonce)
    let state = count | (isPending ? 1 << 32 : 0)
    for value in [highestID, visibleID, start, end, state] { words.append(value) }
    words.appendChecksum()
    return words.bytes
  }
}

extension Companion.Entry {
  /// What `encoded` gives; nil where it is damaged.
  init?(_ bytes: [UInt8]) {
    // The length once more stands behind the checksum.
    let words = Words(bytes.dropLast(8))
    guard words.hasChecksum, words.integer(0) == bytes.count, let verb = words[1].flatMap(Verb.init)
    else { return nil }
    self.verb = verb
    list = words.integer(2)
    before = Fingerprint(count: words.integer(3), hash: words[4] ?? 0)
    after = Fingerprint(count: words.integer(5), hash: words[6] ?? 0)
    let count = words.integer(7)
    guard Schema.all.indices ~= list, 0...bytes.count / 24 ~= count else { return nil }
    var position = (8 + 3 * count) * 8
    var end = 0
    var inverse: [Splice] = []
    for i in 0..<count {
      let (start, length) = (words.integer(8 + 3 * i), words.integer(9 + 3 * i))
      let oldCount = words.integer(10 + 3 * i)
      // A checksum is no proof of who wrote it, and a wrong number would be a trap.
      guard end <= start, start <= after.count, 0...after.count - start ~= length,
        position <= bytes.count, 0...bytes.count - position ~= oldCount
      else { return nil }
      inverse.append(
        Splice(start..<start + length, Array(bytes[position..<position + oldCount])))
      position += oldCount
      end = start + length
    }
    self.inverse = inverse
  }

  var encoded: [UInt8] {
    let length = (10 + 3 * inverse.count) * 8 + inverse.reduce(0) { $0 + $1.bytes.count }
    var words = Words()
    words.append(length)
    words.append(verb.rawValue)
    words.append(list)
    for fingerprint in [before, after] {
      words.append(fingerprint.count)
      words.append(fingerprint.hash)
    }
    words.append(inverse.count)
    for splice in inverse {
      words.append(splice.range.lowerBound)
      words.append(splice.range.count)
      words.append(splice.bytes.count)
    }
    for splice in inverse { words.bytes += splice.bytes }
    words.appendChecksum()
    words.append(length)
    return words.bytes
  }
}

/// Numbers of eight bytes, the lowest first.
private struct Words {
  var bytes: [UInt8] = []

  init() {}
  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  subscript(_ index: Int) -> UInt64? {
    guard 8 * index + 8 <= bytes.count else { return nil }
    return bytes[8 * index..<8 * index + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  func integer(_ index: Int) -> Int { Int(truncatingIfNeeded: self[index] ?? 0) }

  mutating func append(_ value: Int) { append(UInt64(bitPattern: Int64(value))) }

  mutating func append(_ value: UInt64) {
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * shift))) }
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    Fingerprint(Bytes(Array(bytes))).hash
  }

  mutating func appendChecksum() { append(Self.checksum(bytes[...])) }

  /// Whether the last eight bytes are the checksum of all before them.
  var hasChecksum: Bool {
    guard bytes.count >= 8 else { return false }
    return Words(bytes.suffix(8))[0] == Self.checksum(bytes.dropLast(8))
  }
}
