/// A data file that has been checked from the first byte to the last, and where its parts lie.
package final class Document: Sendable {
  package let bytes: Bytes
  /// One for each schema, in that order.
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

  /// Reads and checks a whole file: strict JSON (RFC 8259) in UTF-8, the shape of a data file, and
  /// every record. Blank text is an empty store.
  ///
  /// - Parameter schemas: the types of record that the file may hold.
  /// - Throws: all faults of content up to the first of syntax, `FaultList.limit` at most.
  package init(_ file: Bytes, schemas: [Schema] = Schema.all) throws(FaultList) {
    var scanner = JSONScanner(file)
    scanner.skipByteOrderMark()
    scanner.skipWhitespace()
    fileCount = file.count
    blank = Self.blank(in: file, at: scanner)
    var start = scanner.position
    if let blank {
      bytes = Self.skeleton(for: schemas, insteadOf: blank, in: file)
      start = blank.lowerBound
    } else {
      bytes = file
    }
    let reader = try DocumentReader(bytes, at: start, schemas)
    lists = reader.lists
    lastID = reader.lastID
    braces = reader.braces
    firstMember = reader.firstMember
    membersEnd = reader.membersEnd
  }

  /// The file with what an empty store is made from in place of its blank part.
  private static func skeleton(
    for schemas: [Schema], insteadOf blank: Range<Int>, in file: Bytes
  ) -> Bytes {
    let members = ["\(lastIDField.name)\": 0"] + schemas.map { "\($0.list)\": []" }
    let newline = file.hasCarriageReturn ? "\r\n" : "\n"
    let lines = members.map { "\(newline)  \"\($0)" }.joined(separator: ",")
    // Braces stay without a final newline if they have none.
    let isEmpty = file[blank.lowerBound] != UInt8(ascii: "{")
    let text = "{\(lines)\(newline)}" + (isEmpty ? newline : "")
    return Bytes(
      file[0..<blank.lowerBound] + Array(text.utf8) + file[blank.upperBound..<file.count])
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
  package convenience init(
    _ file: Bytes, of path: String, _ schemas: [Schema] = Schema.all
  ) throws(StoreError) {
    do throws(FaultList) {
      try self.init(file, schemas: schemas)
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
