/// What is wrong at one place of a text, and where.
package struct Fault: Error, Hashable, Sendable {
  package let reason: Reason
  /// Bytes before the place.
  package let offset: Int

  /// What is wrong. The text of each case is its `description`.
  package enum Reason: Hashable, Sendable {
    // Syntax: RFC 8259 and UTF-8.
    case expected(String)
    case unexpectedEnd(expected: String)
    case trailingComma
    case comment
    case mergeConflict(marker: String)
    case invalidUTF8
    case controlCharacter(UInt8)
    case unclosedString
    case invalidEscape
    case loneSurrogate
    case invalidNumber(String)
    case tooDeep(limit: Int)
    case textAfterEnd

    // Content: the shape of a data file and of a record.
    case notAnObject(noun: String)
    case notADocument(list: String)
    case bareArray(list: String)
    case foreignObject(lists: [String])
    case notAList(String)
    case wrongType(field: String, wanted: String, found: String)
    case missing(field: String, noun: String)
    case blank(field: String)
    case repeated(field: String)
    case usedID(String, line: Int)
  }

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension Fault.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .expected(let what): "expected \(what)"
    case .unexpectedEnd(let expected): "unexpected end, expected \(expected)"
    case .trailingComma: "trailing comma, which JSON does not allow"
    case .comment: "comment, which JSON does not allow"
    case .mergeConflict(let marker): "unresolved merge conflict (\(marker))"
    case .invalidUTF8: "bytes that are not valid UTF-8"
    case .controlCharacter(let byte):
      "control character \(hex(byte)) in a string, write it as \\u00\(hex(byte))"
    case .unclosedString:
      "string that does not end in its line: a quote is missing, or a line break is not written as \\n"
    case .invalidEscape: "invalid escape after '\\'"
    case .loneSurrogate: "lone surrogate escape, half of a pair"
    case .invalidNumber(let why): "invalid number: \(why)"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .textAfterEnd: "unexpected text after the end"
    case .notAnObject(let noun): "\(noun) must be an object like {…}"
    case .notADocument(let list): "the data must be an object like {\"\(list)\": […]}"
    case .bareArray(let list):
      "the data must be an object, not an array. To wrap the array: jq '{\(list): .}'"
    case .foreignObject(let lists):
      "this seems to be the file of another program: it has no "
        + (lists.map { "\"\($0)\"" } + ["\"\(Document.lastIDField.name)\""])
        .joined(separator: ", ") + ". To keep records in it, add \"\(lists.first ?? "")\": []"
    case .notAList(let name): "\"\(name)\" must be an array like […]"
    case .wrongType(let field, let wanted, let found):
      "\"\(field)\" must be \(wanted), not \(found)"
    case .missing(let field, let noun): "\(noun) has no \"\(field)\""
    case .blank(let field): "\"\(field)\" must not be empty"
    case .repeated(let field): "duplicate key \"\(field.shortened)\""
    case .usedID(let id, let line): "id \(id) is already used on line \(line)"
    }
  }

  private func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}

extension String {
  /// The text, or as much of it as a message can show. By scalars, as one character can have any number.
  package var shortened: String {
    let most = 40
    guard let end = unicodeScalars.index(startIndex, offsetBy: most, limitedBy: endIndex),
      end < endIndex
    else { return self }
    return String(unicodeScalars.prefix(most - 1)) + "…"
  }
}
