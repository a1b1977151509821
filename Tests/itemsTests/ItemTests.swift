import TestSupport
import Testing

@Suite struct ItemTests {
  @Test func `add makes the sample item where nothing is given`() throws {
    let sandbox = try Sandbox()
    expect(try sandbox.items("add"), prints: "1\n")
    expect(try sandbox.items("list", "-w", "title=First Title", "-f", "ids"), prints: "1\n")
    expect(
      try sandbox.items("list", "-w", "number>=0", "-w", "number<=100", "-f", "ids"), prints: "1\n")
  }

  @Test(arguments: [
    ("delete", "the id must be a whole number of 64 bits, not 'all'", "item: items delete-all"),
    (
      "tasks delete", "task id 'all' is too short, give 4 characters or more",
      "task: items tasks delete-all"
    ),
  ])
  func `delete names the command that deletes all`(
    command: String, error: String, hint: String
  ) throws {
    let sandbox = try Sandbox()
    expect(
      try sandbox.bash("items \(command) all"), exits: 2, prints: "",
      says: "items: \(error)\nTo delete every \(hint)\n")
  }
}
