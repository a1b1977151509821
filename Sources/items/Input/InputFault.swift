import ItemStore

/// What is wrong at one place of standard input.
struct InputFault {
  let reason: Reason
  /// The bytes before the place.
  let offset: Int

  enum Reason: Hashable {
    /// A fault that a data file can have too.
    case data(Fault.Reason)
    case notWhole(field: String, cell: String)
    case unknownField(String, suggestion: String)
    case unnamedColumn
    case wrongCellCount(Int, columns: [String])
    case invalidTSVEscape
    case zeroByte
    case openQuote
    case strayQuote
  }
}

extension InputFault.Reason: CustomStringConvertible {
  var description: String {
    switch self {
    case .data(let reason): return reason.description
    case .notWhole(let field, let cell):
      return "\"\(field)\" must be a whole number of 64 bits, not \"\(cell.shortened)\""
    case .unknownField(let field, let suggestion):
      return "unknown field '\(field.shortened)'. Did you mean '\(suggestion)'?"
    case .unnamedColumn: return "column without a name"
    case .wrongCellCount(let count, let columns):
      let names =
        columns.prefix(8).map(\.shortened).joined(separator: ", ")
        + (columns.count > 8 ? ", …" : "")
      return "\(count) \(count == 1 ? "cell" : "cells"), expected \(columns.count): \(names)"
    case .invalidTSVEscape: return "invalid escape, only \\t, \\n, \\r, \\0 and \\\\ are known"
    case .zeroByte: return "NUL byte, which JSON writes as \\u0000 and tab-separated values as \\0"
    case .openQuote: return "quote that is never closed"
    case .strayQuote: return "quote in the middle of a cell"
    }
  }
}
