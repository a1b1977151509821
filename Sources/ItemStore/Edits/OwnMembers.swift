/// The members of one record after another, found by the fields of a batch that their names are.
///
///     {"x": 1, "y": 2, "x": 3}      x has places 0 and 2, and is taken from the last one to the first
struct OwnMembers {
  private let document: Document
  private let batch: Batch
  private var members: [Member] = []
  private var count = 0
  /// One for each name of the batch.
  private var fields: [Field]
  /// The number of the record. What is noted of a field for another one does not count.
  private var round = 0
  private(set) var hasRemovals = false

  struct Member {
    /// Quotes included.
    let name: Range<Int>
    let value: Range<Int>
    /// Its index in the batch; -1 if the batch does not have it.
    let field: Int
    /// The place before it that has the same name; -1 for none.
    let previous: Int
    var isTaken = false
    var isRemoved = false
  }

  private struct Field {
    var round = 0
    var count = 0
    /// The place to be taken next; -1 for none.
    var last = -1
    var isAdded = false
  }

  init(_ document: Document, _ batch: Batch) {
    (self.document, self.batch) = (document, batch)
    fields = Array(repeating: Field(), count: batch.names.count)
  }

  subscript(place: Int) -> Member { members[place] }

  /// After the value of the last member.
  var end: Int { members[count - 1].value.upperBound }

  mutating func read(_ record: StoredRecord) {
    round += 1
    hasRemovals = false
    count = 0
    record.forEachMember { take($0, $1) }
  }

  private mutating func take(_ name: Range<Int>, _ value: Range<Int>) {
    let field = field(named: name)
    var previous = -1
    if field >= 0 {
      enter(field)
      previous = fields[field].last
      fields[field].last = count
      fields[field].count += 1
    }
    let member = Member(name: name, value: value, field: field, previous: previous)
    if count < members.count { members[count] = member } else { members.append(member) }
    count += 1
  }

  /// Neighbours mostly have the same names in the same places.
  private func field(named name: Range<Int>) -> Int {
    if count < members.count, members[count].name.count == name.count,
      document.bytes.isEqual(members[count].name, at: name.lowerBound)
    {
      return members[count].field
    }
    var text: [UInt8] = []
    JSONString.appendDecoded(name, in: document.bytes, to: &text)
    return batch.existingField(named: text) ?? -1
  }

  private mutating func enter(_ field: Int) {
    if fields[field].round != round { fields[field] = Field(round: round) }
  }

  /// How many members have this name.
  mutating func count(of field: Int) -> Int {
    enter(field)
    return fields[field].count
  }

  /// The last member of this name that was not taken yet.
  mutating func takeLast(of field: Int) -> Int? {
    enter(field)
    let place = fields[field].last
    if place < 0 { return nil }
    fields[field].last = members[place].previous
    members[place].isTaken = true
    return place
  }

  /// Notes that the record gets a field; returns false if it was noted before.
  mutating func add(_ field: Int) -> Bool {
    enter(field)
    defer { fields[field].isAdded = true }
    return !fields[field].isAdded
  }

  /// The members that are not of the schema and were not taken.
  var others: [Int] {
    (0..<count).filter { place in
      let member = members[place]
      return (member.field < 0 || member.field >= batch.knownCount) && !member.isTaken
    }
  }

  mutating func remove(_ place: Int) {
    members[place].isRemoved = true
    hasRemovals = true
  }

  /// Takes out what is to be removed: each member with the comma before it, the first ones with the comma
  /// after them. At least one member stays, as no key is removed.
  var removals: [Splice] {
    var splices: [Splice] = []
    var isFirst = true
    for place in 0..<count {
      if !members[place].isRemoved {
        isFirst = false
      } else if isFirst, place + 1 < count {
        splices.append(
          Splice(members[place].name.lowerBound..<members[place + 1].name.lowerBound, []))
      } else if place > 0 {
        splices.append(
          Splice(members[place - 1].value.upperBound..<members[place].value.upperBound, []))
      }
    }
    return splices
  }
}
