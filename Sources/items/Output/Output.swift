import ItemStore

/// Standard output or another stream, written in large pieces and checked.
struct Output {
  let isTerminal: Bool
  var bytes: [UInt8] = []
  private let stream: CInt

  private static let limit = 1 << 18
  private var hasDrained = false

  init(to stream: CInt = 1) {
    self.stream = stream
    isTerminal = Process.isTerminal(stream)
  }

  mutating func write(_ text: String) { bytes += text.utf8 }

  /// Writes what there is once it is much.
  mutating func drain() throws(Errno) {
    guard bytes.count >= Self.limit else { return }
    if !hasDrained && stream == 1 { Process.widenPipe(to: Self.limit) }
    hasDrained = true
    try flush()
  }

  mutating func flush() throws(Errno) {
    try Process.write(bytes, to: stream)
    bytes.removeAll(keepingCapacity: true)
  }
}

/// Colour is for the header of a table and the `items:` of an error, judged for each stream.
enum Style {
  /// Whether a terminal understands escape sequences.
  static var isCapable: Bool { ((try? Process.variable("TERM")) ?? nil) != "dumb" }

  static func isColored(_ stream: CInt) -> Bool {
    let set = { (name: String) in ((try? Process.variable(name)) ?? nil) != nil }
    let value = { (name: String) in (try? Process.variable(name)) ?? nil }
    if set("NO_COLOR") { return false }
    if let force = value("CLICOLOR_FORCE"), force != "0" { return true }
    if let force = value("FORCE_COLOR"), force != "0" { return true }
    return Process.isTerminal(stream) && isCapable && value("CLICOLOR") != "0"
  }

  static func bold(_ text: String, on stream: CInt) -> String {
    isColored(stream) ? "\u{1b}[1m\(text)\u{1b}[0m" : text
  }

  static func red(_ text: String, on stream: CInt) -> String {
    isColored(stream) ? "\u{1b}[31m\(text)\u{1b}[0m" : text
  }
}

extension Unicode.Scalar {
  /// Whether it could drive a terminal, break a row or turn the direction of what follows.
  var isUnsafeOnTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// The text with such characters as `\t`, `\n`, `\r` and `\u{1b}`.
  var escapedForTerminal: String {
    guard unicodeScalars.contains(where: \.isUnsafeOnTerminal) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case _ where scalar.isUnsafeOnTerminal: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension String {
  /// The text, or what a screen can show of it: its beginning and its end.
  fileprivate var shortenedInside: String {
    let most = 800
    guard unicodeScalars.count > most else { return self }
    return String(unicodeScalars.prefix(most / 2)) + "…" + String(unicodeScalars.suffix(most / 2))
  }
}

/// Standard error: what went wrong, one thing a line.
enum Complaint {
  /// `items: no item with id 99`
  static func say(_ message: String) {
    let name = Style.red("items:", on: 2)
    note("\(name) \(message.shortenedInside.escapedForTerminal)")
  }

  /// A line of its own; nothing can be done where it cannot be written.
  static func note(_ line: String) { try? Process.write(Array("\(line)\n".utf8), to: 2) }
}
