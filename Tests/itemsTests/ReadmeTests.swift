import Foundation
import TestSupport
import Testing

/// The README's blocks, pasted one after the other on a terminal, in a fresh home.
@Suite struct ReadmeTests {
  /// A block for the shell, and the block after it that shows what it prints.
  private struct Step {
    let commands: String
    let output: String?
  }

  private static func steps() throws -> [Step] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    // Text and blocks take turns; the first line of a block names its language.
    let parts = readme.components(separatedBy: "```")
    let blocks = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
    return zip(blocks, blocks.dropFirst() + [""]).compactMap { block, next in
      guard block.hasPrefix("sh\n") else { return nil }
      return Step(
        commands: String(block.dropFirst(3)),
        output: next.hasPrefix("text\n") ? String(next.dropFirst(5)) : nil)
    }
  }

  /// The commands with the program that these tests have instead of the one that is to be built.
  private static func built(_ commands: String) -> String {
    commands.split(separator: "\n").map { line in
      line.replacing("swift run -c release items", with: "items")
        .replacing(".build/release/items", with: Sandbox.items.path)
    }.filter { !$0.hasPrefix("swift ") }.joined(separator: "\n")
  }

  @Test(
    .needs("script", "jq", "zsh", "fish", allowed: Sandbox.hasScript),
    arguments: ["bash --norc", "zsh -f", "fish --no-config"])
  func `every block does what the README shows`(shell: String) throws {
    let sandbox = try Sandbox()
    let home = sandbox.folder.appending(path: "home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    for step in try Self.steps() {
      try sandbox.write(Data(Self.built(step.commands).utf8), to: ".block")
      let outcome = try sandbox.run(
        "/usr/bin/env",
        ["script", "-qec", "stty cols 100; \(shell) '\(sandbox.folder.path)/.block'", "/dev/null"],
        environment: ["NO_COLOR": "1", "ITEMS_FILE": "", "XDG_DATA_HOME": "", "HOME": home.path])
      #expect(outcome.code == 0, "\(step.commands)\(outcome.testDescription)")
      guard let output = step.output else { continue }
      let shown = outcome.output.replacing(home.path, with: "/home/you")
      #expect(lines(shown) == lines(output), "\(step.commands)")
    }
    // What the installation promises, in a new shell.
    let installed = home.appending(path: ".local/bin/items").path
    #expect(FileManager.default.isExecutableFile(atPath: installed))
    expect(try sandbox.run(installed, ["--version"]))
  }

  /// Without blanks at their ends, and all task ids alike, as they are random.
  private func lines(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
        .replacing(#/task [0-9a-f]{8}/#, with: "task 00000000")
    }
  }
}
