/// What the words after a command are, and how many there may be.
enum Operands: Sendable {
  case none
  /// One text: a title or a note.
  case text
  case ids
  /// Ids in the command line alone, or none.
  case typedIDs
  /// Ids, of which conditions may leave some out.
  case filteredIDs
  /// One id and one text, or one text alone if something else says which records.
  case idAndText
  /// One of these words.
  case choice(name: String, [String])
  case commandWords
  case any

  /// One operand.
  enum Operand {
    case text, id, commandWord, anything
    case oneOf([String])
  }

  /// What else says which records are meant.
  struct Selectors: OptionSet {
    let rawValue: Int
    static let stdin = Selectors(rawValue: 1)
    static let conditions = Selectors(rawValue: 2)
  }

  /// What the operand at an index is; nil if there may be none.
  func operand(at index: Int, _ selectors: Selectors) -> Operand? {
    switch self {
    case .none: nil
    case .text: index == 0 && selectors.isEmpty ? .text : nil
    case .ids, .typedIDs: selectors.isEmpty ? .id : nil
    case .filteredIDs: selectors.contains(.stdin) ? nil : .id
    case .idAndText:
      switch index + (selectors.isEmpty ? 0 : 1) {
      case 0: .id
      case 1: .text
      default: nil
      }
    case .choice(_, let words): index == 0 ? .oneOf(words) : nil
    case .commandWords: .commandWord
    case .any: .anything
    }
  }

  /// Whether `-` may stand for them.
  var mayBeRead: Bool {
    switch self {
    case .text, .ids, .filteredIDs, .idAndText: true
    case .none, .typedIDs, .choice, .commandWords, .any: false
    }
  }
}
