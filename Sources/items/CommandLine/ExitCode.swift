/// How a command ends.
enum ExitCode: CInt, Error {
  case done = 0
  /// No such record, id taken, nothing to undo, or the answer was no.
  case no = 1
  case wrongRequest = 2
  /// The data file or the output cannot be used; the data is as it was.
  case unusable = 3
  /// The change is made, but something after it failed.
  case doneButFailed = 4
}
