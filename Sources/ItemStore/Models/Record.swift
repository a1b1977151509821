extension Store {
  /// A type of record that a store keeps: `Item` and `ToDoTask`. No other type can be one, as only the
  /// store makes models.
  public protocol Record: Hashable, Sendable, Identifiable
  where ID: Sendable & LosslessStringConvertible {
    /// The values of a new record.
    associatedtype Draft: Store.Draft where Draft.Record == Self

    /// How the store reads and writes records of this type.
    static var model: Model<Self> { get }
  }

  /// The values of a record that is to be created, before it has an id.
  public protocol Draft: Hashable, Sendable {
    /// The type of the record that it becomes.
    associatedtype Record: Store.Record
  }

  /// How the store reads and writes one type of record.
  public struct Model<R: Record>: Sendable {
    package let schema: Schema
    /// The record that is stored.
    let record: @Sendable (StoredRecord) -> R
    /// All fields but the key, in the order of the schema.
    let members: @Sendable (R) -> [Member]
    let membersOfDraft: @Sendable (R.Draft) -> [Member]

    package init(
      _ schema: Schema, record: @escaping @Sendable (StoredRecord) -> R,
      members: @escaping @Sendable (R) -> [Member],
      membersOfDraft: @escaping @Sendable (R.Draft) -> [Member]
    ) {
      (self.schema, self.record) = (schema, record)
      (self.members, self.membersOfDraft) = (members, membersOfDraft)
    }
  }
}
