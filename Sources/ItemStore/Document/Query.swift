/// Which records a command works on: those that it names, all that meet its conditions, or those
/// named that meet them.
package struct Query: Sendable {
  package var targets: [RecordReference]?
  package var conditions: [Condition]

  package init(targets: [RecordReference]? = nil, conditions: [Condition] = []) {
    (self.targets, self.conditions) = (targets, conditions)
  }

  /// - Throws: every target that names no record, or several.
  func records(of schema: Schema, in document: Document) throws(Rejection) -> [Int] {
    let list = document.list(schema)
    guard let targets else { return records(matching: list, in: document) }
    return try document.find(targets, in: list).filter { matches($0, of: list, in: document) }
  }

  var selectsAll: Bool { targets == nil && conditions.isEmpty }

  /// All records of a list that meet the conditions.
  package func records(matching list: RecordList, in document: Document) -> [Int] {
    (0..<list.count).filter { matches($0, of: list, in: document) }
  }

  private func matches(_ record: Int, of list: RecordList, in document: Document) -> Bool {
    if conditions.isEmpty { return true }
    let fields = StoredRecord(document, list, record)
    return conditions.allSatisfy { $0.matches(fields) }
  }
}
