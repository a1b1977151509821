/// A request that is wrong.
struct UsageError: Error {
  /// One line for each thing that is wrong.
  var messages: [String]
  /// The way out, if the messages do not say it.
  var hint: String?
  var exitCode = ExitCode.wrongRequest

  init(_ message: String, hint: String? = nil) { self.init([message], hint: hint) }

  init(_ messages: [String], hint: String? = nil) { (self.messages, self.hint) = (messages, hint) }
}
