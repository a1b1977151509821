import Foundation

/// What programs do to files, by their paths in the folder.
extension Sandbox {
  /// Writes in place if there is such a file, and makes its folder if there is none.
  public func write(_ text: String, to name: String) throws {
    try write(Data(text.utf8), to: name)
  }

  public func append(_ text: String, to name: String) throws {
    let file = try FileHandle(forWritingTo: url(name))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  public func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: true)
  }

  public func move(_ name: String, _ other: String) throws {
    guard unsafe rename(url(name).path, url(other).path) == 0 else { throw POSIXError(.EIO) }
  }

  public func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

  /// Makes a symbolic link, and its folder if there is none.
  public func link(_ name: String, to target: String) throws {
    try makeFolder(URL(filePath: name).deletingLastPathComponent().relativePath)
    try FileManager.default.createSymbolicLink(
      atPath: url(name).path, withDestinationPath: target)
  }

  public func hardLink(_ name: String, to other: String) throws {
    try FileManager.default.linkItem(at: url(other), to: url(name))
  }

  public func setMode(_ name: String, _ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url(name).path)
  }

  private func url(_ name: String) -> URL { folder.appending(path: name) }
}
