import Foundation
import Testing

/// Runs of a random test, each with a generator whose seed a failure tells.
public enum Fuzz {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// How many inputs a random test tries if ITEMS_FUZZ_RUNS does not say.
  public static func runs(_ usual: Int) -> Int { number("ITEMS_FUZZ_RUNS").map(Int.init) ?? usual }

  /// ITEMS_FUZZ_SEED, or another one each time.
  public static var seed: UInt64 { number("ITEMS_FUZZ_SEED") ?? .random(in: 0..<1 << 32) }

  /// Calls `body` with a generator for each run, until something fails. Run `i` has the seed `seed + i`,
  /// so that the seed of a failing run, with one run, is that run again.
  public static func run(
    _ usual: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout SeededGenerator) throws -> Void
  ) {
    let first = seed
    for i in 0..<runs(usual) where !attempt(first &+ UInt64(i), sourceLocation, body) { return }
  }

  /// Calls `body` once, however many runs are asked for: for a test that does much in one.
  public static func once(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout SeededGenerator) throws -> Void
  ) {
    _ = attempt(seed, sourceLocation, body)
  }

  private static func attempt(
    _ seed: UInt64, _ sourceLocation: SourceLocation,
    _ body: (inout SeededGenerator) throws -> Void
  ) -> Bool {
    var generator = SeededGenerator(seed: seed)
    do {
      try body(&generator)
      return true
    } catch {
      Issue.record(
        "\(error)\nagain with: ITEMS_FUZZ_SEED=\(seed) ITEMS_FUZZ_RUNS=1",
        sourceLocation: sourceLocation)
      return false
    }
  }
}

/// What a random test throws if something is not as it must be.
public struct Mismatch: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// Throws a `Mismatch` if the condition does not hold.
public func check(_ condition: Bool, _ message: @autoclosure () throws -> String) throws {
  if !condition { throw Mismatch(try message()) }
}
