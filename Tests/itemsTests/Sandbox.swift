import Foundation
import Testing

/// An empty folder of its own, in which the built `items` runs as a user would run it.
///
/// `items` is first on PATH, and ITEMS_FILE, HOME and XDG_DATA_HOME lie inside the folder, which goes
/// with the sandbox.
final class Sandbox: Sendable {
  let folder: URL
  var file: URL { folder.appending(path: "items.json") }

  /// Three items and two tasks.
  static let seed = """
    {
      "lastID": 3,
      "items": [
        {"id": 1, "title": "Milk", "number": 3},
        {"id": 2, "title": "Eggs", "number": 12},
        {"id": 3, "title": "Bread", "number": 40}
      ],
      "tasks": [
        {"taskid": "5f2a91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "tasknote": "Call the bank"},
        {"taskid": "5f2ab007-1111-4222-8333-444455556666", "tasknote": "Pay rent"}
      ]
    }

    """

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

  init(_ content: String? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "items-\(UUID().uuidString)")
    let bin = folder.appending(path: ".bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: bin.appending(path: "items"), withDestinationURL: Self.items)
    if let content { try write(content) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ content: String) throws { try Data(content.utf8).write(to: file) }

  /// The data file as text.
  var content: String { get throws { String(decoding: try Data(contentsOf: file), as: UTF8.self) } }

  /// The names in the folder, but for the sandbox's own.
  var names: Set<String> {
    get throws {
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)).subtracting([".bin"])
    }
  }

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
    let inherited = ProcessInfo.processInfo.environment
    process.environment = [
      "PATH": "\(folder.path)/.bin:\(inherited["PATH"] ?? "/usr/bin:/bin")",
      "HOME": "\(folder.path)/home", "XDG_DATA_HOME": "\(folder.path)/home/data",
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

/// Expects an exit code and, where they are given, all of stdout and a part of stderr.
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
