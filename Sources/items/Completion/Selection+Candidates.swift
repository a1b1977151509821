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
    var found: [(record: Int, key: RecordKey)] = []
    for record in records where found.count < Self.candidateLimit {
      let key = list.key(of: record, in: document.bytes)
      if isWanted(key)
        && !typed.contains(where: { RecordKey.Prefix(key, digitCount: $0.digitCount) == $0 })
      {
        found.append((record, key))
      }
    }
    let text = schema.fields.first(where: \.kind.isText)?.name ?? schema.key.name
    // An id that is typed further than that cannot become shorter again.
    let names = names(of: found.map(\.key), areShort: word.utf8.count <= Self.shortDigits)
    return zip(names, found).map { name, found in
      Completion.Candidate(
        word: name, text: StoredRecord(document, list, found.record).text(text))
    }
  }

  /// Whether an id begins with `word`.
  private func filter(for word: String) -> (RecordKey) -> Bool {
    guard case .uuid = schema.key.kind else { return { String($0.number).hasPrefix(word) } }
    guard let prefix = RecordKey.Prefix(uuid: word.utf8) else { return { _ in false } }
    return { RecordKey.Prefix($0, digitCount: prefix.digitCount) == prefix }
  }

  private static let shortDigits = 8

  /// The first eight digits of a UUID, if no other record has the same.
  private func names(of keys: [RecordKey], areShort: Bool) -> [String] {
    guard case .uuid = schema.key.kind else { return keys.map { String($0.number) } }
    if !areShort { return keys.map(\.uuid) }
    let short = { (key: RecordKey) in RecordKey.Prefix(key, digitCount: Self.shortDigits) }
    var count: [RecordKey.Prefix: Int] = [:]
    for key in keys { count[short(key)] = 0 }
    for record in records { count[short(list.key(of: record, in: document.bytes))]? += 1 }
    return keys.map { count[short($0)] == 1 ? $0.uuid(digits: Self.shortDigits) : $0.uuid }
  }
}
