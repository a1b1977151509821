import ItemStore

/// Where the data is: `--file`, else `$ITEMS_FILE`, else `$XDG_DATA_HOME/items/items.json`, else
/// `$HOME/.local/share/items/items.json`.
enum DataPath {
  static func resolve(_ option: String?) throws(UsageError) -> String {
    if let option { return try absolute(option) }
    if let path = try Process.variable("ITEMS_FILE") { return try absolute(path) }
    // XDG Base Directory Specification: a path that is not absolute is to be ignored.
    if let folder = try Process.variable("XDG_DATA_HOME"), folder.hasPrefix("/") {
      return folder + "/items/items.json"
    }
    if let home = try Process.variable("HOME"), home.hasPrefix("/") {
      return home + "/.local/share/items/items.json"
    }
    throw UsageError(
      "HOME is not set to an absolute path, so there is no place for the data. Name a file: --file PATH"
    )
  }

  private static func absolute(_ path: String) throws(UsageError) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = System.currentFolder else {
      throw UsageError("the current folder is gone, so '\(path)' leads nowhere")
    }
    var name = path[...]
    while name.hasPrefix("./") { name = name.dropFirst(2).drop { $0 == "/" } }
    return (folder == "/" ? "/" : folder + "/") + name
  }
}
