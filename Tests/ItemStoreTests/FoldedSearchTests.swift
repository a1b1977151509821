import TestSupport
import Testing

@testable import ItemStore

@Suite struct FoldedSearchTests {
  @Test(arguments: [
    Row("a capital sigma", "ΟΔΟΣ", "οδος"), Row("a final sigma", "οδος", "ΟΔΟΣ"),
    Row("a sharp s", "STRASSE", "Straße"), Row("a capital sharp s", "ß", "GROẞ"),
    Row("two letters for a sharp s", "ß", "ss"), Row("a ligature", "OFFICE", "oﬃce"),
    Row("the sign of Kelvin", "k", "300 \u{212A}"), Row("a long s", "Is", "Iſt"),
    Row("Cyrillic", "привет", "ПРИВЕТ"), Row("Armenian", "ԵՒ", "և"),
    Row("Cherokee", "\u{AB70}", "\u{13A0}"), Row("Georgian", "\u{1C90}", "\u{10D0}"),
    Row("an iota below", "\u{1FB3}", "\u{1FBC}"), Row("a caron of its own", "ǰ", "J\u{30C}"),
    Row("a dotted capital", "\u{130}", "i\u{307}"), Row("a repeated beginning", "aab", "aaab"),
    Row("a long border", "abacabab", "abacabacabab"), Row("nothing", "", "a"),
  ])
  func `ignores case as Unicode does`(_ row: Row<String, String>) {
    #expect(FoldedSearch(row.input).finds(in: row.output))
    #expect(FoldedSearch(row.input).finds(in: "x\(row.output)x"))
  }

  @Test(arguments: [
    Row("an accent", "e", "é"), Row("another accent", "\u{e9}", "e\u{301}"),
    Row("a dotless i", "ı", "I"), Row("a longer text", "abc", "ab"), Row("no text", "a", ""),
    Row("a broken border", "aabaaa", "aabaab"),
  ])
  func `does not find what differs in more than case`(_ row: Row<String, String>) {
    #expect(!FoldedSearch(row.input).finds(in: row.output))
  }

  @Test func `finds what a comparison at every place finds`() {
    Fuzz.run(200) { random in
      let text = { (count: Int, random: inout SeededGenerator) in
        (0..<count).map { _ in random.pick(["a", "b", "A", "σ", "Σ"]) }
      }
      let (long, short) = (text(40, &random), text(random.int(1...5), &random))
      let fold = { (letter: String) in letter == "Σ" ? "σ" : letter.lowercased() }
      let expected = (0...long.count - short.count).contains {
        long[$0..<$0 + short.count].map(fold) == short.map(fold)
      }
      try check(
        FoldedSearch(short.joined()).finds(in: long.joined()) == expected, "\(short) in \(long)")
    }
  }

  @Test func `takes no longer for a wanted text that nearly matches everywhere`() {
    let text = String(repeating: "a", count: 500_000)
    #expect(!FoldedSearch(String(repeating: "a", count: 1000) + "b").finds(in: text))
  }
}
