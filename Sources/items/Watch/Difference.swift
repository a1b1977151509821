import ItemStore

/// What became of the records of one selection in another, by their keys. That a record stands at
/// another place, or is laid out in another way, is no difference.
struct Difference {
  /// What is gone comes first; the rest in the order of the new selection.
  let events: [(kind: Kind, record: Selection)]

  enum Kind: String {
    case added, updated, deleted
  }

  init(from old: Selection, to new: Selection) {
    let (oldList, newList) = (old.list, new.list)
    let same = CommonEnds(old.document, oldList, new.document, newList)
    let oldRecords = old.records.filter { same.differ($0, of: oldList.count) }
    var before: [RecordKey: Int] = [:]
    for record in oldRecords { before[oldList.key(of: record, in: old.document.bytes)] = record }

    var events: [(Kind, Selection)] = []
    for record in new.records where same.differ(record, of: newList.count) {
      let key = newList.key(of: record, in: new.document.bytes)
      let old = before.removeValue(forKey: key).map { StoredRecord(old.document, oldList, $0) }
      let now = StoredRecord(new.document, newList, record)
      if let old, old.compactJSON == now.compactJSON { continue }
      events.append(
        (old == nil ? .added : .updated, Selection(new.document, new.schema, [record])))
    }
    let gone = Set(before.values)
    let deleted = oldRecords.filter(gone.contains)
    self.events = deleted.map { (.deleted, Selection(old.document, old.schema, [$0])) } + events
  }
}

extension StoredRecord {
  fileprivate var compactJSON: [UInt8] {
    var json: [UInt8] = []
    appendCompactJSON(to: &json)
    return json
  }
}

/// How many records at the start and at the end of a list lie in bytes that two files have in common.
/// A change of one record in a million is found by this.
private struct CommonEnds {
  private var first = 0
  private var last = 0

  init(_ old: Document, _ oldList: RecordList, _ new: Document, _ newList: RecordList) {
    let count = min(oldList.count, newList.count)
    let prefix = old.bytes.commonPrefix(with: new.bytes)
    // The next record begins in the common bytes, so this one ends in them.
    while first + 1 < count, oldList.start(of: first + 1) < prefix { first += 1 }
    let suffix = old.bytes.commonSuffix(with: new.bytes)
    while first + last < count {
      let oldRest = old.bytes.count - oldList.start(of: oldList.count - last - 1)
      let newRest = new.bytes.count - newList.start(of: newList.count - last - 1)
      guard oldRest == newRest, oldRest <= suffix else { break }
      last += 1
    }
  }

  /// Whether a record of a list with `count` of them may be another.
  func differ(_ record: Int, of count: Int) -> Bool { record >= first && record < count - last }
}

extension Bytes {
  fileprivate func commonPrefix(with other: Bytes) -> Int {
    let most = min(count, other.count)
    var length = 0
    while length + 8 <= most, word(at: length) == other.word(at: length) { length += 8 }
    while length < most, self[length] == other[length] { length += 1 }
    return length
  }

  fileprivate func commonSuffix(with other: Bytes) -> Int {
    let most = min(count, other.count)
    var length = 0
    while length + 8 <= most,
      word(at: count - length - 8) == other.word(at: other.count - length - 8)
    { length += 8 }
    while length < most, self[count - length - 1] == other[other.count - length - 1] { length += 1 }
    return length
  }
}

extension Output {
  /// Writes what has changed, to the last byte: the word and the columns, or one object a line.
  mutating func write(
    _ difference: Difference, as format: Format, columns: [String]? = nil
  ) throws(Errno) {
    for (kind, record) in difference.events {
      if format == .jsonl {
        write("{\"event\":\"\(kind)\",\"\(record.schema.noun)\":")
        var members = columns.map { NamedMembers($0, in: record) }
        for index in record.records { writeObject(index, of: record, &members) }
        write("}\n")
      } else {
        write("\(kind)\t")
        try append(record, as: format, columns: columns)
      }
    }
    try flush()
  }
}
