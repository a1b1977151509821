/// Which records a command works on: those that it names, all that meet its conditions, or those
/// named that meet them.
package struct Query: Sendable {
  package var targets: [RecordReference]?
  package var conditions: [Condition]

  package init(targets: [RecordReference]? = nil, conditions: [Condition] = []) {
    (self.targets, self.conditions) = (targets, conditions)
  }

  /// - Throws: `notFound` with every target that names none, `ambiguous` where one names several.
  func records(of schema: Schema, in document: Document) throws(StoreError) -> [Int] {
    let list = document.list(schema)
    let named =
      if let targets { try document.find(targets, in: list) } else { Array(0..<list.count) }
    if conditions.isEmpty { return named }
    return named.filter { record in
      let fields = StoredRecord(document, list, record)
      return conditions.allSatisfy { $0.matches(fields) }
    }
  }
}
