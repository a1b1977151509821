extension String {
  /// The text in lines of at most so many columns, broken at blanks, and inside of words that are longer
  /// than a line.
  func wrapped(toWidth width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var room = width
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let blank = line.isEmpty ? "" : " "
      let needed = blank.count + word.displayWidth
      if needed <= room {
        line += blank + word
        room -= needed
        continue
      }
      if !line.isEmpty { lines.append(line) }
      (line, room) = ("", width)
      for character in word {
        if character.displayWidth > room, !line.isEmpty {
          lines.append(line)
          (line, room) = ("", width)
        }
        line.append(character)
        room -= character.displayWidth
      }
    }
    return lines + [line]
  }
}
