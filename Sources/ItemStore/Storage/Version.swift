#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The whole content of a data file at one moment. While `file` is open no other file gets its inode, so
/// an equal status later on means the same content.
struct Version {
  let bytes: Bytes
  /// Both nil if there is no file.
  let file: OpenFile?
  let status: FileStatus?
  /// A copy without a name, to become the new file; its value is nil if there can be none.
  let clone: Background<OpenFile?>?
  /// Made while the content is checked, or when it is asked for.
  let fingerprint: Background<Fingerprint>

  /// How often a reader tries to see a file that does not change meanwhile. Each try takes as long as
  /// reading it, so a program that writes to it once in a while does not come between that often.
  private static let attempts = 100
  private static let leasePause = 0.05

  /// Reads what the system opens under a path.
  static func read(_ path: String, _ system: System) throws(StoreError) -> Version {
    let given = FilePath(path)
    guard !given.name.isEmpty else { throw .notAFile(path: path, kind: "a folder") }
    return try Version(path) { () throws(StoreError) in try system.open(given, O_RDONLY) }
  }

  /// Reads the file in its folder.
  ///
  /// - Parameter clone: starts to make a copy that is to become the new file, for a file of this size.
  /// - Returns: nil if a link has taken the place of the file.
  static func read(
    _ file: DataFile, cloning clone: @escaping (OpenFile, FileStatus) -> Background<OpenFile?>?
  ) throws(StoreError) -> Version? {
    do throws(StoreError) {
      return try Version(file.path, clone) { () throws(StoreError) in
        try file.folder.open(file.name, O_RDONLY, as: file.path)
      }
    } catch {
      if error.errno == .tooManyLinks { return nil }
      throw error
    }
  }

  /// - Parameter clone: nil if the file is to be read only, so that no change needs a fingerprint.
  private init(
    _ path: String, _ clone: ((OpenFile, FileStatus) -> Background<OpenFile?>?)? = nil,
    _ open: () throws(StoreError) -> OpenFile
  ) throws(StoreError) {
    let isToChange = clone != nil
    var failure = StoreError.keepsChanging(path: path)
    for _ in 0..<Self.attempts {
      let file: OpenFile
      do throws(StoreError) {
        file = try open()
      } catch {
        // Another program holds a lease on the file: fcntl(2). It was just asked to give that back.
        if error.errno == .wouldBlock {
          failure = error
          System.pause(seconds: Self.leasePause)
          continue
        }
        guard error.errno == .doesNotExist else { throw error }
        self.init(bytes: Bytes([]), file: nil, status: nil, clone: nil, isToChange: isToChange)
        return
      }
      let status = try file.status()
      if let kind = status.otherKind { throw .notAFile(path: path, kind: kind) }
      if status.count > DataFile.limit { throw .tooLarge(path: path) }
      // The content, where its records lie, and what is made of it.
      guard System.hasMemory(for: status.count / 2 * 3) else {
        throw .failed(path: path, Errno(ENOMEM))
      }
      let clone = clone?(file, status)
      let bytes = try file.read(0..<status.count)
      // Files in /proc have content, but no size.
      if status.count == 0, try file.read(0..<1).count > 0 {
        throw .notAFile(path: path, kind: "a file without a size")
      }
      if bytes.count == status.count, try file.status() == status {
        self.init(bytes: bytes, file: file, status: status, clone: clone, isToChange: isToChange)
        return
      }
    }
    throw failure
  }

  private init(
    bytes: Bytes, file: OpenFile?, status: FileStatus?, clone: Background<OpenFile?>?,
    isToChange: Bool
  ) {
    (self.bytes, self.file, self.status, self.clone) = (bytes, file, status, clone)
    fingerprint = Background(forBytes: isToChange ? bytes.count : 0) { Fingerprint(bytes) }
  }
}
