import CItemStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open folder. A change makes, names and removes files only through this descriptor, so a folder that
/// replaces it meanwhile gets none of them.
final class OpenFolder: Sendable {
  /// With a slash at its end; empty for the current folder.
  let path: FilePath
  private let file: OpenFile
  private var system: System { file.system }
  private var descriptor: CInt { file.descriptor }

  private init(_ path: FilePath, _ file: OpenFile) { (self.path, self.file) = (path, file) }

  /// The folder that a path, which ends in a slash or is empty, leads to from another folder, or from the
  /// current one.
  static func open(
    _ path: FilePath, from start: OpenFolder?, _ system: System
  ) throws(StoreError) -> OpenFolder {
    if let start, !path.isAbsolute { return try start.folder(at: path) }
    let opened = path.isEmpty ? FilePath(".") : path
    return OpenFolder(path, try system.open(opened, O_RDONLY | O_DIRECTORY))
  }

  /// The folder that a relative path leads to from this one.
  func folder(at other: FilePath) throws(StoreError) -> OpenFolder {
    if other.isEmpty { return self }
    let path = path.appending(other)
    let descriptor = try system.call(.open, on: path) { _ in
      unsafe items_openat(self.descriptor, other.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    }
    return OpenFolder(path, OpenFile(descriptor: descriptor, path: path, system: system))
  }

  /// The path of a name in this folder.
  func path(of name: FilePath) -> FilePath { path.appending(name) }

  /// What an error names if nothing can be made here.
  private var subject: String {
    path.isEmpty ? System.currentFolder ?? "." : path.withoutFinalSlashes.description
  }

  // MARK: Files in it

  /// Opens the file of this name itself, never one that a link points to.
  ///
  /// - Parameter subject: what an error on the file names; without one, its path.
  func open(
    _ name: FilePath, _ flags: CInt, as subject: String? = nil
  ) throws(StoreError) -> OpenFile {
    let path = path(of: name)
    let descriptor = try system.call(.open, on: path, as: subject) { _ in
      unsafe items_openat(
        self.descriptor, name.cString, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    }
    return OpenFile(descriptor: descriptor, path: path, as: subject, system: system)
  }

  /// Makes a file that nobody else may open.
  ///
  /// - Parameter subject: what an error on the file names; without one, its path.
  func create(_ name: FilePath, as subject: String? = nil) throws(StoreError) -> OpenFile {
    let path = path(of: name)
    let descriptor = try system.call(.open, on: path, as: self.subject) { _ in
      unsafe items_openat(
        self.descriptor, name.cString, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    return OpenFile(descriptor: descriptor, path: path, as: subject, system: system)
  }

  /// Makes a file, in place of one that has the name already.
  func replacing<T>(
    _ name: FilePath, _ make: () throws(StoreError) -> T
  ) throws(StoreError) -> T {
    do throws(StoreError) {
      return try make()
    } catch {
      guard error.errno == .exists else { throw error }
      try remove(name)
      return try make()
    }
  }

  /// Whether the system has files without a name; not every file system has.
  static var hasUnnamedFiles: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// Makes a file that has no name, and so goes with its descriptor until `link` gives it one.
  func createUnnamed(for name: FilePath, as subject: String) throws(StoreError) -> OpenFile {
    let path = path(of: name)
    #if os(Linux)
      let descriptor = try system.call(.open, on: path, as: self.subject) { _ in
        items_open_unnamed(self.descriptor, 0o600)
      }
      return OpenFile(descriptor: descriptor, path: path, as: subject, system: system)
    #else
      throw .failed(path: path.description, Errno(ENOTSUP))
    #endif
  }

  /// Gives a file without a name this one: linkat(2).
  func link(_ file: OpenFile, as name: FilePath) throws(StoreError) {
    let source = "/proc/self/fd/\(file.descriptor)"
    try system.call(.link, on: path(of: name)) { _ in
      unsafe linkat(AT_FDCWD, source, descriptor, name.cString, AT_SYMLINK_FOLLOW)
    }
  }

  /// What is under this name, which may be a link; nil if nothing is.
  func status(of name: FilePath) throws(StoreError) -> FileStatus? {
    var status = stat()
    do throws(StoreError) {
      try system.call(.status, on: path(of: name)) { _ in
        unsafe fstatat(descriptor, name.cString, &status, AT_SYMLINK_NOFOLLOW)
      }
      return FileStatus(status)
    } catch {
      if error.errno == .doesNotExist { return nil }
      throw error
    }
  }

  func target(ofLink name: FilePath) throws(StoreError) -> FilePath? {
    try system.target(ofLink: name, in: descriptor, as: path(of: name))
  }

  /// Whether the user may write to a file. The name must not be a link.
  func isWritable(_ name: FilePath) throws(StoreError) -> Bool {
    do throws(StoreError) {
      try system.call(.status, on: path(of: name)) { _ in
        unsafe faccessat(descriptor, name.cString, W_OK, AT_EACCESS)
      }
      return true
    } catch {
      if error.errno?.isRefusal == true { return false }
      // Removed since it was read, which the last look before the replacement finds.
      if error.errno == .doesNotExist { return true }
      throw error
    }
  }

  func rename(_ old: FilePath, to new: FilePath) throws(StoreError) {
    try system.call(.rename, on: path(of: old), as: subject) { _ in
      unsafe renameat(descriptor, old.cString, descriptor, new.cString)
    }
  }

  func remove(_ name: FilePath) throws(StoreError) {
    try system.call(.remove, on: path(of: name)) { _ in
      unsafe unlinkat(descriptor, name.cString, 0)
    }
  }

  // MARK: Folders in it

  /// Makes a folder that is open to its owner alone, whatever the umask, and syncs this one.
  func makeFolder(_ name: FilePath) throws(StoreError) {
    try system.call(.makeFolder, on: path(of: name)) { _ in
      unsafe mkdirat(descriptor, name.cString, 0o700)
    }
    do throws(StoreError) {
      if let mode = try status(of: name)?.permissions, mode & 0o700 != 0o700 {
        try system.call(.setMode, on: path(of: name)) { _ in
          unsafe fchmodat(descriptor, name.cString, mode | 0o700, 0)
        }
      }
      try sync()
    } catch {
      try? removeFolder(name)
      throw error
    }
  }

  func removeFolder(_ name: FilePath) throws(StoreError) {
    try system.call(.remove, on: path(of: name)) { _ in
      unsafe unlinkat(descriptor, name.cString, AT_REMOVEDIR)
    }
  }

  // MARK: The folder itself

  func sync() throws(StoreError) { try file.sync() }

  func isSame(as other: OpenFolder) throws(StoreError) -> Bool {
    try file.status().isSameFile(as: other.file.status())
  }
}
