import Testing

@Suite struct ItemTests {
  @Test func `add makes the sample item where nothing is given`() throws {
    let sandbox = try Sandbox()
    expect(try sandbox.items("add"), prints: "1\n")
    expect(try sandbox.items("list", "-w", "title=First Title", "-f", "ids"), prints: "1\n")
    expect(
      try sandbox.items("list", "-w", "number>=0", "-w", "number<=100", "-f", "ids"), prints: "1\n")
  }
}
