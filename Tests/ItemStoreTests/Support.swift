import Foundation
import Testing

@testable import ItemStore

/// A row of a table of inputs, which a failing test shows by its name.
struct Row<Input: Sendable, Output: Sendable>: Sendable, CustomTestStringConvertible {
  let name: String
  let input: Input
  let output: Output

  init(_ name: String, _ input: Input, _ output: Output) {
    (self.name, self.input, self.output) = (name, input, output)
  }

  var testDescription: String { name }
}

extension Bytes {
  init(_ text: String) { self.init(Array(text.utf8)) }

  var all: [UInt8] { self[0..<count] }
}

extension [UInt8] {
  /// For a failure message: the text, with escapes for all that is not plain.
  var shown: String { String(decoding: self, as: UTF8.self).debugDescription }
}

/// An empty folder of its own, with the path of a data file in it; goes with this object.
final class DataFolder {
  let folder: URL
  let url: URL
  let log: URL

  init(_ content: String? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
    url = folder.appending(path: "items.json")
    log = folder.appending(path: ".items.json.undo")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if let content { try write(Array(content.utf8)) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var store: Store { Store(path: url.path) }

  func write(_ content: [UInt8]) throws { try Data(content).write(to: url) }

  var bytes: [UInt8] { get throws { Array(try Data(contentsOf: url)) } }

  var content: String { get throws { String(decoding: try bytes, as: UTF8.self) } }

  var names: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
  }

  /// What changes when the file is written or replaced.
  var identity: [String] {
    get throws {
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      return [FileAttributeKey.systemFileNumber, .modificationDate].map {
        String(describing: attributes[$0])
      }
    }
  }
}

/// Three items and two tasks.
let seed = """
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

// MARK: Random input

/// SplitMix64: the same numbers from the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

  /// True once in `times`.
  mutating func once(in times: Int) -> Bool { int(1...times) == 1 }

  mutating func pick<T>(_ choices: [T]) -> T { choices[int(0...choices.count - 1)] }
}

enum Fuzz {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// How many inputs a random test tries where ITEMS_FUZZ_RUNS does not say.
  static func runs(_ usual: Int) -> Int { number("ITEMS_FUZZ_RUNS").map(Int.init) ?? usual }

  /// ITEMS_FUZZ_SEED, or another one each time.
  static var seed: UInt64 { number("ITEMS_FUZZ_SEED") ?? .random(in: 0..<1 << 32) }

  /// Calls `body` with a generator for each run, until something fails. Run `i` has the seed `seed + i`,
  /// so that the seed of a failing run, with one run, is that run again.
  static func run(
    _ usual: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout SeededGenerator) throws -> Void
  ) {
    let first = seed
    for i in 0..<runs(usual) where !attempt(first &+ UInt64(i), sourceLocation, body) { return }
  }

  /// Calls `body` once, however many runs are asked for: for a test that does much in one.
  static func once(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout SeededGenerator) throws -> Void
  ) {
    _ = attempt(seed, sourceLocation, body)
  }

  private static func attempt(
    _ seed: UInt64, _ sourceLocation: SourceLocation,
    _ body: (inout SeededGenerator) throws -> Void
  ) -> Bool {
    var generator = SeededGenerator(seed: seed)
    do {
      try body(&generator)
      return true
    } catch {
      Issue.record(
        "\(error)\nagain with: ITEMS_FUZZ_SEED=\(seed) ITEMS_FUZZ_RUNS=1",
        sourceLocation: sourceLocation)
      return false
    }
  }
}

/// What a random test throws where something is not as it must be.
struct Mismatch: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

func check(_ condition: Bool, _ message: @autoclosure () throws -> String) throws {
  if !condition { throw Mismatch(try message()) }
}

extension SeededGenerator {
  /// Text of up to `count` characters of every kind: control characters, ASCII, 2 to 4 bytes.
  mutating func text(_ count: Int = 12) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<int(0...count) {
      let limit = pick([0x20, 0x80, 0x80, 0x80, 0x800, 0x10000, 0x110000])
      if let scalar = Unicode.Scalar(UInt32(int(0...limit - 1))) { text.append(scalar) }
    }
    return String(text)
  }

  /// JSON for `text`, each character as it is or escaped in one of the ways there are.
  mutating func spelled(_ text: String) -> String {
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

  mutating func gap() -> String {
    once(in: 2) ? "" : pick([" ", "  ", "\n", "\r\n", "\t", "\n    ", " \t\r\n "])
  }

  /// A JSON number whose value is whole, spelled in some way.
  mutating func spelled(_ number: Int) -> String {
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
  mutating func value(depth: Int = 3) -> String {
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

extension Row where Output == Void {
  init(_ name: String, _ input: Input) { self.init(name, input, ()) }
}

extension SeededGenerator {
  mutating func task() -> (id: String, json: String) {
    let id = RecordKey(high: next() >> 1, low: next()).uuid
    let spelling = once(in: 4) ? id.uppercased() : id
    return (id, #"{"taskid": "\#(spelling)", "tasknote": \#(spelled("x" + text(6)))}"#)
  }

  /// A valid data file in some layout, with foreign members in it.
  mutating func document() -> String {
    let gap = pick(["", " ", "\n  ", "\r\n\t"])
    let inner = pick(["", gap, gap + "  ", gap + "\t"])
    let isUniform = once(in: 2)
    let items = records(pick([0, 1, 2, 3, 6])).map { isUniform ? $0.text() : laidOut($0) }
    let tasks = (0..<pick([0, 1, 2, 5])).map { _ in task().json }
    var members = [(items, "items"), (tasks, "tasks")].compactMap { records, name in
      once(in: 6)
        ? nil
        : (name, "[\(inner)\(records.joined(separator: "," + inner))\(records.isEmpty ? "" : gap)]")
    }
    if once(in: 2) { members.append(("lastID", spelled(int(-1...40)))) }
    for name in ["note", "zeta", ""] where once(in: 3) { members.append((name, value())) }
    members.shuffle(using: &self)
    let colon = pick([":", ": ", " : "])
    let text = members.map { "\($0 == "" || once(in: 2) ? "\"\($0)\"" : spelled($0))\(colon)\($1)" }
    let mark = once(in: 5) ? "\u{feff}" : ""
    return mark + "{\(gap)\(text.joined(separator: "," + gap))\(gap)}" + pick(["", "\n", "\r\n"])
  }
}
