import ItemStore

/// The records of a list as the file has them, read again after each change.
struct LiveView {
  /// The data file.
  let path: String
  private(set) var selection: Selection
  /// Why the records are those of an earlier file.
  private(set) var trouble: StoreError?
  /// The fields to show; nil for those that the schema knows.
  var columns: [String]?

  private let watcher: Watcher
  private let read: () throws(StoreError) -> Selection
  private var doubt: (found: Result<Selection, StoreError>, began: ContinuousClock.Instant)?

  /// Editors empty a file, or move it away, before they write it. What looks like that is believed once
  /// nothing more has happened for so many seconds.
  var calm = 0.2
  /// What looks like that for so many seconds is believed although something goes on happening.
  var patience = 1.0
  /// How many seconds after a failure the file is read again, although nothing has happened to it. The
  /// pause doubles each time, up to the longest.
  private var pause = firstPause

  private static let firstPause = 0.25
  private static let longestPause = 8.0

  /// - Throws: what keeps the file from being read or watched.
  init(
    _ store: Store, _ select: @escaping (Store) throws(StoreError) -> Selection
  ) throws(StoreError) {
    path = store.path
    watcher = try Watcher(store)
    read = { () throws(StoreError) in try select(store) }
    selection = try read()
  }

  enum Event {
    case records
    /// The file cannot be read, or for another reason than before.
    case trouble(StoreError)
    case input
    case hangUp
  }

  /// Blocks until the file is another, or something else happens.
  mutating func next(
    orInputOf other: CInt = -1, orHangUpOf pipe: CInt = -1
  ) throws(StoreError) -> Event {
    while true {
      let seconds = doubt != nil ? calm : trouble != nil ? pause : nil
      switch try watcher.wait(orInputOf: other, orHangUpOf: pipe, seconds: seconds) {
      case .input: return .input
      case .hangUp: return .hangUp
      case .change: if let event = consider(look()) { return event }
      case .timeout:
        if let found = doubt?.found {
          doubt = nil
          if let event = take(found) { return event }
        } else {
          pause = min(2 * pause, Self.longestPause)
          if let event = consider(look()) { return event }
        }
      }
    }
  }

  private func look() -> Result<Selection, StoreError> {
    if let trouble = watcher.trouble { return .failure(trouble) }
    return Result(catching: read)
  }

  /// Takes what was found, unless it is doubtful and has not been so for long.
  private mutating func consider(_ found: Result<Selection, StoreError>) -> Event? {
    let began = doubt?.began ?? .now
    doubt = nil
    if !isDoubtful(found) || began.duration(to: .now) >= .seconds(patience) { return take(found) }
    doubt = (found, began)
    return nil
  }

  /// Nil if it is the trouble that there was.
  mutating func take(_ found: Result<Selection, StoreError>) -> Event? {
    switch found {
    case .success(let new):
      selection = new
      trouble = nil
      pause = Self.firstPause
      return .records
    case .failure(let error):
      if error == trouble { return nil }
      trouble = error
      pause = Self.firstPause
      return .trouble(error)
    }
  }

  private func isDoubtful(_ found: Result<Selection, StoreError>) -> Bool {
    switch found {
    case .failure(let error): error != trouble
    case .success(let new): new.list.count == 0 && selection.list.count > 0
    }
  }
}
