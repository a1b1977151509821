/// A type of record that a store keeps: `Item` and `ToDoTask`.
public protocol Record: Sendable, Hashable, Identifiable
where ID: Sendable & LosslessStringConvertible {
  /// Values for some of the fields: what `create` and `update` take.
  associatedtype Values: RecordValues

  /// How records of this type stand in the data file.
  static var schema: Schema { get }

  /// The record whose known fields have these values.
  init(_ fields: StoredFields)
}

/// Values for some of a record's fields. A value that is nil is not given.
public protocol RecordValues: Sendable {
  var members: [Member] { get }
}

/// A field and its value: `"title"` and `"Milk"`, quotes of the value included.
public struct Member: Sendable {
  package let name: String
  /// One JSON value.
  package let value: ArraySlice<UInt8>

  package init(name: String, value: ArraySlice<UInt8>) {
    self.name = name
    self.value = value
  }

  public init(_ name: String, text: String) {
    self.init(name: name, value: JSONString.encode(text)[...])
  }

  public init(_ name: String, number: Int) {
    self.init(name: name, value: Array(String(number).utf8)[...])
  }
}

/// How one type of record stands in the data file: a list of objects.
///
///     "items": [ {"id": 1, "title": "First Title", "number": 42} ]
///      list        key      text field              number field
public final class Schema: Sendable {
  /// The name of the list at the top level of the file.
  public let list: String
  /// What one record is called.
  public let noun: String
  /// The known fields; the first is the key.
  public let fields: [Field]
  /// The kind of each field.
  package let kinds: [Kind]
  /// The name of each field, its first byte the lowest.
  private let packedNames: [UInt64]

  /// At most three fields, whose names have eight bytes at most: more have no room in the rows of a
  /// list, or in a word.
  init(list: String, noun: String, fields: [Field]) {
    precondition(1...3 ~= fields.count && fields.allSatisfy { 1...8 ~= $0.name.utf8.count })
    (self.list, self.noun, self.fields) = (list, noun, fields)
    kinds = fields.map(\.kind)
    packedNames = fields.map { $0.name.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
  }

  public struct Field: Sendable {
    public let name: String
    public let kind: Kind
    /// The value that `create` gives the field where none is given; nil where one must be.
    let initial: (@Sendable () -> Member)?
    /// The value that `update` gives the field where nothing at all is given.
    let changed: (@Sendable () -> Member)?

    init(
      _ name: String, _ kind: Kind, initial: (@Sendable () -> Member)? = nil,
      changed: (@Sendable () -> Member)? = nil
    ) {
      (self.name, self.kind, self.initial, self.changed) = (name, kind, initial, changed)
    }
  }

  public enum Kind: Sendable {
    /// A number whose value is whole and fits 64 bits, however it is spelled.
    case wholeNumber
    case text
    /// RFC 9562, in either case.
    case uuid
  }

  /// Every type of record that a data file may hold.
  package static let all = [Item.schema, ToDoTask.schema]

  package var key: Field { fields[0] }

  package var changedValues: [Member] { fields.compactMap { $0.changed?() } }

  package func nouns(_ count: Int) -> String { count == 1 ? noun : noun + "s" }

  /// The index of the field that the string at `range` names, quotes included.
  @inline(__always)
  package func field(named range: Range<Int>, in bytes: Bytes) -> Int? {
    let count = range.count &- 2
    if count <= 8 {
      let word = bytes.word(at: range.lowerBound &+ 1)
      let name = count == 8 ? word : word & ~(.max &<< UInt64(truncatingIfNeeded: 8 &* count))
      if let field = packedNames.firstIndex(of: name) { return field }
    }
    guard JSONString.firstBackslash(in: range, of: bytes) != nil else { return nil }
    let name = JSONString.decode(range, in: bytes)
    return fields.firstIndex { $0.name == name }
  }
}

extension Schema.Field {
  /// Takes the value at the scanner's position and says what about it does not fit this field.
  package func check(_ scanner: inout JSONScanner) throws(Fault) -> Fault.Reason? {
    let start = scanner.position
    try scanner.skipValue()
    let range = start..<scanner.position
    let bytes = scanner.bytes
    let fits =
      switch (kind, bytes[start]) {
      case (.text, UInt8(ascii: "\"")): true
      case (.wholeNumber, UInt8(ascii: "-")), (.wholeNumber, UInt8(ascii: "0")...UInt8(ascii: "9")):
        JSONNumber.integer(range, in: bytes) != nil
      case (.uuid, UInt8(ascii: "\"")): Key(uuidAt: range, in: bytes) != nil
      default: false
      }
    if fits { return nil }
    let wanted =
      switch kind {
      case .text: "a string"
      case .uuid: "a UUID"
      case .wholeNumber where isDigit(bytes[range.upperBound - 1]):
        JSONNumber(range, in: bytes).isWhole ? "a whole number of 64 bits" : "a whole number"
      case .wholeNumber: "a whole number"
      }
    var found: [UInt8] = []
    JSONString.appendCompact(valueAt: start, in: bytes, to: &found)
    let shown = String(decoding: found, as: UTF8.self)
    return .wrongType(
      field: name, wanted: wanted, found: shown.count > 40 ? shown.prefix(39) + "…" : shown)
  }
}

/// What identifies a record within its list: a whole number, or the 128 bits of a UUID.
package struct Key: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64 = 0, low: UInt64) { (self.high, self.low) = (high, low) }

  package init(number: Int) { self.init(low: UInt64(bitPattern: Int64(number))) }

  package var number: Int { Int(Int64(bitPattern: low)) }

  /// The UUID that `text` spells, with hyphens and in either case.
  package init?(uuid text: some Sequence<UInt8>) {
    guard let prefix = KeyPrefix(uuid: text), prefix.digitCount == 32 else { return nil }
    self = prefix.key
  }

  /// The UUID in the string at `range`, quotes included.
  init?(uuidAt range: Range<Int>, in bytes: Bytes) {
    guard range.count == Self.quotedCount else {
      self.init(uuid: JSONString.decode(range, in: bytes).utf8)
      return
    }
    let start = range.lowerBound + 1
    let hexDigits = Self.hexDigits
    // What is no digit, or no hyphen, sets bits that no digit has.
    var wrong = UInt8(0)
    var (high, low) = (UInt64(0), UInt64(0))
    for i in 0..<36 {
      let byte = bytes[start &+ i]
      // Places 8, 13, 18 and 23.
      if 0x842100 &>> UInt64(truncatingIfNeeded: i) & 1 == 1 {
        wrong |= byte ^ UInt8(ascii: "-")
      } else {
        let digit = hexDigits[Int(byte)]
        wrong |= digit & 0xF0
        high = high &<< 4 | low &>> 60
        low = low &<< 4 | UInt64(digit & 0x0F)
      }
    }
    guard wrong == 0 else { return nil }
    self.init(high: high, low: low)
  }

  private static let quotedCount = 38
  /// The value of each byte as a digit; 0xFF where it is none.
  private static let hexDigits = (UInt8.min ... .max).map { hexDigitValue($0) ?? 0xFF }

  package static func random() -> Key {
    // Version 4, variant 10: RFC 9562, section 5.4.
    Key(
      high: .random(in: .min ... .max) & ~0xF000 | 0x4000,
      low: .random(in: .min ... .max) & ~(0b11 << 62) | 0b10 << 62)
  }

  /// The lower-case text of the UUID.
  package var uuid: String {
    let digits = [high, low].map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
    var text = ""
    for (i, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(i) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}

/// The first digits of a UUID, hyphens at their places, in either case; or a whole key.
package struct KeyPrefix: Hashable, Sendable {
  /// The digits, followed by zeros.
  package let key: Key
  package let digitCount: Int

  /// The digits are enough: a shorter prefix rarely ends in the same zeros.
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// All of a key.
  package init(_ key: Key) { (self.key, digitCount) = (key, 32) }

  /// The first `digitCount` digits of `key`.
  package init(_ key: Key, digitCount: Int) {
    let high = digitCount >= 16 ? UInt64.max : ~(.max >> UInt64(4 * digitCount))
    let low = digitCount >= 32 ? UInt64.max : ~(.max >> UInt64(max(0, 4 * digitCount - 64)))
    self.key = Key(high: key.high & high, low: key.low & low)
    self.digitCount = digitCount
  }

  package init?(uuid text: some Sequence<UInt8>) {
    var (high, low) = (UInt64(0), UInt64(0))
    var count = 0
    for (i, byte) in text.enumerated() {
      if [8, 13, 18, 23].contains(i) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard count < 32, let digit = hexDigitValue(byte) else { return nil }
      if count < 16 {
        high |= UInt64(digit) << UInt64(60 - 4 * count)
      } else {
        low |= UInt64(digit) << UInt64(124 - 4 * count)
      }
      count += 1
    }
    key = Key(high: high, low: low)
    digitCount = count
  }
}

extension Key {
  /// How many leading digits two UUIDs have in common.
  package func sharedDigitCount(with other: Key) -> Int {
    let high = (self.high ^ other.high).leadingZeroBitCount / 4
    return high < 16 ? high : 16 + (low ^ other.low).leadingZeroBitCount / 4
  }

  /// The lower-case text of the first digits of the UUID, with the hyphens between them.
  package func uuid(digits: Int) -> String {
    // A hyphen stands behind the 8th, 12th, 16th and 20th digit.
    let hyphens = [8, 12, 16, 20].count { $0 < digits }
    return String(uuid.prefix(digits + hyphens))
  }
}

extension Schema.Field {
  /// Whether a new record gets a value where none is given.
  package var hasDefault: Bool { initial != nil }
}
