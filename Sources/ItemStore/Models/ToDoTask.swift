/// An entry of the to-do list.
public struct ToDoTask: Store.Record {
  /// A UUID: random and in lower case if the store gave it.
  public let taskid: String
  /// What is to be done. The store takes no blank one.
  public var tasknote: String

  /// The same as `taskid`.
  public var id: String { taskid }

  /// A task with these values. To add one to a store, create it from a `Draft`.
  public init(taskid: String, tasknote: String) {
    (self.taskid, self.tasknote) = (taskid, tasknote)
  }

  /// The values of a new task.
  public struct Draft: Store.Draft {
    /// The type of record that it becomes.
    public typealias Record = ToDoTask
    /// What is to be done, which must not be blank.
    public var tasknote: String

    /// A draft with this note.
    public init(tasknote: String) { self.tasknote = tasknote }
  }

  /// How the store reads and writes tasks.
  public static let model = Store.Model<ToDoTask>(
    schema,
    record: { ToDoTask(taskid: $0.text("taskid"), tasknote: $0.text("tasknote")) },
    members: { [Member("tasknote", text: $0.tasknote)] },
    membersOfDraft: { [Member("tasknote", text: $0.tasknote)] })

  package static let schema = Schema(
    list: "tasks", noun: "task",
    fields: [Schema.Field("taskid", .uuid), Schema.Field("tasknote", .text)])
}
