/// What is to become of one version of a document.
package struct Edit {
  /// Of the document, in any order; they do not overlap. All else stays as it is.
  package var splices: [Splice]
  package let touched: Touched
  /// How many records it changes.
  package let changedCount: Int
  /// The highest item id that it gives out.
  package var highestID = 0
  /// If it changes records too: how many it takes out, and how many it adds.
  var removedCount = 0
  var addedCount = 0

  package enum Touched {
    /// The records, and what parts them, lie in this range of the text.
    case made(text: [UInt8], Range<Int>, count: Int)
    /// Indices before the change.
    case changed([Int])
    case removed([Int])
    /// What the splices touch.
    case found(Selection)
  }

  /// - Parameter changedCount: how many records it changes, if not all that it touches.
  package init(
    splices: [Splice], touched: Touched, changedCount: Int? = nil, highestID: Int = 0
  ) {
    (self.splices, self.touched, self.highestID) = (splices, touched, highestID)
    let touchedCount =
      switch touched {
      case .made(_, _, let count): count
      case .changed(let records), .removed(let records): splices.isEmpty ? 0 : records.count
      case .found(let selection): selection.records.count
      }
    self.changedCount = changedCount ?? touchedCount
  }
}

extension Edit {
  /// The records touched, as `Outcome` has them.
  func selection(_ schema: Schema, _ document: Document) throws(StoreError) -> Selection {
    switch touched {
    case .found(let selection): return selection.from(document)
    case .removed(let records): return Selection(document, schema, records)
    case .changed(let records) where splices.isEmpty: return Selection(document, schema, records)
    case .changed(let records):
      let list = document.list(schema)
      var text: [UInt8] = []
      for record in records {
        document.appendText(of: StoredRecord(document, list, record), after: splices, to: &text)
        text.append(UInt8(ascii: ","))
      }
      return try Selection(ofRecords: text.dropLast(), schema).from(document)
    case .made(let text, let range, _):
      return try Selection(ofRecords: text[range], schema).from(document)
    }
  }
}

extension Document {
  /// Appends the text that a record has after an edit, whose splices are sorted.
  func appendText(
    of fields: StoredRecord, after splices: [Splice], to text: inout [UInt8]
  ) {
    let range = fields.range
    // At its start another record may be put in, or those before it end.
    var index = splices.partitioningIndex { $0.range.lowerBound > range.lowerBound }
    var position = range.lowerBound
    while index < splices.count, splices[index].range.lowerBound < range.upperBound {
      bytes.append(position..<splices[index].range.lowerBound, to: &text)
      text += splices[index].bytes
      position = splices[index].range.upperBound
      index += 1
    }
    bytes.append(position..<range.upperBound, to: &text)
  }

  /// The same splices in positions of the file, which differ if `bytes` begin as a skeleton.
  func inFile(_ splices: [Splice]) -> [Splice] {
    guard let blank else { return splices }
    // What of `bytes` is the skeleton. Each piece of what is made of it is a splice of its own, so that
    // none is copied.
    let skeleton = blank.lowerBound..<bytes.count - (fileCount - blank.upperBound)
    var result = [Splice(blank, [])]
    splices.forEachPiece(ofFileWith: bytes.count) { kept in
      result.append(Splice(blank.upperBound..<blank.upperBound, bytes[kept.clamped(to: skeleton)]))
    } _: { new in
      result.append(Splice(blank.upperBound..<blank.upperBound, new))
    }
    return result
  }
}

extension RandomAccessCollection {
  /// The first index whose element passes a test that all elements after it pass too.
  func partitioningIndex(where passes: (Element) -> Bool) -> Index {
    var (low, count) = (startIndex, count)
    while count > 0 {
      let middle = index(low, offsetBy: count / 2)
      if passes(self[middle]) {
        count /= 2
      } else {
        low = index(after: middle)
        count -= count / 2 + 1
      }
    }
    return low
  }
}
