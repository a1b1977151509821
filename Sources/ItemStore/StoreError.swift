/// Why an operation of the store failed. Unless the case says otherwise, nothing was changed.
public enum StoreError: Error, Hashable, Sendable {
  // The request.
  /// No record of this type has these ids.
  ///
  /// - Parameters:
  ///   - noun: `item` or `task`.
  ///   - ids: all that were not found, as they were given.
  case notFound(noun: String, ids: [String])
  /// The start of an id that several tasks share, and these tasks, each in a line.
  case ambiguous(noun: String, id: String, candidates: [String])
  /// The field is a text, which must not be blank: it must have more than white space.
  case blank(field: String)
  /// A closure gave a record another id.
  case changedID(noun: String, id: String)
  /// The highest whole number is in use as an id, so there is no next one.
  case noFreeID

  // Undo and redo.
  /// No change is left to take back.
  case nothingToUndo
  /// No change that was taken back is left to make again.
  case nothingToRedo
  /// The file is not as the newest change left it, so that change cannot be taken back or made again.
  case changedSince(path: String)

  // The data file.
  /// The file is no valid data file; at most 20 problems, in order.
  case invalid(path: String, [Problem])
  /// A system call failed.
  case failed(path: String, Errno)
  /// What has this name is not a file that can be used: `a folder`, `a pipe`.
  case notAFile(path: String, kind: String)
  /// The permissions of the file forbid writing to it.
  case readOnly(path: String)
  /// The file has, or would get, more than 4 GiB.
  case tooLarge(path: String)
  /// Something has emptied the file since the last change, perhaps to write it anew right now.
  case emptied(path: String)
  /// Something goes on changing the file, so that no version of it could be read or replaced.
  case keepsChanging(path: String)
  /// Another process holds the lock for longer than the store waits. The path is that of the lock.
  case locked(path: String)
  /// The file that has the name of the companion cannot be trusted: it `is a symbolic link`.
  case notACompanion(path: String, reason: String)

  /// The change is made and others see it, but the folder could not be synced: a power cut soon may
  /// bring the old content back.
  case unsynced(path: String, Errno)

  /// What is wrong at one place of a data file.
  public struct Problem: Hashable, Sendable {
    /// From 1.
    public let line: Int
    /// In characters, from 1.
    public let column: Int
    /// What is wrong, in words.
    public let reason: String
  }
}

extension StoreError: CustomStringConvertible {
  /// The lines of `description`.
  package var lines: [String] { description.split(separator: "\n").map(String.init) }

  /// The error in words, one line for each thing that is wrong. The lines after the first may be
  /// indented; these belong to the one before.
  public var description: String {
    switch self {
    case .notFound(let noun, let ids):
      ids.map { "no \(noun) with id \($0)" }.joined(separator: "\n")
    case .ambiguous(let noun, let id, let candidates):
      (["\(noun) id '\(id)' is ambiguous. It may mean:"] + candidates.map { "  \($0)" })
        .joined(separator: "\n")
    case .blank(let field): "\"\(field)\" must not be empty"
    case .changedID(let noun, let id): "the id of \(noun) \(id) cannot be changed"
    case .noFreeID:
      "the highest possible id is in use, so there is no next one. A record may bring an id of its own"
    case .nothingToUndo: "nothing to undo"
    case .nothingToRedo: "nothing to redo"
    case .changedSince(let path):
      "\(path): changed by something else since the last change of items, so nothing was done"
    case .invalid(let path, let problems):
      problems.map { "\(path):\($0.line):\($0.column): \($0.reason)" }.joined(separator: "\n")
    case .failed(let path, let errno): "\(path): \(errno)"
    case .notAFile(let path, let kind): "\(path): is \(kind), not a file that can be used"
    case .readOnly(let path): "\(path): permission denied, the file is read-only"
    case .tooLarge(let path): "\(path): larger than 4 GiB, the most that is supported"
    case .emptied(let path):
      "\(path): was emptied since the last change, perhaps to be written right now. "
        + "Try again, and if it is to be empty, write {} to it or remove it"
    case .keepsChanging(let path): "\(path): keeps changing while it is read"
    case .locked(let path):
      "\(path): locked by another command for longer than can be waited for. "
        + "Try again when that has ended"
    case .notACompanion(let path, let reason):
      "\(path): \(reason), so it cannot be used to lock the data. Move it away"
    case .unsynced(let path, let errno):
      "\(path): the change is made, but syncing its folder failed: \(errno)"
    }
  }
}
