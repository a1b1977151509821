import ItemStore

/// The temporary file that an editor gets: records as `list -f json` prints them.
struct EditedFile {
  let path: String
  private let original: [UInt8]

  init(with records: Selection) throws {
    var folder = try Process.variable("TMPDIR") ?? "/tmp"
    // An editor would take a name that begins with a hyphen for an option.
    if !folder.hasPrefix("/") { folder = "./" + folder }
    let start = folder.hasSuffix("/") ? folder + "items-" : folder + "/items-"
    let (path, stream) = try Self.using(folder) { () throws(Errno) in
      try Process.makePrivateFile(start, ".json")
    }
    self.path = path
    defer { Process.close(stream) }
    do {
      original = try Self.using(path) { () throws(Errno) in
        var output = Output(to: stream)
        try output.write(records, as: .json)
        return try Process.contents(ofFile: path) ?? []
      }
    } catch {
      Process.removeFile(path)
      throw error
    }
  }

  func remove() { Process.removeFile(path) }

  /// Lets the user edit the file, and returns what is in it then.
  ///
  /// - Throws: `UsageError` if the editor fails, or if the file was emptied or removed, which means no.
  func edit() throws -> [UInt8] {
    let editor = try Process.variable("VISUAL") ?? Process.variable("EDITOR") ?? "vi"
    let code = try Self.using("/bin/sh") { () throws(Errno) in
      try Process.run(editor, on: path)
    }
    let text = try Self.using(path) { () throws(Errno) in
      try Process.contents(ofFile: path) ?? []
    }
    let isEmpty = String(decoding: text, as: UTF8.self).isBlank
    if code == 0 && !isEmpty { return text }
    var error = UsageError("nothing was changed: the file was emptied")
    error.exitCode = .no
    if code != 0 {
      error.messages = ["nothing was changed: the editor '\(editor)' ended with status \(code)"]
      if code == 127 { error.hint = "Name another one: EDITOR=nano items edit" }
    }
    if isEmpty || text == original {
      remove()
    } else {
      error.messages.append(kept)
    }
    throw error
  }

  /// Where to find what was edited.
  var kept: String { "what was edited is kept in \(path)" }

  private static func using<T>(
    _ path: String, _ body: () throws(Errno) -> T
  ) throws(StoreError) -> T {
    do throws(Errno) {
      return try body()
    } catch {
      throw .failed(path: path, error)
    }
  }
}
