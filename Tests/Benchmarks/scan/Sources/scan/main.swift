// How fast a file is checked and indexed, without the system around it:
//
//     swift run -c release --package-path Tests/Benchmarks/scan
//
// Two words, a part of a name and a number, scan so many records of that sample once, for a profiler.

import ItemStore

struct Sample {
  let name: String
  var list = "items"
  let record: (Int) -> String
}

/// The words of titles in several scripts. No two neighbours have the same words, or a processor would
/// foresee where each character ends.
let vocabulary = [
  "English": "milk bread call the bank about new card rent water plants before Friday dentist",
  "Korean": "우유 빵 은행에 전화하기 새로운 카드 월세 화분에 물 주기 금요일까지 치과 예약 회의",
  "Japanese": "牛乳 パン 銀行に電話する 新しい カード 家賃 植物に水をやる 金曜日まで 歯医者 予約 会議",
  "Russian": "молоко хлеб позвонить в банк новая карта аренда полить цветы до пятницы зубной врач",
  "accents": "crème brûlée à côté déjà vu Überweisung für Größe mañana año naïve façade",
  "emoji": "🥛 milk 🍞 bread 🏦 call 💳 card 🏠 rent 🌱🌱 water 🦷 dentist 👨‍👩‍👧 family ☎️",
].mapValues { $0.split(separator: " ").map(String.init) }

/// Two to five words of a language.
func title(_ language: String, _ i: Int) -> String {
  let words = vocabulary[language]!
  var bits = UInt64(i) &* 0x9E37_79B9_7F4A_7C15
  return (0..<2 + Int(bits >> 62)).map { _ in
    bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return words[Int(bits >> 40) % words.count]
  }.joined(separator: " ")
}

let languages = ["English", "Korean", "Japanese", "Russian", "accents", "emoji"].map { language in
  Sample(name: "items, \(language) titles") {
    #"    {"id": \#($0), "title": "\#(title(language, $0))", "number": \#($0 % 101)}"#
  }
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
  Sample(name: "items, titles with escapes") {
    #"    {"id": \#($0), "title": "a \"title\"\tof \\ \#($0)", "number": \#($0 % 101)}"#
  },
  Sample(name: "tasks", list: "tasks") {
    let id = RecordKey(high: UInt64($0) &* 0x9E37_79B9_7F4A_7C15, low: UInt64($0)).uuid
    return #"    {"taskid": "\#(id)", "tasknote": "Note of task \#($0)"}"#
  },
]

let words = CommandLine.arguments
let (part, isProfiled) = (words.count > 1 ? words[1] : "", words.count > 2)
let count = isProfiled ? Int(words[2])! : 300_000
let clock = ContinuousClock()
for sample in samples + languages where part.isEmpty || sample.name.contains(part) {
  let text = (1...count).map(sample.record).joined(separator: ",\n")
  let bytes = Bytes(Array("{\n  \"\(sample.list)\": [\n\(text)\n  ]\n}\n".utf8))
  var best = Duration.seconds(1000)
  for _ in 0..<(isProfiled ? 1 : 20) {
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
