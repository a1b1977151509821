/// Why an operation of the store failed. But for `unsynced`, nothing was changed.
public enum StoreError: Error, Hashable, Sendable {
  // The request: a record or a value in it.
  /// These ids or prefixes name no record.
  case notFound([Mention])
  /// These ids are in use already, or given twice in one batch.
  case taken([Mention])
  /// Several changes of one batch are for the record with this id.
  case givenTwice([Mention])
  /// This prefix begins the ids of several tasks.
  case ambiguous(Mention, candidates: [String])
  /// Values that their fields cannot have, or fields that must be given and are not.
  case invalidValues([InvalidValue])
  /// The highest whole number is in use as an id, so there is no next one.
  case noFreeID

  /// Different things are wrong with a batch.
  indirect case several([StoreError])

  // Undo.
  case nothingToUndo
  /// The file is not as the newest change left it, so that change cannot be taken back.
  case changedSince(path: String)

  // The data file.
  /// It is no valid data file; at most `faultLimit` faults, in order.
  case invalid(path: String, [Place])
  case failed(path: String, Errno)
  case notAFile(path: String, kind: String)
  case readOnly(path: String)
  case tooLarge(path: String)
  /// Someone goes on changing it, so that no version could be read or replaced.
  case keepsChanging(path: String)
  /// Another command holds the lock for longer than this one waits.
  case locked(path: String)

  /// The change is made and others see it, but the folder could not be synced: a power cut soon may
  /// bring the old content back.
  case unsynced(path: String, Errno)

  /// How many faults of content are reported.
  public static let faultLimit = 20

  /// A fault at a place that a person can find.
  public struct Place: Hashable, Sendable {
    public let position: Position
    public let reason: Fault.Reason
  }

  /// An id as it was given, and where: `origin` counts the bytes of the input before it.
  public struct Mention: Hashable, Sendable {
    public let noun: String
    public let id: String
    public let origin: Int?

    package init(noun: String, id: String, origin: Int? = nil) {
      (self.noun, self.id, self.origin) = (noun, id, origin)
    }
  }
}

extension StoreError {
  /// Throws the errors that are not nil, if there is one.
  static func throwAll(_ errors: [StoreError?]) throws(StoreError) {
    let errors = errors.compactMap(\.self)
    if errors.count > 1 { throw .several(errors) }
    if let error = errors.first { throw error }
  }

  /// What is wrong with a value, and where its record was given: `origin` counts the bytes of the input
  /// before it.
  public struct InvalidValue: Hashable, Sendable {
    public let reason: Fault.Reason
    public let origin: Int?

    package init(_ reason: Fault.Reason, origin: Int? = nil) {
      (self.reason, self.origin) = (reason, origin)
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// The error in words, one line for each thing that is wrong.
  public var description: String { lines.map(\.text).joined(separator: "\n") }

  /// The lines of `description`, each with the place in the input that it speaks of.
  package var lines: [(origin: Int?, text: String)] {
    switch self {
    case .notFound(let mentions):
      mentions.map { ($0.origin, "no \($0.noun) with id \($0.id)") }
    case .taken(let mentions):
      mentions.map { ($0.origin, "id \($0.id) is already used by another \($0.noun)") }
    case .givenTwice(let mentions): mentions.map { ($0.origin, "id \($0.id) is given twice") }
    case .ambiguous(let mention, let candidates):
      [(mention.origin, "\(mention.noun) id '\(mention.id)' is ambiguous. It may mean:")]
        + candidates.map { (nil, "  \($0)") }
    case .invalidValues(let values): values.map { ($0.origin, $0.reason.description) }
    // In the order of the input.
    case .several(let errors):
      errors.flatMap(\.lines).sorted { ($0.origin ?? 0) < ($1.origin ?? 0) }
    case .noFreeID: [(nil, "the highest possible id is in use, there is no next one")]
    case .nothingToUndo: [(nil, "nothing to undo")]
    case .changedSince(let path):
      [
        (
          nil,
          "\(path): changed by something else since the last change of items, nothing was undone"
        )
      ]
    case .invalid(let path, let places):
      places.map { (nil, "\(path):\($0.position.line):\($0.position.column): \($0.reason)") }
    case .failed(let path, let errno): [(nil, "\(path): \(errno)")]
    case .notAFile(let path, let kind): [(nil, "\(path): is \(kind), not a file")]
    case .readOnly(let path): [(nil, "\(path): permission denied, the file is read-only")]
    case .tooLarge(let path): [(nil, "\(path): larger than 4 GiB, the most that is supported")]
    case .keepsChanging(let path): [(nil, "\(path): keeps changing while it is read")]
    case .locked(let path):
      [
        (
          nil,
          "\(path): locked by another command for more than 10 s. Try again when that has ended"
        )
      ]
    case .unsynced(let path, let errno):
      [(nil, "\(path): the change is made, but syncing its folder failed: \(errno)")]
    }
  }
}
