/// Reads and checks a data file from the first byte to the last, and notes what a document knows.
struct DocumentReader {
  private let bytes: Bytes
  private(set) var lists: [RecordList]
  private(set) var lastID: (value: Int, range: Range<Int>)?
  private(set) var firstMember: (name: Int, value: Int)?
  private(set) var membersEnd = 0
  private(set) var braces = 0..<0
  private var faults: [Fault] = []

  /// - Throws: all faults of content up to the first of syntax, `FaultList.limit` at most.
  init(_ bytes: Bytes, at start: Int, _ schemas: [Schema]) throws(FaultList) {
    self.bytes = bytes
    lists = schemas.map(RecordList.init(missing:))
    do throws(Fault) {
      var scanner = JSONScanner(bytes, at: start)
      try takeDocument(&scanner)
      try Self.checkEnd(of: scanner)
    } catch {
      throw FaultList(faults, syntax: error)
    }
    if !faults.isEmpty { throw FaultList(faults) }
  }

  private mutating func takeDocument(_ scanner: inout JSONScanner) throws(Fault) {
    let start = scanner.position
    if scanner.current == UInt8(ascii: "{") {
      membersEnd = start + 1
      try scanner.skipObject { (scanner, name) throws(Fault) in
        if firstMember == nil { firstMember = (name.lowerBound, scanner.position) }
        try takeMember(named: name, &scanner)
        membersEnd = scanner.position
      }
      // Nobody's data is written to by mistake.
      if firstMember != nil && lastID == nil && lists.allSatisfy({ $0.name == nil }) {
        faults.append(Fault(.foreignObject(lists: lists.map(\.schema.list)), at: start))
      }
    } else {
      let isArray = scanner.current == UInt8(ascii: "[")
      try scanner.skipValue()
      let list = lists.first?.schema.list ?? ""
      faults.append(Fault(isArray ? .bareArray(list: list) : .notADocument(list: list), at: start))
    }
    braces = start..<scanner.position
  }

  private mutating func takeMember(
    named name: Range<Int>, _ scanner: inout JSONScanner
  ) throws(Fault) {
    let text = JSONString.decode(name, in: bytes)
    if let i = lists.firstIndex(where: { $0.schema.list == text }) {
      if lists[i].name != nil { faults.append(Fault(.repeated(field: text), at: name.lowerBound)) }
      lists[i] = try RecordList(lists[i].schema, name: name, scanner: &scanner, faults: &faults)
    } else if text == Document.lastIDField.name {
      if lastID != nil { faults.append(Fault(.repeated(field: text), at: name.lowerBound)) }
      try takeLastID(&scanner)
    } else {
      try scanner.skipValue()
    }
  }

  private mutating func takeLastID(_ scanner: inout JSONScanner) throws(Fault) {
    let start = scanner.position
    if let reason = try Document.lastIDField.check(&scanner) {
      faults.append(Fault(reason, at: start))
    }
    let range = start..<scanner.position
    lastID = (JSONNumber.integer(range, in: bytes) ?? 0, range)
  }

  private static func checkEnd(of scanner: JSONScanner) throws(Fault) {
    var rest = scanner
    rest.skipWhitespace()
    if rest.isAtEnd { return }
    let fault = rest.unexpected(expected: "")
    if case .expected = fault.reason { throw Fault(.textAfterEnd, at: fault.offset) }
    throw fault
  }
}
