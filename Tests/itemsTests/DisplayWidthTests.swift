import TestSupport
import Testing

@testable import items

@Suite struct DisplayWidthTests {
  static let writing = [
    Row("empty", "", 0),
    Row("ASCII", "Hello, ~!", 9),
    Row("ASCII before CJK", "a漢b", 4),
    Row("no-break space", "\u{A0}", 1),
    Row("box drawing is ambiguous", "─│", 2),
    Row("Greek and Cyrillic are ambiguous", "αЖ", 2),
    Row("CJK", "漢字かな", 8),
    Row("ideographic space", "\u{3000}", 2),
    Row("fullwidth forms", "Ａ！￥", 6),
    Row("halfwidth katakana", "ｶﾅ", 2),
    Row("halfwidth katakana with a sound mark", "\u{FF76}\u{FF9E}", 2),
    Row("kana with a combining sound mark", "\u{304B}\u{3099}", 2),
    Row("Hangul syllables", "한글", 4),
    Row("conjoining jamo", "\u{1112}\u{1161}\u{11AB}", 2),
    Row("Hangul syllable with a trailing jamo", "\u{AC00}\u{11A8}", 2),
    Row("extended vowel jamo", "\u{1100}\u{D7B0}", 2),
    Row("jamo filler before a vowel", "\u{115F}\u{1161}", 2),
    Row("Hangul filler", "\u{3164}", 2),
    Row("precomposed é", "\u{E9}", 1),
    Row("decomposed é", "e\u{301}", 1),
    Row("enclosing circle", "a\u{20DD}", 1),
    Row("lone combining mark", "\u{301}", 0),
    Row("Devanagari with a spacing vowel", "\u{928}\u{92E}\u{938}\u{94D}\u{924}\u{947}", 4),
    Row("Devanagari conjunct is summed", "\u{915}\u{94D}\u{937}\u{93F}", 3),
    Row("Thai", "\u{E17}\u{E35}\u{E48}\u{E19}\u{E33}", 3),
    Row("Arabic with a vowel mark", "\u{645}\u{64E}\u{631}", 2),
    Row("private use", "\u{E000}\u{F8FF}\u{100000}", 3),
    Row("trigram, wide since Unicode 16", "\u{2630}", 2),
    Row("ideograph of CJK plane 2", "\u{20000}", 2),
    Row("unassigned in CJK plane 2", "\u{2FFFD}", 2),
    Row("unassigned in CJK plane 3", "\u{3FFFD}", 2),
    Row("noncharacter after CJK plane 2", "\u{2FFFE}", 1),
    Row("unassigned elsewhere", "\u{378}", 1),
    Row("last scalar", "\u{10FFFF}", 1),
  ]

  static let emoji = [
    Row("emoji", "😀🚀", 4),
    Row("emoji new in Unicode 17", "\u{1F6D8}", 2),
    Row("emoji new in Unicode 18", "\u{1F6D9}", 2),
    Row("skin tone", "\u{1F44D}\u{1F3FD}", 2),
    Row("skin tone on a text symbol", "\u{261D}\u{1F3FD}", 2),
    Row("lone skin tone", "\u{1F3FD}", 2),
    Row("family", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 2),
    Row("heart on fire", "\u{2764}\u{FE0F}\u{200D}\u{1F525}", 2),
    Row("heart on fire without a selector", "\u{2764}\u{200D}\u{1F525}", 2),
    Row("flag", "\u{1F1E9}\u{1F1EA}", 2),
    Row("two flags", "\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}", 4),
    Row("lone regional indicator", "\u{1F1E9}", 1),
    Row(
      "flag of tags", "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2),
    Row("keycap", "1\u{FE0F}\u{20E3}", 2),
    Row("keycap without a selector", "1\u{20E3}", 1),
    Row("heart", "\u{2764}", 1),
    Row("heart as emoji", "\u{2764}\u{FE0F}", 2),
    Row("heart as text", "\u{2764}\u{FE0E}", 1),
    Row("watch as text keeps its own width", "\u{231A}\u{FE0E}", 2),
    Row("selector after a letter", "a\u{FE0F}", 1),
  ]

  static let invisible = [
    Row("zero-width space", "a\u{200B}b", 2),
    Row("zero-width joiner and non-joiner", "\u{200D}\u{200C}", 0),
    Row("byte order mark", "\u{FEFF}a", 1),
    Row("word joiner", "\u{2060}", 0),
    Row("bidirectional isolates", "\u{2066}a\u{2069}", 1),
    Row("ideographic variation selector", "\u{845B}\u{E0100}", 2),
    Row("reserved default ignorable", "\u{E0FFF}", 0),
    Row("soft hyphen", "\u{AD}", 1),
    Row("line and paragraph separators", "\u{2028}\u{2029}", 0),
    Row("control characters", "\u{0}\t\r\n\u{7F}\u{85}", 0),
  ]

  @Test(arguments: writing + emoji + invisible)
  func `text takes as many columns as terminals give it`(_ row: Row<String, Int>) {
    #expect(row.input.displayWidth == row.output)
    #expect(row.input[...].displayWidth == row.output)
    #expect(row.input.map(\.displayWidth).reduce(0, +) == row.output)
  }

  /// The cluster rule leaves a single scalar to the table, which relies on this.
  @Test func `every emoji that is drawn as one by itself is wide`() {
    let emoji = (0...0x10FFFF).compactMap { Unicode.Scalar($0 as UInt32) }
      .filter { $0.properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF).contains($0.value) }
    #expect(emoji.count > 1000)
    #expect(emoji.filter { Character($0).displayWidth != 2 } == [])
  }
}
