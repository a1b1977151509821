/// Writes records one after another, with what parts them.
struct RecordWriter {
  private(set) var text: [UInt8]
  private(set) var count = 0
  private let layout: ListLayout
  /// Records of one batch mostly have the same fields in the same places, so what stands before the
  /// value is kept for each place.
  private var seams: [(field: Int, bytes: [UInt8])] = []
  private var place = 0
  private let names: [String]

  /// - Parameters:
  ///   - names: of the fields, which go by numbers.
  ///   - text: what stands before the first record.
  init(_ layout: ListLayout, names: [String], after text: [UInt8]) {
    (self.layout, self.names, self.text) = (layout, names, text)
  }

  mutating func beginRecord() {
    if count > 0 { text += layout.between }
    text.append(UInt8(ascii: "{"))
    place = 0
  }

  /// Adds a field; `write` appends its value.
  @inline(__always) mutating func append(_ field: Int, _ write: (inout [UInt8]) -> Void) {
    appendSeam(before: field)
    write(&text)
  }

  mutating func append(_ field: Int, _ value: Range<Int>, of bytes: Bytes) {
    appendSeam(before: field)
    layout.record.append(value, of: bytes, to: &text)
  }

  private mutating func appendSeam(before field: Int) {
    if place == seams.count { seams.append((-1, [])) }
    if seams[place].field != field {
      var seam = place > 0 ? layout.record.between : layout.record.lead
      JSONString.appendEncoded(names[field], to: &seam)
      seams[place] = (field, seam + layout.record.colon)
    }
    text += seams[place].bytes
    place += 1
  }

  mutating func endRecord() {
    text += layout.record.tail
    text.append(UInt8(ascii: "}"))
    count += 1
  }

  /// Makes room for `count` records like the first one, whose values have so many bytes in all. Room
  /// that is not used costs nothing.
  mutating func reserveCapacity(forRecords count: Int, valueBytes: Int) {
    let mostForID = 40
    let around = seams.reduce(layout.between.count + layout.record.tail.count + mostForID) {
      $0 + $1.bytes.count
    }
    text.reserveCapacity(text.count + count * around + valueBytes)
  }

  /// All text, with what stands behind the last record.
  consuming func finish(_ end: [UInt8]) -> [UInt8] {
    text += end
    return text
  }
}
