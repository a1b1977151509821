import Foundation
import TestSupport
import Testing

/// The sessions of the README, run on a terminal, word for word.
@Suite struct ReadmeTests {
  /// The contents of the blocks that show a session.
  static func sessions() throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    return readme.components(separatedBy: "```console\n").dropFirst().map {
      String($0.components(separatedBy: "\n```")[0])
    }
  }

  @Test(
    .needs("script", "jq", "awk", "sqlite3", allowed: Sandbox.hasScript), arguments: try sessions())
  func `a session of the README prints what it shows`(session: String) throws {
    let sandbox = try Sandbox()
    // The first task has a random id, and not the one in the README.
    let commands = session.split(separator: "\n").filter { $0.hasPrefix("$ ") }
    let script = commands.map { line in
      let command = line.dropFirst(2).replacing(
        "5f2a91c4", with: "$(items tasks list -f ids | cut -c1-8)")
      return "echo \(quoted(String(line)))\n\(command)"
    }
    let file = ".session"
    try sandbox.write(Data(script.joined(separator: "\n").utf8), to: file)
    let outcome = try sandbox.run(
      "/usr/bin/env", ["script", "-qec", "stty cols 100; bash \(file)", "/dev/null"],
      environment: ["NO_COLOR": "1"])
    let lines = taskIDsAlike(outcome.output).split(whereSeparator: \.isNewline)
    let wanted = taskIDsAlike(session).split(whereSeparator: \.isNewline)
    for (line, wanted) in zip(lines, wanted) { #expect(line == wanted) }
    #expect(lines.count == wanted.count, "\(outcome.testDescription)")
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// Task ids are random.
  private func taskIDsAlike(_ text: String) -> String {
    text.replacing(#/task [0-9a-f]{8}/#, with: "task 00000000")
  }
}
