@testable import ItemStore

/// A slow reader of JSON that builds a tree, and a check of what a data file must be on top of that:
/// what the scanner and the document are compared with.
struct ReferenceNode {
  indirect enum Value {
    case literal(String)
    case number(String)
    case string(String)
    case array([ReferenceNode])
    case object([(name: String, offset: Int, value: ReferenceNode)])
  }
  /// Where it is in the text that it was read from.
  var range = 0..<0
  var value: Value

  var offset: Int { range.lowerBound }

  /// The value of a member of an object.
  subscript(name: String) -> ReferenceNode? {
    get {
      guard case .object(let members) = value else { return nil }
      return members.first { $0.name == name }?.value
    }
    set {
      guard case .object(var members) = value, let newValue else { return }
      if let i = members.firstIndex(where: { $0.name == name }) {
        members[i].value = newValue
      } else {
        members.append((name, 0, newValue))
      }
      value = .object(members)
    }
  }

  var elements: [ReferenceNode] {
    if case .array(let elements) = value { elements } else { [] }
  }
}

/// A fault as the reference has it: a tag and the bytes before the place.
struct ReferenceFault: Error, Hashable, Comparable, CustomStringConvertible {
  let tag: String
  let offset: Int

  init(_ tag: String, _ offset: Int) { (self.tag, self.offset) = (tag, offset) }

  init(_ fault: Fault) {
    let tag =
      switch fault.reason {
      case .notAnObject: "object"
      case .notADocument, .bareArray, .foreignObject: "document"
      case .notAList(let list): "list \(list)"
      case .wrongType(let field, _, _): "type \(field)"
      case .missing(let field, _): "missing \(field)"
      case .repeated(let field): "repeated \(field)"
      case .usedID(let id, let line): "used \(id) on line \(line)"
      default: "syntax"
      }
    self.init(tag, fault.offset)
  }

  static func < (a: Self, b: Self) -> Bool { (a.offset, a.tag) < (b.offset, b.tag) }

  var description: String { "\(tag) at \(offset)" }
}

struct ReferenceParser {
  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The byte at the position; nil at the end.
  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func fault(_ offset: Int? = nil) -> ReferenceFault {
    ReferenceFault("syntax", offset ?? position)
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  mutating func skipBlanks() {
    while take(0x20) || take(0x0A) || take(0x0D) || take(0x09) {}
  }

  mutating func document() throws(ReferenceFault) -> ReferenceNode {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    skipBlanks()
    let node = try value()
    skipBlanks()
    if current != nil { throw fault() }
    return node
  }

  mutating func value() throws(ReferenceFault) -> ReferenceNode {
    let start = position
    let value: ReferenceNode.Value
    switch current {
    case UInt8(ascii: "\""): value = .string(try string())
    case UInt8(ascii: "["): value = .array(try array())
    case UInt8(ascii: "{"): value = .object(try object())
    case let byte? where byte == UInt8(ascii: "-") || isASCIIDigit(byte):
      value = .number(try number())
    default:
      guard let word = ["true", "false", "null"].first(where: { take($0) }) else { throw fault() }
      value = .literal(word)
    }
    return ReferenceNode(range: start..<position, value: value)
  }

  private mutating func array() throws(ReferenceFault) -> [ReferenceNode] {
    position += 1
    skipBlanks()
    if take(UInt8(ascii: "]")) { return [] }
    var elements: [ReferenceNode] = []
    while true {
      elements.append(try value())
      if try isAtEnd(UInt8(ascii: "]")) { return elements }
    }
  }

  private mutating func object() throws(ReferenceFault) -> [(String, Int, ReferenceNode)] {
    position += 1
    skipBlanks()
    if take(UInt8(ascii: "}")) { return [] }
    var members: [(String, Int, ReferenceNode)] = []
    while true {
      let start = position
      guard current == UInt8(ascii: "\"") else { throw fault() }
      let name = try string()
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw fault() }
      skipBlanks()
      members.append((name, start, try value()))
      if try isAtEnd(UInt8(ascii: "}")) { return members }
    }
  }

  /// Takes a comma, or the end.
  private mutating func isAtEnd(_ end: UInt8) throws(ReferenceFault) -> Bool {
    skipBlanks()
    if take(end) { return true }
    let comma = position
    guard take(UInt8(ascii: ",")) else { throw fault() }
    skipBlanks()
    if take(end) { throw fault(comma) }
    return false
  }

  private mutating func number() throws(ReferenceFault) -> String {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if let byte = current, isASCIIDigit(byte) { throw fault(start) }
    } else {
      try digits(start)
    }
    if take(UInt8(ascii: ".")) { try digits(start) }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
      try digits(start)
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits(_ start: Int) throws(ReferenceFault) {
    guard let first = current else { throw fault() }
    guard isASCIIDigit(first) else { throw fault(start) }
    while let byte = current, isASCIIDigit(byte) { position += 1 }
  }

  private func isASCIIDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private mutating func string() throws(ReferenceFault) -> String {
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    while true {
      guard let byte = current, byte >= 0x20 else {
        // A string that goes past its line was left open.
        throw current == 0x0A || current == 0x0D ? fault(start) : fault()
      }
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(text)
      case UInt8(ascii: "\\"): text.append(try escape())
      case ..<0x80:
        text.append(Unicode.Scalar(byte))
        position += 1
      default: text.append(try multibyte())
      }
    }
  }

  private mutating func escape() throws(ReferenceFault) -> Unicode.Scalar {
    let start = position
    for (letter, meaning) in [
      ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{c}"), ("n", "\n"),
      ("r", "\r"), ("t", "\t"),
    ] as [(String, Unicode.Scalar)] where take("\\" + letter) {
      return meaning
    }
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard bytes[position...].starts(with: "\\u".utf8) else { throw fault(start) }
    let low = try codeUnit()
    var text = ""
    guard
      !transcode(
        [UInt16(high), UInt16(low)].makeIterator(), from: UTF16.self, to: UTF32.self,
        stoppingOnError: true, into: { Unicode.Scalar($0).map { text.unicodeScalars.append($0) } }),
      let scalar = text.unicodeScalars.first
    else { throw fault(start) }
    return scalar
  }

  private mutating func codeUnit() throws(ReferenceFault) -> UInt32 {
    let start = position
    let digits = bytes[position...].dropFirst(2).prefix(4)
    guard take("\\u"), digits.count == 4,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault(start) }
    position += 4
    return unit
  }

  private mutating func multibyte() throws(ReferenceFault) -> Unicode.Scalar {
    for count in 2...4 {
      // What is not UTF-8 is repaired, and so has other bytes.
      let given = bytes[position...].prefix(count)
      let text = String(decoding: given, as: UTF8.self)
      if text.utf8.elementsEqual(given), text.unicodeScalars.count == 1,
        let scalar = text.unicodeScalars.first
      {
        position += count
        return scalar
      }
    }
    throw fault()
  }
}

/// What a data file must be, checked on the tree.
struct ReferenceChecker {
  let bytes: [UInt8]
  private var faults: [ReferenceFault] = []
  private var used: [String: Int] = [:]

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The one fault of syntax, or all of content in the order of the places.
  static func faults(in bytes: [UInt8]) -> [ReferenceFault] {
    var parser = ReferenceParser(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
    parser.skipBlanks()
    if parser.position == bytes.count { return [] }
    parser.position = 0
    do throws(ReferenceFault) {
      let root = try parser.document()
      var checker = ReferenceChecker(bytes)
      checker.check(root)
      return checker.faults.sorted()
    } catch {
      return [error]
    }
  }

  private mutating func report(_ tag: String, _ offset: Int) {
    faults.append(ReferenceFault(tag, offset))
  }

  private mutating func check(_ root: ReferenceNode) {
    guard case .object(let members) = root.value else { return report("document", root.offset) }
    var seen: Set<String> = []
    if !members.isEmpty,
      !members.contains(where: { ["lastID", "items", "tasks"].contains($0.name) })
    {
      return report("document", root.offset)
    }
    for (name, offset, value) in members where ["lastID", "items", "tasks"].contains(name) {
      if !seen.insert(name).inserted { report("repeated \(name)", offset) }
      switch name {
      case "items":
        list(name, value, [("id", "number"), ("title", "text"), ("number", "number")])
      case "tasks": list(name, value, [("taskid", "uuid"), ("tasknote", "text")])
      default: if !fits(value, "number") { report("type lastID", value.offset) }
      }
    }
  }

  private mutating func list(
    _ name: String, _ node: ReferenceNode, _ fields: [(name: String, kind: String)]
  ) {
    guard case .array(let records) = node.value else { return report("list \(name)", node.offset) }
    used = [:]
    for record in records {
      guard case .object(let members) = record.value else {
        report("object", record.offset)
        continue
      }
      for (i, field) in fields.enumerated() {
        let own = members.filter { $0.name == field.name }
        if own.isEmpty { report("missing \(field.name)", record.offset) }
        for member in own.dropFirst() { report("repeated \(field.name)", member.offset) }
        for member in own where !fits(member.value, field.kind) {
          report("type \(field.name)", member.value.offset)
        }
        if i == 0, let key = own.last, fits(key.value, field.kind) { note(key.value) }
      }
    }
  }

  private mutating func note(_ key: ReferenceNode) {
    let id =
      switch key.value {
      case .number(let number): ReferenceNumber(number).integer.map { String($0) } ?? ""
      case .string(let text): text.lowercased()
      default: ""
      }
    if let line = used[id] {
      report("used \(id) on line \(line)", key.offset)
    } else {
      used[id] = 1 + bytes[..<key.offset].count { $0 == UInt8(ascii: "\n") }
    }
  }

  private func fits(_ node: ReferenceNode, _ kind: String) -> Bool {
    switch node.value {
    case .string(let text):
      kind == "text"
        || kind == "uuid"
          && text.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) != nil
    case .number(let text): kind == "number" && ReferenceNumber(text).integer != nil
    default: false
    }
  }
}

/// The value of a JSON number with an exponent that is small enough to be written out: digits before
/// the point and after it, without zeros that say nothing.
struct ReferenceNumber {
  let isNegative: Bool
  let whole: String
  let fraction: String

  init(_ text: String) {
    let parts = text.lowercased().split(separator: "e")
    let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".").map(String.init)
    var (whole, fraction) = (mantissa[0], mantissa.count > 1 ? mantissa[1] : "")
    // More says nothing else of a number that does not fit 64 bits, and would take for ever.
    let limit = parts.count > 1 && parts[1].hasPrefix("-") ? -400 : 400
    var exponent = parts.count > 1 ? Int(parts[1]) ?? limit : 0
    if exponent.magnitude > 400 { exponent = limit }
    while exponent > 0 {
      whole.append(fraction.isEmpty ? "0" : fraction.removeFirst())
      exponent -= 1
    }
    while exponent < 0 {
      fraction.insert(whole.popLast() ?? "0", at: fraction.startIndex)
      exponent += 1
    }
    self.whole = String(whole.drop { $0 == "0" })
    while fraction.last == "0" { fraction.removeLast() }
    self.fraction = fraction
    isNegative = text.first == "-" && !(self.whole.isEmpty && fraction.isEmpty)
  }

  var integer: Int? { fraction.isEmpty ? Int((isNegative ? "-" : "") + "0" + whole) : nil }

  func isLess(than other: ReferenceNumber) -> Bool {
    if isNegative != other.isNegative { return isNegative }
    let (a, b) = isNegative ? (other, self) : (self, other)
    return (a.whole.count, a.whole, a.fraction) < (b.whole.count, b.whole, b.fraction)
  }
}

extension ReferenceNode {
  /// Text that is the same for two values that differ in nothing but white space and escapes.
  var meaning: String {
    switch value {
    case .literal(let word): word
    case .number(let text): text
    case .string(let text): text.unicodeScalars.map(\.value).description
    case .array(let elements): "[\(elements.map(\.meaning).joined(separator: " "))]"
    case .object(let members):
      "{\(members.map { "\($0.name.unicodeScalars.map(\.value)): \($0.value.meaning)" }.joined(separator: " "))}"
    }
  }
}

extension ReferenceNode {
  /// An item as it is added after a neighbour.
  init(_ item: Item, after neighbour: ReferenceNode?) {
    var order = ["id", "title", "number"]
    if case .object(let members)? = neighbour?.value {
      order = members.map(\.0).filter(order.contains)
    }
    let values: [String: Value] = [
      "id": .number(String(item.id)), "title": .string(item.title),
      "number": .number(String(item.number)),
    ]
    self.init(
      value: .object(
        order.compactMap { name in values[name].map { (name, 0, ReferenceNode(value: $0)) } }))
  }

  var integer: Int? {
    if case .number(let text) = value { ReferenceNumber(text).integer } else { nil }
  }
}
