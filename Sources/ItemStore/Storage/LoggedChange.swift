/// The bytes of one change in the log: what it replaced, and by what.
///
///     count | start old new | start old new | … | old bytes | new bytes
struct LoggedChange {
  /// The splices of the content before the change, and of the content after it.
  let forward: [Splice]
  let backward: [Splice]

  static func encoded(_ change: ChangeLog.Change) -> [UInt8] {
    let size = change.splices.reduce(8) { $0 + 24 + $1.range.count + $1.bytes.count }
    var words = Words([])
    words.bytes.reserveCapacity(size)
    words.append(change.splices.count)
    for splice in change.splices {
      words.append(splice.range.lowerBound)
      words.append(splice.range.count)
      words.append(splice.bytes.count)
    }
    for splice in change.splices { change.old.append(splice.range, to: &words.bytes) }
    for splice in change.splices { words.bytes += splice.bytes }
    return words.bytes
  }

  /// - Parameter sizes: of the content before and after the change.
  /// - Returns: nil if the numbers fit neither the bytes nor the sizes.
  init?(_ bytes: Bytes, sizes: (before: Int, after: Int)) {
    let words = Words(bytes, 0..<bytes.count)
    let count = words.integer(0)
    guard 0...bytes.count / 24 ~= count else { return nil }
    let ranges = (0..<count).map { i in
      (words.integer(1 + 3 * i), old: words.integer(2 + 3 * i), new: words.integer(3 + 3 * i))
    }
    var (position, end, shift) = (8 + 24 * count, 0, 0)
    for (start, old, new) in ranges {
      guard end <= start, start <= sizes.before, 0...sizes.before - start ~= old,
        0...bytes.count ~= old, 0...bytes.count ~= new
      else { return nil }
      end = start + old
      shift += new - old
      position += old + new
      guard position <= bytes.count else { return nil }
    }
    guard position == bytes.count, sizes.before + shift == sizes.after else { return nil }

    var (forward, backward): ([Splice], [Splice]) = ([], [])
    var oldStart = 8 + 24 * count
    var newStart = oldStart + ranges.reduce(0) { $0 + $1.old }
    shift = 0
    for (start, old, new) in ranges {
      forward.append(Splice(start..<start + old, bytes[newStart..<newStart + new]))
      backward.append(
        Splice(start + shift..<start + shift + new, bytes[oldStart..<oldStart + old]))
      oldStart += old
      newStart += new
      shift += new - old
    }
    (self.forward, self.backward) = (forward, backward)
  }
}

/// Numbers of eight bytes, the lowest byte first.
struct Words {
  var bytes: [UInt8]

  init(_ numbers: [UInt64]) {
    bytes = []
    for number in numbers { append(number) }
  }

  init(_ bytes: Bytes, _ range: Range<Int>? = nil) { self.bytes = bytes[range ?? 0..<bytes.count] }

  subscript(_ index: Int) -> UInt64? {
    guard 8 * index + 8 <= bytes.count else { return nil }
    return bytes[8 * index..<8 * index + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  func integer(_ index: Int) -> Int { Int(truncatingIfNeeded: self[index] ?? 0) }

  func checksum(upTo index: Int) -> UInt64 { Fingerprint(Array(bytes[..<(8 * index)])).hash }

  mutating func append(_ value: Int) { append(UInt64(bitPattern: Int64(value))) }

  mutating func append(_ value: UInt64) {
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * shift))) }
  }
}
