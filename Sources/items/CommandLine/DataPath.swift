import ItemStore

/// Where the data is: `--file`, else `$ITEMS_FILE`, else `$XDG_DATA_HOME/items/items.json`, else
/// `$HOME/.local/share/items/items.json`.
enum DataPath {
  static func resolve(_ option: String?) throws(UsageError) -> String {
    if let option { return try absolute(option, hint: "--file ~/\(option.dropFirst(2))") }
    if let path = try Process.variable("ITEMS_FILE") {
      return try absolute(path, hint: "ITEMS_FILE=\"$HOME/\(path.dropFirst(2))\"")
    }
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

  /// - Parameter hint: how a path below the home folder is given.
  private static func absolute(_ path: String, hint: String) throws(UsageError) -> String {
    if path.hasPrefix("/") { return path }
    if path.hasPrefix("~/") {
      throw UsageError(
        "'\(path)' is not in the home folder, as the shell did not expand the '~'",
        hint: "Say it as: \(hint)")
    }
    guard let folder = System.currentFolder else {
      throw UsageError("the current folder is gone, so '\(path)' leads nowhere")
    }
    var name = path[...]
    while name.hasPrefix("./") { name = name.dropFirst(2).drop { $0 == "/" } }
    return (folder == "/" ? "/" : folder + "/") + name
  }
}

extension Commands {
  static func path(_ invocation: Invocation) throws -> ExitCode {
    let path = try DataPath.resolve(invocation.file)
    return try print((Process.isTerminal(1) ? path.escapedForTerminal : path) + "\n")
  }
}
