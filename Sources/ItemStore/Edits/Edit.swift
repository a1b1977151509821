/// What a change comes to on one version of the file.
struct Edit {
  var splices: [Splice]
  let touched: Touched
  /// The highest item id that it gives out.
  var highestID = 0

  enum Touched {
    /// The records, and what parts them, lie in this range of the text.
    case made(text: [UInt8], Range<Int>, count: Int)
    /// Indices before the change.
    case changed([Int])
    case removed([Int])
  }
}

extension Edit {
  /// The records touched, as `Change` has them.
  func selection(_ schema: Schema, _ document: Document) throws(StoreError) -> Selection {
    let json: Bytes
    let count: Int
    let opening = [UInt8(ascii: "{")] + JSONString.encode(schema.list) + Array(":[".utf8)
    let closing = Array("]}".utf8)
    switch touched {
    case .removed(let records): return Selection(document, schema, records)
    case .changed(let records) where splices.isEmpty: return Selection(document, schema, records)
    case .changed(let records):
      let list = document.list(schema)
      var text = opening
      for record in records {
        document.appendText(of: StoredRecord(document, list, record), after: splices, to: &text)
        text.append(UInt8(ascii: ","))
      }
      if !records.isEmpty { text.removeLast() }
      json = Bytes(text + closing)
      count = records.count
    case .made(let text, let range, let made):
      json = Bytes(joining: [opening[...], text[range], closing[...]])
      count = made
    }
    do throws(FaultList) {
      return Selection(try Document(json), schema, Array(0..<count))
    } catch {
      // No caller can make this happen; if one could, the file would be none that can be read.
      throw .invalidValues([.init(error.faults[0].reason)])
    }
  }
}

extension Document {
  /// Appends the text that a record has after an edit, whose splices are sorted.
  fileprivate func appendText(
    of fields: StoredRecord, after splices: [Splice], to text: inout [UInt8]
  ) {
    let range = fields.range
    var (low, high) = (0, splices.count)
    while low < high {
      let middle = (low + high) / 2
      if splices[middle].range.lowerBound < range.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var position = range.lowerBound
    while low < splices.count, splices[low].range.lowerBound < range.upperBound {
      bytes.append(position..<splices[low].range.lowerBound, to: &text)
      text += splices[low].bytes
      position = splices[low].range.upperBound
      low += 1
    }
    bytes.append(position..<range.upperBound, to: &text)
  }

  /// The records that the ranges, which ascend, lie in or cover.
  func selection(_ schema: Schema, touching ranges: [Range<Int>]) -> Selection {
    let list = list(schema)
    var next = 0
    let records = (0..<list.count).filter { record in
      let range = StoredRecord(self, list, record).range
      while next < ranges.count && ranges[next].upperBound <= range.lowerBound { next += 1 }
      return next < ranges.count && ranges[next].lowerBound < range.upperBound
    }
    return Selection(self, schema, blank == nil ? records : [])
  }

  /// The splices of `bytes` as splices of the file, for which a skeleton may stand.
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
