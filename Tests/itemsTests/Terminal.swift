import Foundation
import TestSupport

@testable import items

/// A terminal with a bash in it, in which `items` works on the sandbox's file: tmux(1).
final class Terminal {
  private let socket = "items-\(UUID().uuidString)"
  private let sandbox: Sandbox

  init(_ sandbox: Sandbox, columns: Int, rows: Int) throws {
    self.sandbox = sandbox
    let server = try Child(
      [
        "env", "-u", "NO_COLOR", "PATH=\(Sandbox.path)", "LC_ALL=C.UTF-8",
        "HOME=\(sandbox.folder.path)", "ITEMS_FILE=\(sandbox.file.path)", "tmux", "-u", "-L",
        socket,
        "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
        "env PS1='> ' bash --norc --noprofile",
      ], in: sandbox.folder)
    guard server.wait() == 0 else { throw Failure(description: "tmux does not start") }
    _ = try shows(">")
  }

  deinit { _ = try? tmux("kill-server") }

  @discardableResult
  private func tmux(_ words: String...) throws -> String {
    let outcome = try sandbox.run("/usr/bin/env", ["tmux", "-u", "-L", socket] + words)
    guard outcome.code == 0 else { throw Failure(description: outcome.testDescription) }
    return outcome.output
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Types a line.
  func type(_ line: String) throws { try tmux("send-keys", line, "Enter") }

  /// Presses a key: `C-c`
  func press(_ key: String) throws { try tmux("send-keys", key) }

  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// What is on the screen, without blanks at the ends of lines and empty lines at the end.
  func screen() throws -> [String] {
    let lines = try tmux("capture-pane", "-p").split(
      separator: "\n", omittingEmptySubsequences: false)
    return Array(lines.map(String.init).reversed().drop { $0.isEmpty }.reversed())
  }

  /// A variable of tmux: `cursor_x`
  func state(_ name: String) throws -> String {
    try tmux("display-message", "-p", "#{\(name)}").trimmingCharacters(in: .newlines)
  }

  /// The screen once it fits. The limit of time is for a screen that never does.
  func screen(where fits: ([String]) throws -> Bool) throws -> [String] {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      let lines = try screen()
      if try fits(lines) { return lines }
      guard ContinuousClock.now < end else {
        throw Failure(description: "the screen stays\n" + lines.joined(separator: "\n"))
      }
    }
  }

  /// The screen once it shows a text.
  func shows(_ text: String) throws -> [String] {
    try screen { $0.contains { $0.contains(text) } }
  }
}
