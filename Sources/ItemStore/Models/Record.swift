/// A type of record that a store keeps: `Item` and `ToDoTask`.
public protocol Record: Sendable, Hashable, Identifiable
where ID: Sendable & LosslessStringConvertible {
  /// Values for some of the fields: what `create` and `update` take.
  associatedtype Values: RecordValues

  /// How records of this type stand in the data file.
  static var schema: Schema { get }

  /// The record whose known fields have these values.
  init(_ fields: StoredRecord)
}

/// Values for some of a record's fields. A value that is nil is not given.
public protocol RecordValues: Sendable {
  var members: [Member] { get }
}
