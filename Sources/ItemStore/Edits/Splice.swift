/// One stretch of a file and the bytes that take its place.
package struct Splice: Sendable, Equatable {
  package var range: Range<Int>
  package var bytes: [UInt8]

  package init(_ range: Range<Int>, _ bytes: [UInt8]) { (self.range, self.bytes) = (range, bytes) }
}

extension [Splice] {
  /// What the edited file consists of, in order: ranges of the old bytes, and new ones.
  package func forEachPiece<Failure: Error>(
    ofFileWith count: Int, _ kept: (Range<Int>) throws(Failure) -> Void,
    _ new: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var position = 0
    for splice in self {
      if position < splice.range.lowerBound { try kept(position..<splice.range.lowerBound) }
      if !splice.bytes.isEmpty { try new(splice.bytes) }
      position = splice.range.upperBound
    }
    if position < count { try kept(position..<count) }
  }

  /// The edited bytes.
  package func applied(to bytes: Bytes) -> [UInt8] {
    var result: [UInt8] = []
    forEachPiece(ofFileWith: bytes.count) {
      bytes.append($0, to: &result)
    } _: {
      result += $0
    }
    return result
  }
}
