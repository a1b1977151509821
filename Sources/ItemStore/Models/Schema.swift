/// A field and its value: `"title"` and `"Milk"`, quotes of the value included.
package struct Member: Sendable {
  package let name: String
  /// One JSON value.
  package let value: ArraySlice<UInt8>

  package init(name: String, value: ArraySlice<UInt8>) {
    self.name = name
    self.value = value
  }

  package init(_ name: String, text: String) {
    self.init(name: name, value: JSONString.encode(text)[...])
  }

  package init(_ name: String, number: Int) {
    self.init(name: name, value: Array(String(number).utf8)[...])
  }
}

/// How one type of record stands in the data file: a list of objects.
///
///     "items": [ {"id": 1, "title": "First Title", "number": 42} ]
///      list        key      text field              number field
package final class Schema: Sendable {
  /// The name of the list at the top level of the file.
  package let list: String
  /// What one record is called.
  package let noun: String
  /// The known fields; the first is the key.
  package let fields: [Field]
  /// The kind of each field.
  package let kinds: [Kind]
  private let names: [Name]

  init(list: String, noun: String, fields: [Field]) {
    precondition(!fields.isEmpty)
    (self.list, self.noun, self.fields) = (list, noun, fields)
    kinds = fields.map(\.kind)
    names = fields.map { Name($0.name) }
  }

  package struct Field: Sendable {
    package let name: String
    package let kind: Kind
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

  package enum Kind: Sendable {
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
    let text = range.lowerBound + 1..<range.upperBound - 1
    let word = Name.firstWord(of: text, in: bytes)
    for (field, name) in names.enumerated()
    where name.firstWord == word && name.bytes.count == text.count {
      if text.count <= 8 || bytes.isEqual(text, to: name.bytes[...]) { return field }
    }
    guard JSONString.firstBackslash(in: range, of: bytes) != nil else { return nil }
    let name = JSONString.decode(range, in: bytes)
    return fields.firstIndex { $0.name == name }
  }

  /// The name of a field, and its first eight bytes as a word, which mostly tells it from others.
  private struct Name {
    let bytes: [UInt8]
    let firstWord: UInt64

    init(_ text: String) {
      bytes = Array(text.utf8)
      firstWord = Self.firstWord(of: 0..<bytes.count, in: Bytes(bytes))
    }

    @inline(__always)
    static func firstWord(of text: Range<Int>, in bytes: Bytes) -> UInt64 {
      let word = bytes.word(at: text.lowerBound)
      return text.count < 8 ? word & ~(.max &<< UInt64(8 &* text.count)) : word
    }
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
      case (.uuid, UInt8(ascii: "\"")): RecordKey(uuidAt: range, in: bytes) != nil
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
    return .wrongType(
      field: name, wanted: wanted, found: String(decoding: found, as: UTF8.self).shortened)
  }
}

extension Schema.Field {
  /// Whether a new record gets a value where none is given.
  package var hasDefault: Bool { initial != nil }
}
