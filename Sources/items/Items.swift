import ItemStore

@main
enum Items {
  static func main() {
    Process.restoreEnvironment()
    Process.occupyStandardStreams()
    Process.ignoreFileSizeSignal()
    do {
      Process.end(try run())
    } catch {
      Process.end(report(error))
    }
  }

  private static func run() throws -> ExitCode {
    var parser = Parser(Commands.all + [Commands.complete])
    switch try parser.parse(Process.arguments()) {
    case .run(let command, let invocation): return try command.run(invocation)
    case .help(let words): return try Commands.print(Help.text(for: words))
    case .version: return try Commands.print("items \(Help.version)\n")
    case .nothing:
      try? Process.write(Array(Help.short.utf8), to: 2)
      return .wrongRequest
    }
  }

  /// Says what went wrong; the one place that turns a failure into an exit code.
  static func report(_ error: any Error) -> ExitCode {
    switch error {
    case let error as UsageError:
      say(error.messages)
      if let hint = error.hint { Complaint.note(hint.escapedForTerminal) }
      return error.exitCode
    case let error as StoreError:
      say(error.lines)
      return error.exitCode
    case let error as Errno:
      Complaint.say("stdout could not be written: \(error)")
      return .unusable
    default:
      Complaint.say("\(error)")
      return .unusable
    }
  }

  /// A line that is indented belongs to the one before it.
  private static func say(_ lines: [String]) {
    for line in lines {
      if line.hasPrefix(" ") {
        Complaint.note(line.escapedForTerminal)
      } else {
        Complaint.say(line)
      }
    }
  }
}

extension StoreError {
  fileprivate var exitCode: ExitCode {
    switch self {
    case .notFound, .ambiguous, .noFreeID, .nothingToUndo, .nothingToRedo, .changedSince: .no
    case .blank, .changedID: .wrongRequest
    case .invalid, .failed, .notAFile, .readOnly, .tooLarge, .emptied, .keepsChanging, .locked,
      .notACompanion:
      .unusable
    case .unsynced: .doneButFailed
    }
  }
}
