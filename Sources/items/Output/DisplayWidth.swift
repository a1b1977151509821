// The number of terminal columns that text takes, for aligning and cutting table cells.
//
// No two terminals agree on every cluster. These rules follow East Asian Width and the emoji
// presentation sequences, as terminals that know grapheme clusters do. Control characters must be
// escaped before: they count 0, as nothing sensible can be said of them.

extension StringProtocol {
  /// The columns this text takes in a terminal: the sum over its grapheme clusters.
  var displayWidth: Int {
    let bytes = utf8
    // Most cells are printable ASCII, and finding grapheme clusters is what costs.
    if bytes.allSatisfy({ (0x20...0x7E).contains($0) }) { return bytes.count }
    return reduce(0) { $0 + $1.displayWidth }
  }
}

extension Character {
  /// The columns this grapheme cluster takes in a terminal: 0, 1 or 2, and more only where
  /// terminals give each scalar its own columns, as in an Indic conjunct.
  var displayWidth: Int {
    let scalars = unicodeScalars
    let sum = scalars.reduce(0) { $0 + $1.columns }
    // A single scalar needs no emoji rule: all with Emoji_Presentation are Wide, but for the
    // regional indicators. A pair of those makes a flag of 2 columns, and one alone has 1, as in
    // xterm, VTE, foot, Alacritty and WezTerm (kitty, Ghostty and iTerm2 give it 2).
    guard let base = scalars.first, let next = scalars.dropFirst().first, base.properties.isEmoji
    else { return sum }
    // Skin tones and joined families draw one glyph of 2 columns. The text selector U+FE0E counts
    // 0, which leaves the base its own width.
    return next == "\u{FE0F}" ? 2 : min(sum, 2)
  }
}

extension Unicode.Scalar {
  /// The columns of this scalar taken by itself.
  fileprivate var columns: Int {
    switch value {
    // Conjoining Hangul vowels and trailing consonants are drawn inside the 2 columns of the
    // leading consonant.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    // Spares the common Latin letters a look-up, and keeps the soft hyphen from being taken for one
    // of the zero-width format characters.
    case 0x20...0x7E, 0xA0...0x2FF: return 1
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    case .control, .lineSeparator, .paragraphSeparator: return 0
    // Reserved for format characters to come. The default ignorables that are letters, the Hangul
    // fillers, stand for a blank letter and keep its width.
    case .unassigned where properties.isDefaultIgnorableCodePoint: return 0
    default: return isWide ? 2 : 1
    }
  }

  /// Whether East Asian Width is W or F. A is narrow here, as in any terminal that is not set up
  /// for a legacy East Asian encoding.
  private var isWide: Bool {
    // The bounds alternate, so the scalar is in a range when an odd number of them is not above it.
    var low = 0
    var high = wideBounds.count
    while low < high {
      let middle = (low + high) / 2
      if wideBounds[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return !low.isMultiple(of: 2)
  }
}

// Source: EastAsianWidth-18.0.0.txt (2026-06-29), as in the PyPI package unicodedata2 18.0.0.
// Derived by listing, in order, each code point whose "is W or F" differs from that of the code
// point before it; the blocks and planes that the file declares W by default count as W throughout.
/// Where ranges of East Asian Width W or F start, and where they have ended, in turn.
private let wideBounds: [UInt32] = [
  0x1100, 0x1160, 0x231A, 0x231C, 0x2329, 0x232B, 0x23E9, 0x23ED, 0x23F0, 0x23F1, 0x23F3, 0x23F4,
  0x25FD, 0x25FF, 0x2614, 0x2616, 0x2630, 0x2638, 0x2648, 0x2654, 0x267F, 0x2680, 0x268A, 0x2690,
  0x2693, 0x2694, 0x26A1, 0x26A2, 0x26AA, 0x26AC, 0x26BD, 0x26BF, 0x26C4, 0x26C6, 0x26CE, 0x26CF,
  0x26D4, 0x26D5, 0x26EA, 0x26EB, 0x26F2, 0x26F4, 0x26F5, 0x26F6, 0x26FA, 0x26FB, 0x26FD, 0x26FE,
  0x2705, 0x2706, 0x270A, 0x270C, 0x2728, 0x2729, 0x274C, 0x274D, 0x274E, 0x274F, 0x2753, 0x2756,
  0x2757, 0x2758, 0x2795, 0x2798, 0x27B0, 0x27B1, 0x27BF, 0x27C0, 0x2B1B, 0x2B1D, 0x2B50, 0x2B51,
  0x2B55, 0x2B56, 0x2E80, 0x2E9A, 0x2E9B, 0x2EF4, 0x2F00, 0x2FD6, 0x2FF0, 0x303F, 0x3041, 0x3097,
  0x3099, 0x3100, 0x3105, 0x3130, 0x3131, 0x318F, 0x3190, 0x31E6, 0x31EF, 0x321F, 0x3220, 0x3248,
  0x3250, 0xA48D, 0xA490, 0xA4C7, 0xA960, 0xA97D, 0xAC00, 0xD7A4, 0xF900, 0xFB00, 0xFE10, 0xFE1A,
  0xFE30, 0xFE53, 0xFE54, 0xFE67, 0xFE68, 0xFE6C, 0xFF01, 0xFF61, 0xFFE0, 0xFFE7, 0x16FE0, 0x16FE5,
  0x16FF0, 0x16FF7, 0x17000, 0x18CDB, 0x18CFF, 0x18D21, 0x18D80, 0x18DF3, 0x18E00, 0x19192,
  0x191A0, 0x191D3, 0x1AFF0, 0x1AFF4, 0x1AFF5, 0x1AFFC, 0x1AFFD, 0x1AFFF, 0x1B000, 0x1B129,
  0x1B132, 0x1B133, 0x1B150, 0x1B153, 0x1B155, 0x1B156, 0x1B164, 0x1B169, 0x1B170, 0x1B2FC,
  0x1D300, 0x1D357, 0x1D360, 0x1D377, 0x1F004, 0x1F005, 0x1F0CF, 0x1F0D0, 0x1F18E, 0x1F18F,
  0x1F191, 0x1F19B, 0x1F1AE, 0x1F1AF, 0x1F200, 0x1F203, 0x1F210, 0x1F23C, 0x1F240, 0x1F249,
  0x1F250, 0x1F252, 0x1F260, 0x1F266, 0x1F300, 0x1F321, 0x1F32D, 0x1F336, 0x1F337, 0x1F37D,
  0x1F37E, 0x1F394, 0x1F3A0, 0x1F3CB, 0x1F3CF, 0x1F3D4, 0x1F3E0, 0x1F3F1, 0x1F3F4, 0x1F3F5,
  0x1F3F8, 0x1F43F, 0x1F440, 0x1F441, 0x1F442, 0x1F4FD, 0x1F4FF, 0x1F53E, 0x1F54B, 0x1F54F,
  0x1F550, 0x1F568, 0x1F57A, 0x1F57B, 0x1F595, 0x1F597, 0x1F5A4, 0x1F5A5, 0x1F5FB, 0x1F650,
  0x1F680, 0x1F6C6, 0x1F6CC, 0x1F6CD, 0x1F6D0, 0x1F6D3, 0x1F6D5, 0x1F6DA, 0x1F6DC, 0x1F6E0,
  0x1F6EB, 0x1F6ED, 0x1F6F4, 0x1F6FD, 0x1F7DA, 0x1F7DB, 0x1F7E0, 0x1F7EC, 0x1F7F0, 0x1F7F1,
  0x1F90C, 0x1F93B, 0x1F93C, 0x1F946, 0x1F947, 0x1FA00, 0x1FA70, 0x1FA7D, 0x1FA80, 0x1FAC7,
  0x1FAC8, 0x1FAC9, 0x1FACC, 0x1FADE, 0x1FADF, 0x1FAEC, 0x1FAEF, 0x1FAFB, 0x20000, 0x2FFFE,
  0x30000, 0x3FFFE,
]
