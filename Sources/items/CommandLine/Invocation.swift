import ItemStore

/// A command line that has been understood.
struct Invocation {
  var line = GivenLine()
  var operands: [String] = []
  /// Whether a `-` was given, for standard input.
  var readsStdin = false

  var format: Format?
  var inputFormat: InputFormat?
  var number: Int?
  var title: String?
  var conditions: [Condition] = []
  var sortKey: SortKey?
  /// The fields that are printed, and those of tab-separated values that are read.
  var columns: [String]?
  var fieldChanges: [FieldChange] = []
  var isConfirmed = false
  var isWatching = false
  var file: String?

  /// What `--set` or `--unset` says of one field.
  struct FieldChange {
    let field: String
    let value: Value

    enum Value {
      case text(String)
      /// Not checked yet.
      case json(String)
      case removal
    }
  }

  struct SortKey {
    let field: String
    let isDescending: Bool
  }
}
