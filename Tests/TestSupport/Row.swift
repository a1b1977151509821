import Testing

/// A row of a table of inputs, which a failing test shows by its name.
public struct Row<Input: Sendable, Output: Sendable>: Sendable, CustomTestStringConvertible {
  public let name: String
  public let input: Input
  public let output: Output

  public init(_ name: String, _ input: Input, _ output: Output) {
    (self.name, self.input, self.output) = (name, input, output)
  }

  public var testDescription: String { name }
}

extension Row where Output == Void {
  public init(_ name: String, _ input: Input) { self.init(name, input, ()) }
}
