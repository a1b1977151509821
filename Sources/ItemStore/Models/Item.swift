/// An entry of the list of items.
public struct Item: Record {
  /// Given by the store: from 1 up, never twice in the life of a data file.
  public let id: Int
  public var title: String
  public var number: Int

  public init(id: Int, title: String, number: Int) {
    (self.id, self.title, self.number) = (id, title, number)
  }

  public init(_ fields: StoredRecord) {
    self.init(
      id: fields.number("id"), title: fields.text("title"), number: fields.number("number"))
  }

  public static let schema = Schema(
    list: "items", noun: "item",
    fields: [
      Schema.Field("id", .wholeNumber),
      Schema.Field(
        "title", .text, initial: { Member("title", text: "First Title") },
        changed: { Member("title", text: "Changed Title") }),
      Schema.Field("number", .wholeNumber, initial: randomNumber, changed: randomNumber),
    ])

  private static let randomNumber: @Sendable () -> Member = {
    Member("number", number: .random(in: 0...100))
  }

  /// What is given for a new item, or what changes in an item.
  public struct Values: RecordValues {
    public var title: String?
    public var number: Int?

    public init(title: String? = nil, number: Int? = nil) {
      (self.title, self.number) = (title, number)
    }

    public var members: [Member] {
      [title.map { Member("title", text: $0) }, number.map { Member("number", number: $0) }]
        .compactMap(\.self)
    }
  }
}
