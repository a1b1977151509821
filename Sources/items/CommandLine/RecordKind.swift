import ItemStore

/// A type of record as the tool addresses it. Each model has one row here; the commands that all models
/// share are made from it.
struct RecordKind: Sendable {
  let schema: Schema
  /// The words before a verb: `["tasks"]`
  let words: [String]
  let group: Command.Group
  /// What the text of a record is called: `title`
  let textNoun: String
  /// Whether the text of an update is an operand, and not the value of an option.
  let isTextOperand: Bool
  /// Adds the first record.
  let example: String
  /// What a user must know of its ids.
  var aboutIDs: [String] = []

  static let all = [items, tasks]

  static let items = RecordKind(
    schema: Item.schema, words: [], group: .items, textNoun: "title", isTextOperand: false,
    example: "items add 'Buy milk'")

  static let tasks = RecordKind(
    schema: ToDoTask.schema, words: ["tasks"], group: .tasks, textNoun: "note",
    isTextOperand: true, example: "items tasks add 'Call the bank'",
    aboutIDs: ["ID is the id of a task, or its first 4 or more characters."])

  /// `tasks delete-all`
  func command(_ verb: String) -> String { (words + [verb]).joined(separator: " ") }

  /// What is said if there is no record.
  var invitation: String { "No \(schema.nouns(0)) yet. Add the first: \(example)" }
}

extension Schema {
  /// Its row in the table of the tool.
  var kind: RecordKind {
    guard let kind = RecordKind.all.first(where: { $0.schema === self }) else {
      preconditionFailure("no row for \(list)")
    }
    return kind
  }
}
