extension SeededGenerator {
  /// Text of up to `count` characters of every kind: control characters, ASCII, 2 to 4 bytes.
  public mutating func text(_ count: Int = 12) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<int(0...count) {
      let limit = pick([0x20, 0x80, 0x80, 0x80, 0x800, 0x10000, 0x110000])
      if let scalar = Unicode.Scalar(UInt32(int(0...limit - 1))) { text.append(scalar) }
    }
    return String(text)
  }

  /// JSON for `text`, each character as it is or escaped in one of the ways there are.
  public mutating func spelled(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      let short: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\u{8}": "\\b", "\u{c}": "\\f", "\n": "\\n",
        "\r": "\\r", "\t": "\\t",
      ]
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if let escape = short[scalar], mustEscape || once(in: 3), !once(in: 4) {
        json += escape
      } else if mustEscape || once(in: 6) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: once(in: 2))
          json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }

  public mutating func gap() -> String {
    once(in: 2) ? "" : pick([" ", "  ", "\n", "\r\n", "\t", "\n    ", " \t\r\n "])
  }

  /// A JSON number whose value is whole, spelled in some way.
  public mutating func spelled(_ number: Int) -> String {
    switch int(0...7) {
    case 0: return "\(number).\(String(repeating: "0", count: int(1...3)))"
    case 1: return "\(number)\(pick(["e", "E"]))\(pick(["", "+", "-"]))0"
    case 2 where number != 0: return "\(number)00e-2"
    case 3 where number != 0 && number % 10 == 0: return "\(number / 10)E+1"
    case 4 where number == 0: return "-0.0"
    default: return String(number)
    }
  }

  /// Any JSON value, `depth` levels deep at most.
  public mutating func value(depth: Int = 3) -> String {
    switch int(0...(depth > 0 ? 8 : 5)) {
    case 0: return pick(["true", "false", "null"])
    case 1: return spelled(int(-1000...1000))
    case 2:
      return pick(["0", "-0", "1.5", "-2.75e-3", "123456789012345678901234567890", "1E400"])
    case 3...5: return spelled(text())
    case 6:
      let count = int(0...3)
      return "[\(gap())"
        + (0..<count).map { _ in value(depth: depth - 1) + gap() }.joined(
          separator: "," + gap()) + "]"
    default:
      let count = int(0...3)
      return "{\(gap())"
        + (0..<count).map { _ in
          "\(spelled(text(4)))\(gap()):\(gap())\(value(depth: depth - 1))\(gap())"
        }.joined(separator: "," + gap()) + "}"
    }
  }
}
