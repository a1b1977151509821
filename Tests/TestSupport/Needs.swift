import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test if one of these programs is not on PATH, or if the system does not allow what the test
  /// does with them. With ITEMS_TESTS_COMPLETE in the environment, as in `.ci/run`, a program that is
  /// missing is a failure.
  public static func needs(
    _ programs: String..., allowed: @autoclosure @escaping @Sendable () -> Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    let missing = programs.filter { !Sandbox.has($0) }
    return .enabled(
      "needs \(programs.joined(separator: ", "))", sourceLocation: sourceLocation
    ) {
      if missing.isEmpty { return allowed() }
      if Sandbox.mustBeComplete { throw MissingPrograms(names: missing) }
      return false
    }
  }
}

private struct MissingPrograms: Error, CustomStringConvertible {
  let names: [String]
  var description: String { "not on PATH: \(names.joined(separator: ", "))" }
}

extension Sandbox {
  /// Whether a program is on PATH.
  public static func has(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  /// Whether a program is on PATH, or has to be.
  public static func expects(_ program: String) -> Bool { mustBeComplete || has(program) }

  fileprivate static var mustBeComplete: Bool {
    ProcessInfo.processInfo.environment["ITEMS_TESTS_COMPLETE"] != nil
  }
}
