/// A data file that has been checked from the first byte to the last, and where its parts lie.
package final class Document: Sendable {
  package let bytes: Bytes
  /// One for each of `Schema.all`, in that order.
  package let lists: [RecordList]
  /// The value of `lastID` and where it stands.
  let lastID: (value: Int, range: Range<Int>)?
  /// From the opening brace to behind the closing one.
  let braces: Range<Int>
  /// Where the first member begins and where its value does; nil in an empty object.
  let firstMember: (name: Int, value: Int)?
  /// Behind the value of the last member, or behind the opening brace.
  let membersEnd: Int
  /// Where the file is blank or `{}`: the range of it that `bytes` have a skeleton for instead.
  let blank: Range<Int>?
  let fileCount: Int

  /// What a data file is made from.
  private static func skeleton(newline: String, ended: Bool) -> String {
    let lines = ["{", "  \"lastID\": 0,", "  \"items\": [],", "  \"tasks\": []", "}"]
    return lines.joined(separator: newline) + (ended ? newline : "")
  }

  /// Reads and checks a whole file: strict JSON (RFC 8259) in UTF-8, the shape of a data file, and
  /// every record. Blank text is an empty store.
  ///
  /// - Throws: all faults of content up to the first of syntax, `FaultList.limit` at most.
  package init(_ file: Bytes) throws(FaultList) {
    var scanner = JSONScanner(file)
    scanner.skipByteOrderMark()
    scanner.skipWhitespace()
    fileCount = file.count
    blank = Self.blank(in: file, at: scanner)
    if let blank {
      // Braces stay without a final newline where they have none.
      let isEmpty = file[blank.lowerBound] != UInt8(ascii: "{")
      let text = Self.skeleton(newline: file.hasCarriageReturn ? "\r\n" : "\n", ended: isEmpty)
      bytes = Bytes(
        file[0..<blank.lowerBound] + Array(text.utf8) + file[blank.upperBound..<file.count])
      scanner = JSONScanner(bytes, at: blank.lowerBound)
    } else {
      bytes = file
    }

    var faults: [Fault] = []
    var lists = Schema.all.map(RecordList.init(missing:))
    var lastID: (Int, Range<Int>)?
    var firstMember: (Int, Int)?
    let start = scanner.position
    var membersEnd = start + 1
    do throws(Fault) {
      if scanner.current == UInt8(ascii: "{") {
        try scanner.skipObject { (scanner, name) throws(Fault) in
          if firstMember == nil { firstMember = (name.lowerBound, scanner.position) }
          let value = scanner.position
          let known = JSONString.decode(name, in: scanner.bytes)
          if let i = lists.firstIndex(where: { $0.schema.list == known }) {
            if lists[i].name != nil {
              faults.append(Fault(.repeated(field: known), at: name.lowerBound))
            }
            lists[i] = try RecordList(
              lists[i].schema, name: name, scanner: &scanner, faults: &faults)
          } else if known == Self.lastIDField.name {
            if lastID != nil { faults.append(Fault(.repeated(field: known), at: name.lowerBound)) }
            if let reason = try Self.lastIDField.check(&scanner) {
              faults.append(Fault(reason, at: value))
            }
            let range = value..<scanner.position
            lastID = (JSONNumber.integer(range, in: scanner.bytes) ?? 0, range)
          } else {
            try scanner.skipValue()
          }
          membersEnd = scanner.position
        }
      } else {
        try scanner.skipValue()
        faults.append(Fault(.notADocument, at: start))
      }
      braces = start..<scanner.position
      scanner.skipWhitespace()
      if !scanner.isAtEnd {
        let fault = scanner.unexpected(expected: "")
        throw if case .expected = fault.reason { Fault(.textAfterEnd, at: fault.offset) } else {
          fault
        }
      }
    } catch {
      throw FaultList(faults, syntax: error)
    }
    if !faults.isEmpty { throw FaultList(faults) }
    self.lists = lists
    self.lastID = lastID
    self.firstMember = firstMember
    self.membersEnd = membersEnd
  }

  /// All of a text that is white space, or the braces of one that is `{}`.
  private static func blank(in file: Bytes, at scanner: JSONScanner) -> Range<Int>? {
    if scanner.isAtEnd { return (file.startsWithByteOrderMark ? 3 : 0)..<file.count }
    guard scanner.current == UInt8(ascii: "{") else { return nil }
    var rest = scanner
    rest.position += 1
    rest.skipWhitespace()
    guard rest.current == UInt8(ascii: "}") else { return nil }
    let braces = scanner.position..<rest.position + 1
    rest.position += 1
    rest.skipWhitespace()
    return rest.isAtEnd ? braces : nil
  }

  /// Reads and checks a file.
  ///
  /// - Throws: `invalid` with the places of all faults.
  package convenience init(_ file: Bytes, of path: String) throws(StoreError) {
    do throws(FaultList) {
      try self.init(file)
    } catch {
      var positions = Positions(in: file)
      let problems = error.faults.map { fault in
        let position = positions.position(at: fault.offset)
        return StoreError.Problem(
          line: position.line, column: position.column, reason: fault.reason.description)
      }
      throw .invalid(path: path, problems)
    }
  }

  static let lastIDField = Schema.Field("lastID", .wholeNumber)

  package func list(_ schema: Schema) -> RecordList {
    lists.first { $0.schema.list == schema.list } ?? RecordList(missing: schema)
  }

  /// The highest item id that is known to have been given out.
  var highestID: Int {
    lists.reduce(max(0, lastID?.value ?? 0)) { max($0, $1.highestID) }
  }

  /// Behind the value that begins at `start` and has been checked.
  package func end(ofValueAt start: Int) -> Int {
    var scanner = JSONScanner(bytes, at: start)
    try? scanner.skipValue()
    return scanner.position
  }
}

/// What is wrong with a text, in the order of the places.
package struct FaultList: Error {
  /// How many faults of content are reported.
  package static let limit = 20

  package let faults: [Fault]

  init(_ content: [Fault], syntax: Fault? = nil) {
    // What a record lacks is known at its end only, but reported for its beginning.
    let sorted = content.sorted { $0.offset < $1.offset }
    faults =
      sorted.prefix(Self.limit - (syntax == nil ? 0 : 1)) + (syntax.map { [$0] } ?? [])
  }
}
