import CItemStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Waits for changes of a data file, whoever makes them: inotify(7), or kqueue(2).
///
/// A new file may take the name of the old one, and so may a folder or a symbolic link on the way to
/// it. So each name on the way is watched in its folder, as far as there are such folders:
///
///     /data/items.json, where data is a link to disk/2
///     in /: data, disk    in /disk: 2    in /disk/2: items.json
///
/// A folder is watched before a name in it is looked up, so that no change falls in between. Not for
/// use from two threads at once.
package final class Watcher {
  private let path: FilePath
  private let system: System
  /// What has happened and was not looked at yet.
  private let queue: OpenFile
  private var watches = Watches()
  /// Why changes go unnoticed for now; `wait` looks each time it ends by its limit whether they still do.
  package private(set) var trouble: StoreError?

  /// As many links as Linux follows.
  private static let linkLimit = 40

  /// From here on no change is missed.
  ///
  /// - Throws: `failed` if the system has no watch left to give, or forbids it.
  package init(_ store: Store) throws(StoreError) {
    (path, system) = (FilePath(store.path), store.system)
    let descriptor = try system.call(.watch, on: path) { _ in
      #if canImport(Darwin)
        kqueue()
      #else
        inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
      #endif
    }
    queue = OpenFile(descriptor: descriptor, path: path, system: system)
    try follow()
  }

  package enum Event: Sendable {
    /// The file may be another than before; several changes may be one event.
    case change
    /// There is something to read on the other descriptor.
    case input
    /// Nobody reads the pipe any more.
    case hangUp
    case timeout
  }

  /// Blocks until the file has changed since the last call or since `init`, or something else happens.
  package func wait(
    orInputOf other: CInt = -1, orHangUpOf pipe: CInt = -1, seconds: Double? = nil
  ) throws(StoreError) -> Event {
    let deadline = seconds.map { System.now + $0 }
    while true {
      // poll(2) passes over those that are negative. macOS tells of a hang-up only if that is asked for.
      var polled = [(queue.descriptor, POLLIN), (other, POLLIN), (pipe, POLLHUP)].map {
        pollfd(fd: $0, events: Int16($1), revents: 0)
      }
      let rest = deadline.map { CInt(max(0, $0 - System.now) * 1000) } ?? -1
      let count = try system.call(.watch, on: path) { _ in unsafe poll(&polled, 3, rest) }
      if count == 0 {
        if trouble == nil { return .timeout }
        followAgain()
        return trouble == nil ? .change : .timeout
      }
      if polled[1].revents != 0 { return .input }
      if polled[2].revents != 0 { return .hangUp }
      if try takeEvents() {
        followAgain()
        return .change
      }
    }
  }

  private func followAgain() {
    do throws(StoreError) {
      try follow()
      trouble = nil
    } catch {
      trouble = error
    }
  }

  /// Watches all names on the way to the file as it is now.
  private func follow() throws(StoreError) {
    let old = watches
    watches = Watches()
    defer { old.end(in: queue, but: watches) }
    var folder = FilePath(path.isAbsolute ? "/" : "./")
    var names: [FilePath] = path.components.reversed()
    var links = 0
    var refused: StoreError?
    while let name = names.popLast() {
      do throws(StoreError) {
        try watches.add(folder, name, isLast: names.isEmpty, queue, system)
        refused = nil
      } catch {
        if [.doesNotExist, Errno(ENOTDIR)].contains(error.errno) { return }
        // Who may not look into a folder may still go through it.
        guard error.errno?.isRefusal == true else { throw error }
        refused = error
      }
      let next = folder.appending(name)
      if let target = try? system.target(ofLink: next) {
        links += 1
        if links > Self.linkLimit { return }
        if target.isAbsolute { folder = FilePath("/") }
        names += target.components.reversed()
      } else {
        folder = next.asFolder
      }
    }
    if let refused { throw refused }
  }
}

#if canImport(Darwin)
  extension Watcher {
    /// The folders, and the file as well, for a folder tells of its names alone.
    private struct Watches {
      var folders: [OpenFile] = []
      var file: OpenFile?
      /// What the file was when the watch began.
      var status: FileStatus?

      mutating func add(
        _ folder: FilePath, _ name: FilePath, isLast: Bool, _ queue: OpenFile, _ system: System
      ) throws(StoreError) {
        folders.append(try Self.watch(folder, queue, system))
        guard isLast else { return }
        file = try? Self.watch(folder.appending(name), queue, system)
        status = try? file?.status()
      }

      private static func watch(
        _ path: FilePath, _ queue: OpenFile, _ system: System
      ) throws(StoreError) -> OpenFile {
        let file = try system.open(path, O_EVTONLY)
        try system.call(.watch, on: path) { _ in items_watch(queue.descriptor, file.descriptor) }
        return file
      }

      /// Closing a file ends its watch.
      func end(in queue: OpenFile, but other: Watches) {}
    }

    /// Takes what has happened, and says whether it may have changed the file.
    private func takeEvents() throws(StoreError) -> Bool {
      var concernsFile = false
      while case let descriptor = items_take_report(queue.descriptor), descriptor != -1 {
        if descriptor == watches.file?.descriptor { concernsFile = true }
      }
      // A folder does not say which of its names is another now.
      let before = watches.status
      // A folder that was made meanwhile has to be watched from now on.
      if !concernsFile { followAgain() }
      return concernsFile || watches.status != before
    }
  }
#else
  extension Watcher {
    /// The names that matter in each folder, by the number of the watch on it.
    private struct Watches {
      var names: [CInt: Set<FilePath>] = [:]

      private static let ofNames =
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      private static let ofContent = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB

      mutating func add(
        _ folder: FilePath, _ name: FilePath, isLast: Bool, _ queue: OpenFile, _ system: System
      ) throws(StoreError) {
        // Writes are nothing to be woken for in the folders above, which may be busy ones.
        let events = Self.ofNames | (isLast ? Self.ofContent : 0)
        let watch = try system.call(.watch, on: folder) { _ in
          unsafe inotify_add_watch(
            queue.descriptor, folder.cString, UInt32(events | IN_MASK_ADD | IN_ONLYDIR))
        }
        names[watch, default: []].insert(name)
      }

      func end(in queue: OpenFile, but other: Watches) {
        for watch in names.keys where other.names[watch] == nil {
          inotify_rm_watch(queue.descriptor, watch)
        }
      }

      func concern(_ event: inotify_event, _ name: some Sequence<UInt8>) -> Bool {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard let names = names[event.wd], event.mask & UInt32(IN_IGNORED) == 0 else {
          return false
        }
        // With no name it is of the folder itself.
        return event.len == 0 || names.contains(FilePath(bytes: name))
      }
    }

    /// Takes what has happened, and says whether it may have changed the file.
    private func takeEvents() throws(StoreError) -> Bool {
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      let count: Int
      do throws(StoreError) {
        count = try system.call(.read, on: path, count: buffer.count) { limit in
          unsafe read(queue.descriptor, &buffer, limit)
        }
      } catch {
        guard error.errno == .wouldBlock else { throw error }
        return false
      }
      var concernsFile = false
      var position = 0
      let size = MemoryLayout<inotify_event>.size
      while position + size <= count {
        let event = unsafe buffer.withUnsafeBytes {
          unsafe $0.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
        }
        position += size + Int(event.len)
        let name = buffer[..<position].suffix(Int(event.len)).prefix { $0 != 0 }
        if watches.concern(event, name) { concernsFile = true }
      }
      return concernsFile
    }
  }
#endif
