/// A path as the system has it: bytes, which need not be UTF-8.
package struct FilePath: Hashable, Sendable, CustomStringConvertible {
  /// The bytes, with a zero after the last one.
  let cString: [CChar]

  package init(_ text: String) { self.init(bytes: Array(text.utf8)) }

  init(bytes: some Sequence<UInt8>) { cString = bytes.map(CChar.init(bitPattern:)) + [0] }

  var bytes: [UInt8] { cString.dropLast().map(UInt8.init(bitPattern:)) }

  var isEmpty: Bool { cString.count == 1 }

  var isAbsolute: Bool { cString[0] == slash }

  /// Whether it has a zero inside, which the system would take for its end.
  var isCut: Bool { cString.dropLast().contains(0) }

  /// Up to the last slash, or nothing.
  var folder: FilePath { FilePath(bytes: bytes[..<nameStart]) }

  /// After the last slash.
  var name: FilePath { FilePath(bytes: bytes[nameStart...]) }

  private var nameStart: Int { (cString.lastIndex(of: slash) ?? -1) + 1 }

  /// The names on the way, without slashes.
  var components: [FilePath] {
    bytes.split(separator: UInt8(ascii: "/")).map { FilePath(bytes: $0) }
  }

  /// With a slash at its end.
  var asFolder: FilePath { FilePath(bytes: bytes + [UInt8(ascii: "/")]) }

  /// The path of a name in this folder; an absolute one leads away from it.
  func appending(_ other: FilePath) -> FilePath {
    other.isAbsolute ? other : FilePath(bytes: bytes + other.bytes)
  }

  /// Without slashes at its end, unless it is nothing else.
  var withoutFinalSlashes: FilePath {
    var bytes = bytes
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return FilePath(bytes: bytes)
  }

  /// The text, with U+FFFD for what is not UTF-8.
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}

private let slash = CChar(bitPattern: UInt8(ascii: "/"))
