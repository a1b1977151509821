import Foundation
import TestSupport
import Testing

/// The built `items` runs in the folder as a user would run it: it is first on PATH, and ITEMS_FILE, HOME
/// and XDG_DATA_HOME lie inside the folder.
extension Sandbox {
  /// The executable that was built with these tests: it lies beside them.
  static let items: URL = {
    #if canImport(Darwin)
      var folder = Bundle(for: Sandbox.self).bundleURL
    #else
      var folder = Bundle.main.executableURL ?? URL(filePath: "/")
    #endif
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let items = folder.appending(path: "items")
      if FileManager.default.isExecutableFile(atPath: items.path) {
        return items
      }
    }
    fatalError("no items beside the tests")
  }()

  /// PATH with `items` first.
  static let path: String = {
    let inherited = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return "\(items.deletingLastPathComponent().path):\(inherited)"
  }()

  /// What a command came to.
  struct Outcome: CustomTestStringConvertible {
    let command: String
    /// The exit code, or 128 plus the signal that ended it, as a shell has it.
    let code: Int32
    let output: String
    let error: String

    var testDescription: String {
      "\(command)\n  exit \(code)\n  stdout: \(output.debugDescription)\n  stderr: \(error.debugDescription)"
    }
  }

  /// Runs `items` with these words. With no `input`, stdin is empty.
  func items(
    _ words: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(Self.items.path, words, input: input, environment: environment)
  }

  func items(_ words: [String], input: String = "") throws -> Outcome {
    try run(Self.items.path, words, input: input, environment: [:])
  }

  /// Runs a bash script that stops at the first command that fails.
  func bash(
    _ script: String, input: String = "", environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(
      "/usr/bin/env", ["bash", "-eu", "-o", "pipefail", "-c", script], input: input,
      environment: environment)
  }

  func run(
    _ program: String, _ words: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = words
    process.currentDirectoryURL = folder
    process.environment = [
      "PATH": Self.path, "HOME": "\(folder.path)/home", "XDG_DATA_HOME": "\(folder.path)/home/data",
      "ITEMS_FILE": file.path, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
    ].merging(environment) { $1 }
    // Files and not pipes: nothing can fill up, and nothing has to be read meanwhile.
    let streams = try ["in", "out", "err"].map { name in
      let url = FileManager.default.temporaryDirectory.appending(path: "items-\(UUID()).\(name)")
      try Data(name == "in" ? Array(input.utf8) : []).write(to: url)
      return url
    }
    defer { for url in streams { try? FileManager.default.removeItem(at: url) } }
    process.standardInput = try FileHandle(forReadingFrom: streams[0])
    process.standardOutput = try FileHandle(forWritingTo: streams[1])
    process.standardError = try FileHandle(forWritingTo: streams[2])
    try process.run()
    process.waitUntilExit()
    let wasKilled = process.terminationReason == .uncaughtSignal
    return Outcome(
      command: ([URL(filePath: program).lastPathComponent] + words).joined(separator: " "),
      code: process.terminationStatus + (wasKilled ? 128 : 0),
      output: String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self),
      error: String(decoding: try Data(contentsOf: streams[2]), as: UTF8.self))
  }
}

/// Expects an exit code and, if they are given, all of stdout and a part of stderr.
func expect(
  _ outcome: Sandbox.Outcome, exits code: Int32 = 0, prints output: String? = nil,
  says error: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(outcome.code == code, "\(outcome.testDescription)", sourceLocation: sourceLocation)
  if let output {
    #expect(outcome.output == output, "\(outcome.testDescription)", sourceLocation: sourceLocation)
  }
  if let error {
    #expect(
      outcome.error.contains(error), "\(outcome.testDescription)", sourceLocation: sourceLocation)
    if code != 0 {
      #expect(
        outcome.error.hasPrefix("items: "), "\(outcome.testDescription)",
        sourceLocation: sourceLocation)
    }
  } else if code == 0 {
    #expect(outcome.error == "", "\(outcome.testDescription)", sourceLocation: sourceLocation)
  }
}
