import ItemStore

/// A cell of a row, without quotes and escapes.
struct InputCell {
  let text: String
  let origin: Int
}

/// The columns of rows: what each cell of them stands for.
struct InputColumns {
  let names: [String]
  /// The index of each field in the batch.
  let fields: [Int]
}

extension InputRecords {
  /// Takes the names of columns.
  ///
  /// - Parameters:
  ///   - origins: where they are.
  ///   - place: what has no column for a field that is needed, and where it is.
  /// - Returns: nil if something is wrong with them.
  mutating func columns(
    _ names: [String], origins: [Int], in place: (noun: String, origin: Int)
  ) -> InputColumns? {
    let faultCount = faults.count
    let known = schema.fields.map(\.name)
    var seen: Set<[UInt8]> = []
    for (name, origin) in zip(names, origins) {
      if !seen.insert(Array(name.utf8)).inserted {
        report(.repeated(field: name), at: origin)
      } else if use == .ids {
        continue
      } else if name.isEmpty {
        report(.unnamedColumn, at: origin)
      } else if let meant = Suggestion.slip(name, of: known) {
        report(.unknownField(name, suggestion: meant), at: origin)
      }
    }
    let needed = use == .new ? schema.kinds.firstIndex(where: \.isText) : 0
    if let needed, !names.contains(known[needed]), !hasDefault(needed) {
      report(.missing(field: known[needed], noun: place.noun), at: place.origin)
    }
    guard faults.count == faultCount else { return nil }
    return InputColumns(names: names, fields: names.map { field(named: $0) })
  }

  /// Takes a row. An empty cell is not given.
  mutating func takeRow(_ cells: [InputCell], of columns: InputColumns, origin: Int) {
    guard use == .ids || cells.count == columns.fields.count else {
      return report(.wrongCellCount(cells.count, columns: columns.names), at: origin)
    }
    var id: String?
    for (field, cell) in zip(columns.fields, cells) where !cell.text.isEmpty {
      if field == 0 && use != .new {
        id = cell.text
      } else if use != .ids {
        take(cell, for: field)
      }
    }
    endRecord(id: id, origin: origin)
  }

  private mutating func take(_ cell: InputCell, for field: Int) {
    guard field < schema.kinds.count else {
      // A new value is a text; one that replaces another takes the kind of that.
      let kind = use == .changes ? Batch.Kind.cell : .value
      return append(field, as: kind, at: cell.origin) {
        JSONString.appendEncoded(cell.text, to: &$0)
      }
    }
    switch schema.kinds[field] {
    case .text:
      append(field, at: cell.origin) { JSONString.appendEncoded(cell.text, to: &$0) }
    case .wholeNumber:
      guard let number = Int(cell.text) else {
        return report(
          .notWhole(field: schema.fields[field].name, cell: cell.text), at: cell.origin)
      }
      append(field, at: cell.origin) { $0 += String(number).utf8 }
    case .uuid:
      let json = JSONString.encode(cell.text)
      var scanner = JSONScanner(Bytes(json))
      if let reason = (try? schema.fields[field].check(&scanner)) ?? nil {
        return report(reason, at: cell.origin)
      }
      append(field, at: cell.origin) { $0 += json }
    }
  }
}
