/// The order of the members of new records: that of their neighbour, and further ones after them.
///
///     neighbour  {"number": 1, "title": "a", "shelf": "top", "id": 1}
///     given      title, size, number
///     written    number, title, id, size
struct MemberOrder {
  /// The rank of each field of a batch; empty if there is no neighbour.
  private let ranks: [Int]
  private var members: [(rank: Int, place: Int, source: Source)] = []
  private var isSorted = true

  /// Where the value of a member comes from.
  enum Source {
    case newID
    /// A value of the batch.
    case given(field: Int, Range<Int>)
    case initial(field: Int)

    var field: Int {
      switch self {
      case .newID: 0
      case .given(let field, _), .initial(let field): field
      }
    }
  }

  init(_ batch: Batch, like neighbour: StoredRecord?) {
    guard let neighbour else {
      ranks = []
      return
    }
    var ranks = Array(repeating: Int.max, count: batch.names.count)
    var next = 0
    neighbour.forEachMember { name, _ in
      var text: [UInt8] = []
      JSONString.appendDecoded(name, in: neighbour.document.bytes, to: &text)
      if let field = batch.existingField(named: text) { ranks[field] = next }
      next += 1
    }
    self.ranks = ranks
  }

  mutating func add(_ source: Source) {
    let rank = ranks.isEmpty ? 0 : ranks[source.field]
    if let last = members.last, last.rank > rank { isSorted = false }
    members.append((rank, members.count, source))
  }

  /// Calls `body` with the members of a record in their order, and forgets them.
  mutating func drain(_ body: (Source) -> Void) {
    if !isSorted { members.sort { ($0.rank, $0.place) < ($1.rank, $1.place) } }
    for member in members { body(member.source) }
    members.removeAll(keepingCapacity: true)
    isSorted = true
  }
}
