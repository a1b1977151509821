extension ChangeLog {
  /// Where the changes of a log lie in its file, and which of them are made.
  struct Directory {
    /// Counts the directories that were written.
    var sequence: UInt64 = 0
    /// A number that nobody else knows, for the name of the temporary file.
    let nonce: UInt64
    /// The highest item id ever given out. It never goes down.
    var highestID = 0
    /// The oldest first: those that are made, then those that were taken back, the newest of these last.
    var rows: [Row] = []
    /// How many of them are made.
    var made = 0
    var pending: Pending?

    init(nonce: UInt64) { self.nonce = nonce }

    /// A step that is under way: from before the rename to after it.
    enum Pending {
      case change(Row)
      case undo, redo
    }

    /// One change.
    struct Row {
      let verb: Verb
      let list: Int
      let offset: Int
      let length: Int
      let checksum: UInt64
      /// The content that it was made on, and the content that it left.
      let before: Fingerprint
      let after: Fingerprint
      /// Whether a command that was killed may not have made it.
      var isCertain = true
    }

    var newest: Row? { made > 0 ? rows[made - 1] : nil }
    var next: Row? { made < rows.count ? rows[made] : nil }

    /// The contents that the data file may have, if nothing else changed it.
    var states: [Fingerprint] {
      // Something may have changed the file between two changes, so the two sides may differ.
      let settled = [newest?.after, next?.before].compactMap(\.self)
      return switch pending {
      case .change(let row)?: settled + [row.before, row.after]
      case .undo?: settled + [newest?.before].compactMap(\.self)
      case .redo?: settled + [next?.after].compactMap(\.self)
      case nil: settled
      }
    }

    /// Adds a change that is made, and drops those that were taken back and those that are too old.
    mutating func apply(_ row: Row, isCertain: Bool) {
      pending = nil
      rows.removeLast(rows.count - made)
      var row = row
      row.isCertain = isCertain
      rows.append(row)
      rows.removeFirst(max(0, rows.count - ChangeLog.limit))
      made = rows.count
    }

    mutating func finish(_ step: Pending, isMade: Bool) {
      pending = nil
      guard isMade else { return }
      if case .undo = step { made -= 1 } else { made += 1 }
    }

    /// Drops the newest changes that a killed command has not made after all.
    mutating func dropUnmade(_ current: Fingerprint) {
      while let row = newest, !row.isCertain, row.before == current, row.after != current {
        rows.removeLast(rows.count - made + 1)
        made -= 1
      }
    }

    mutating func dropOne() {
      if made < rows.count {
        rows.removeLast()
      } else {
        rows.removeFirst()
        made -= 1
      }
    }
  }
}

// MARK: Bytes

extension ChangeLog.Directory {
  static let magic: UInt64 = 0x32_6F64_6E75_7469  // "itundo2", the first byte lowest
  private static let start = 64
  private static let room = 8192
  /// Where the changes begin.
  static let end = start + 2 * room
  private static let headWords = 7
  private static let rowWords = 8

  var offset: Int { Self.start + Self.room * Int(sequence & 1) }

  /// The newer of the two directories of a file; nil if neither is whole.
  static func newest(in file: OpenFile) throws(StoreError) -> Self? {
    let bytes = try file.read(0..<end)
    let size = try file.status().count
    guard Words(bytes, 0..<min(8, bytes.count))[0] == magic else { return nil }
    return [start, start + room].compactMap { offset in
      Self(Words(bytes, min(offset, bytes.count)..<min(offset + room, bytes.count)), size: size)
    }.max { $0.sequence < $1.sequence }
  }

  var encoded: [UInt8] {
    var rows = rows
    var step = 0
    switch pending {
    case .change(let row)?:
      rows.append(row)
      step = 1
    case .undo?: step = 2
    case .redo?: step = 3
    case nil: break
    }
    var words = Words([])
    words.append(sequence)
    words.append(nonce)
    for value in [highestID, rows.count, made, step, 0] { words.append(value) }
    for row in rows {
      let kind = Int(row.verb.rawValue) | row.list << 8 | (row.isCertain ? 0 : 1 << 16)
      for value in [kind, row.offset, row.length] { words.append(value) }
      words.append(row.checksum)
      for fingerprint in [row.before, row.after] {
        words.append(fingerprint.count)
        words.append(fingerprint.hash)
      }
    }
    words.append(Fingerprint(words.bytes).hash)
    return words.bytes
  }

  /// - Parameter size: of the file; no change lies beyond it.
  private init?(_ words: Words, size: Int) {
    guard let nonce = words[1] else { return nil }
    self.init(nonce: nonce)
    sequence = words[0] ?? 0
    highestID = words.integer(2)
    let count = words.integer(3)
    made = words.integer(4)
    guard highestID >= 0, 0...ChangeLog.limit + 1 ~= count, 0...count ~= made else { return nil }
    let end = Self.headWords + Self.rowWords * count
    guard let checksum = words[end], checksum == words.checksum(upTo: end) else { return nil }
    for i in 0..<count {
      guard let row = Row(words, at: Self.headWords + Self.rowWords * i, size: size) else {
        return nil
      }
      rows.append(row)
    }
    switch words.integer(5) {
    case 0: break
    case 1:
      guard made < count else { return nil }
      pending = .change(rows.removeLast())
    case 2 where made > 0: pending = .undo
    case 3 where made < count: pending = .redo
    default: return nil
    }
  }
}

extension ChangeLog.Directory.Row {
  fileprivate init?(_ words: Words, at start: Int, size: Int) {
    let kind = words.integer(start)
    guard let verb = Verb(rawValue: UInt64(kind & 0xFF)) else { return nil }
    self.verb = verb
    list = kind >> 8 & 0xFF
    isCertain = kind >> 16 & 1 == 0
    (offset, length) = (words.integer(start + 1), words.integer(start + 2))
    checksum = words[start + 3] ?? 0
    before = Fingerprint(count: words.integer(start + 4), hash: words[start + 5] ?? 0)
    after = Fingerprint(count: words.integer(start + 6), hash: words[start + 7] ?? 0)
    // A checksum is no proof of who wrote it, and a wrong number would be a trap.
    guard Schema.all.indices ~= list, offset >= ChangeLog.Directory.end, offset <= size,
      0...size - offset ~= length, 0...DataFile.limit ~= before.count,
      0...DataFile.limit ~= after.count
    else { return nil }
  }
}
