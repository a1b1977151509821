import ItemStore

extension Selection {
  /// More ids than this no one can read, and a shell asks before it shows fewer.
  private static let candidateLimit = 200

  /// The ids that begin with `word` and are not among those typed, each with the text of its record. The
  /// ids of tasks are as short as names of them are.
  func candidates(for word: String, without typed: [String]) -> [Completion.Candidate] {
    let list = list
    let isWanted = filter(for: word)
    let typed = typed.compactMap { try? RecordReference($0, of: schema).prefix }
    var found: [Int] = []
    for record in records where found.count < Self.candidateLimit {
      let key = list.key(of: record, in: document.bytes)
      if isWanted(key)
        && !typed.contains(where: { RecordKey.Prefix(key, digitCount: $0.digitCount) == $0 })
      {
        found.append(record)
      }
    }
    let text = schema.fields.first(where: \.kind.isText)?.name ?? schema.key.name
    // An id that is typed further than that cannot become shorter again.
    let names = names(of: found, areShort: word.utf8.count <= RecordKey.shortDigits)
    return zip(names, found).map { name, record in
      Completion.Candidate(
        word: name, text: StoredRecord(document, list, record).text(text))
    }
  }

  /// Whether an id begins with `word`.
  private func filter(for word: String) -> (RecordKey) -> Bool {
    guard case .uuid = schema.key.kind else { return { String($0.number).hasPrefix(word) } }
    guard let prefix = RecordKey.Prefix(uuid: word.utf8) else { return { _ in false } }
    return { RecordKey.Prefix($0, digitCount: prefix.digitCount) == prefix }
  }

  /// The ids of records, those of tasks as short as they are unique if they may be.
  private func names(of records: [Int], areShort: Bool) -> [String] {
    let keys = records.map { list.key(of: $0, in: document.bytes) }
    guard areShort, let digits = Selection(document, schema, records).idDigits else {
      return keys.map(schema.text)
    }
    return zip(keys, digits).map { $0.uuid(digits: $1) }
  }
}
