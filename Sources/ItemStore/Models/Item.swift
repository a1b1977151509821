/// An entry of the list of items.
public struct Item: Store.Record {
  /// Given by the store: from 1 up, never twice in the life of a data file.
  public let id: Int
  /// What it is called. The store takes no blank one.
  public var title: String
  /// Any whole number.
  public var number: Int

  /// An item with these values. To add one to a store, create it from a `Draft`.
  public init(id: Int, title: String, number: Int) {
    (self.id, self.title, self.number) = (id, title, number)
  }

  /// The values of a new item.
  public struct Draft: Store.Draft {
    /// The type of record that it becomes.
    public typealias Record = Item
    /// What the item is called, which must not be blank.
    public var title: String
    /// Any whole number.
    public var number: Int

    /// A draft with these values.
    public init(title: String, number: Int = 0) { (self.title, self.number) = (title, number) }
  }

  /// How the store reads and writes items.
  public static let model = Store.Model<Item>(
    schema,
    record: {
      Item(id: $0.number("id"), title: $0.text("title"), number: $0.number("number"))
    },
    members: { [Member("title", text: $0.title), Member("number", number: $0.number)] },
    membersOfDraft: { [Member("title", text: $0.title), Member("number", number: $0.number)] })

  package static let schema = Schema(
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
}
