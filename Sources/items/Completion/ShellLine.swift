/// The words of a line as a shell splits it. Nothing is evaluated.
struct ShellLine {
  struct Word: Equatable {
    /// What the shell makes of it.
    var text = ""
    /// As it is typed.
    var typed = ""
  }

  /// The part before the first blank first, even if there is none; the part after the last blank last.
  private(set) var words = [Word()]
  /// The quote that is open at the end.
  private(set) var quote: Unicode.Scalar?

  init(_ line: String) {
    var scalars = line.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      if quote == nil && (scalar == " " || scalar == "\t") {
        words.append(Word())
        continue
      }
      words[words.count - 1].typed.unicodeScalars.append(scalar)
      if scalar == quote {
        quote = nil
      } else if quote == nil && (scalar == "'" || scalar == "\"") {
        quote = scalar
      } else if scalar == "\\" && quote != "'", let next = scalars.popFirst() {
        words[words.count - 1].typed.unicodeScalars.append(next)
        words[words.count - 1].text.unicodeScalars.append(next)
      } else {
        words[words.count - 1].text.unicodeScalars.append(scalar)
      }
    }
  }
}
