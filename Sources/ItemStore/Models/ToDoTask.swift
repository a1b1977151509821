/// An entry of the to-do list.
public struct ToDoTask: Record {
  /// A UUID: random and in lower case where the store gave it.
  public let taskid: String
  public var tasknote: String

  public var id: String { taskid }

  public init(taskid: String, tasknote: String) {
    (self.taskid, self.tasknote) = (taskid, tasknote)
  }

  public init(_ fields: StoredRecord) {
    self.init(taskid: fields.text("taskid"), tasknote: fields.text("tasknote"))
  }

  public static let schema = Schema(
    list: "tasks", noun: "task",
    fields: [Schema.Field("taskid", .uuid), Schema.Field("tasknote", .text)])

  /// What is given for a new task, or what changes in a task.
  public struct Values: RecordValues {
    public var tasknote: String

    public init(tasknote: String) { self.tasknote = tasknote }

    public var members: [Member] { [Member("tasknote", text: tasknote)] }
  }
}
