/// The folders that were made for a data file, so that they can go again if nothing comes of it.
final class MadeFolders {
  private var made: [(parent: OpenFolder, name: FilePath)] = []

  /// Opens the folder that a path leads to, and makes what is missing of it, private.
  ///
  /// - Throws: an error whose `errno` is `doesNotExist` if another command takes away a part meanwhile.
  func open(
    _ path: FilePath, from start: OpenFolder?, _ system: System
  ) throws(StoreError) -> OpenFolder {
    do throws(StoreError) {
      return try OpenFolder.open(path, from: start, system)
    } catch {
      let folder = path.withoutFinalSlashes
      guard error.errno == .doesNotExist, !folder.name.isEmpty else { throw error }
      let parent = try open(folder.folder, from: start, system)
      try make(folder.name, in: parent)
      return try parent.folder(at: folder.name.asFolder)
    }
  }

  private func make(_ name: FilePath, in folder: OpenFolder) throws(StoreError) {
    do throws(StoreError) {
      try folder.makeFolder(name)
      made.append((folder, name))
    } catch {
      guard error.errno == .exists else { throw error }
    }
  }

  func remove() {
    for (parent, name) in made.reversed() { try? parent.removeFolder(name) }
  }
}
