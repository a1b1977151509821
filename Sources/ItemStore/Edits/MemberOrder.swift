/// The order of the members of new records: that of their neighbour, and further ones after them.
///
///     neighbour  {"number": 1, "title": "a", "shelf": "top", "id": 1}
///     given      title, size, number
///     written    number, title, id, size
///
/// With no neighbour it is their own: the id, what is given, and what is not given, but the fields of the
/// schema that are not given come before fields of the user's own.
struct MemberOrder {
  /// The rank of each field of a batch; nil if there is no neighbour.
  private let ranks: [Int]?

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
      ranks = nil
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

  /// Whether a record is in this order with a new id first, then what is given, then what is not.
  func isThat(of batch: Batch, _ record: Int, _ initial: [Int]) -> Bool {
    guard let ranks else { return initial.isEmpty || !batch.hasOwnField(record) }
    var last = batch.isGiven(0, in: record) ? 0 : ranks[0]
    for entry in batch.entries(of: record) {
      let rank = ranks[batch.entry(entry).field]
      if rank < last { return false }
      last = rank
    }
    for field in initial {
      if ranks[field] < last { return false }
      last = ranks[field]
    }
    return true
  }

  /// The members of a record in this order.
  func sorted(_ batch: Batch, _ record: Int, _ initial: [Int]) -> [Source] {
    var sources: [Source] = batch.isGiven(0, in: record) ? [] : [.newID]
    batch.forEachField(of: record) { field, _, value in sources.append(.given(field: field, value))
    }
    let own = sources.firstIndex { $0.field >= batch.knownCount } ?? sources.count
    sources.insert(contentsOf: initial.map { .initial(field: $0) }, at: own)
    guard let ranks else { return sources }
    return sources.enumerated()
      .sorted { (ranks[$0.element.field], $0.offset) < (ranks[$1.element.field], $1.offset) }
      .map(\.element)
  }
}
