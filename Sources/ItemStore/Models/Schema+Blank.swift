extension Schema {
  func blankText(in member: Member) -> Fault.Reason? {
    fields.firstIndex { $0.name == member.name }.flatMap { blankText(member.value, for: $0) }
  }

  /// Text that consists of nothing but white space is no title and no note.
  package func blankText(_ value: ArraySlice<UInt8>, for field: Int) -> Fault.Reason? {
    guard case .text = kinds[field] else { return nil }
    // Most text shows at its first letter that it is not blank.
    let first = value[value.startIndex + 1]
    if 0x21...0x7E ~= first && first != UInt8(ascii: "\\") && first != UInt8(ascii: "\"") {
      return nil
    }
    let json = Bytes(Array(value))
    let text = JSONString.decode(0..<json.count, in: json)
    return text.isBlank ? .blank(field: fields[field].name) : nil
  }
}

extension String {
  /// Whether it has nothing but white space. An accent on a blank is visible, though the two are one
  /// character.
  package var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
