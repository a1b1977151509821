/// Looks for one text in others, ignoring case as Unicode does: by full case folding, code point by code
/// point. It takes a time in proportion to both lengths (Knuth, Morris and Pratt), whatever they are.
struct FoldedSearch: Sendable {
  /// UTF-8, folded.
  private let wanted: [UInt8]
  /// For each count of bytes that match, how many of their last ones are the first ones too.
  ///
  ///     wanted   a b a c
  ///     borders  0 0 0 1 0
  private let borders: [Int]

  init(_ text: String) {
    var folded: [UInt8] = []
    for scalar in text.unicodeScalars { Self.fold(scalar) { folded.append($0) } }
    wanted = folded
    var borders = [0, 0]
    for byte in folded.dropFirst() {
      borders.append(Self.next(borders[borders.count - 1], byte, folded, borders))
    }
    self.borders = borders
  }

  func finds(in text: String) -> Bool {
    var matched = 0
    if wanted.isEmpty { return true }
    for scalar in text.unicodeScalars {
      Self.fold(scalar) { byte in
        if matched < wanted.count { matched = Self.next(matched, byte, wanted, borders) }
      }
      if matched == wanted.count { return true }
    }
    return false
  }

  /// How many of the wanted bytes match after one more.
  @inline(__always)
  private static func next(
    _ matched: Int, _ byte: UInt8, _ wanted: [UInt8], _ borders: [Int]
  ) -> Int {
    var matched = matched
    while matched > 0 && wanted[matched] != byte { matched = borders[matched] }
    return wanted[matched] == byte ? matched + 1 : 0
  }

  /// The bytes of a character without its case.
  @inline(__always)
  private static func fold(_ scalar: Unicode.Scalar, _ body: (UInt8) -> Void) {
    if scalar.isASCII {
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      body(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte)
    } else {
      foldPastASCII(scalar).utf8.forEach(body)
    }
  }

  /// The standard library has no table of foldings. The way by the capital joins the same characters,
  /// if it leaves out the dotless i, whose capital is that of another letter.
  private static func foldPastASCII(_ scalar: Unicode.Scalar) -> String {
    guard scalar.properties.changesWhenCaseMapped, scalar != "\u{131}" else {
      return String(scalar)
    }
    let capital = scalar.properties.lowercaseMapping.unicodeScalars
      .map(\.properties.uppercaseMapping).joined()
    return capital.unicodeScalars.map(\.properties.lowercaseMapping).joined()
  }
}
