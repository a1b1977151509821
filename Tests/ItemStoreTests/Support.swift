import TestSupport

@testable import ItemStore

extension Bytes {
  init(_ text: String) { self.init(Array(text.utf8)) }

  var all: [UInt8] { self[0..<count] }
}

extension [UInt8] {
  /// For a failure message: the text, with escapes for all that is not plain.
  var shown: String { String(decoding: self, as: UTF8.self).debugDescription }
}

extension Sandbox {
  var store: Store { Store(path: file.path) }

  /// A store over a file of the folder whose system calls are these.
  func store(_ name: String = "items.json", _ system: System = System()) -> Store {
    var store = Store(path: folder.appending(path: name).path)
    store.system = system
    // Nothing holds the lock for longer than a change takes, so no test waits for this.
    store.lockTimeout = 120
    return store
  }
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
    // With nothing else in it, the file would be somebody else's.
    for name in ["note", "zeta", ""] where !members.isEmpty && once(in: 3) {
      members.append((name, value()))
    }
    members.shuffle(using: &self)
    let colon = pick([":", ": ", " : "])
    let text = members.map { "\($0 == "" || once(in: 2) ? "\"\($0)\"" : spelled($0))\(colon)\($1)" }
    let mark = once(in: 5) ? "\u{feff}" : ""
    return mark + "{\(gap)\(text.joined(separator: "," + gap))\(gap)}" + pick(["", "\n", "\r\n"])
  }
}
