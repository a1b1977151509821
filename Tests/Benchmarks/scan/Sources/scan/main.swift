// How fast a file is checked and indexed, without the system around it:
//
//     swift run -c release --package-path Tests/Benchmarks/scan

import ItemStore

struct Sample {
  let name: String
  var list = "items"
  let record: (Int) -> String
}

let samples = [
  Sample(name: "items, all laid out alike") {
    #"    {"id": \#($0), "title": "Title of item \#($0)", "number": \#($0 % 101)}"#
  },
  Sample(name: "items, one member a line") {
    "    {\n      \"id\": \($0),\n      \"title\": \"Title of item \($0)\",\n"
      + "      \"number\": \($0 % 101)\n    }"
  },
  Sample(name: "items, no two neighbours alike") {
    $0 % 2 == 0
      ? #"    {"id": \#($0), "title": "Title of item \#($0)", "number": \#($0 % 101)}"#
      : #"    {"number": \#($0 % 101), "title": "Title of item \#($0)", "id": \#($0)}"#
  },
  Sample(name: "items, each third with more fields") {
    #"    {"id": \#($0), "title": "Title of item \#($0)", "number": \#($0 % 101)"#
      + ($0 % 3 == 0 ? #", "tags": ["a", "b"], "due": "2025-01-01"}"# : "}")
  },
  Sample(name: "items, titles past ASCII") {
    #"    {"id": \#($0), "title": "Überschrift 見出し \#($0)", "number": \#($0 % 101)}"#
  },
  Sample(name: "items, titles with escapes") {
    #"    {"id": \#($0), "title": "a \"title\"\tof \\ \#($0)", "number": \#($0 % 101)}"#
  },
  Sample(name: "tasks", list: "tasks") {
    let id = RecordKey(high: UInt64($0) &* 0x9E37_79B9_7F4A_7C15, low: UInt64($0)).uuid
    return #"    {"taskid": "\#(id)", "tasknote": "Note of task \#($0)"}"#
  },
]

let count = 300_000
let clock = ContinuousClock()
for sample in samples {
  let text = (1...count).map(sample.record).joined(separator: ",\n")
  let bytes = Bytes(Array("{\n  \"\(sample.list)\": [\n\(text)\n  ]\n}\n".utf8))
  var best = Duration.seconds(1000)
  for _ in 0..<20 {
    let start = clock.now
    let lists = try Document(bytes).lists
    best = min(best, clock.now - start)
    precondition(lists.contains { $0.count == count })
  }
  let rate = Double(bytes.count) / (best / .seconds(1)) / 1e9
  print(rate.formatted, "GB/s ", sample.name)
}

extension Double {
  var formatted: String { "\(Int(self))." + String(Int(self * 100) % 100 + 100).dropFirst() }
}
