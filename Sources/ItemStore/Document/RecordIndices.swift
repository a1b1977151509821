/// The indices of some records in some order. Those of all records of a list take no memory.
package struct RecordIndices: RandomAccessCollection, Sendable {
  private let chosen: [Int]?
  package let endIndex: Int

  package init(_ chosen: [Int]) { (self.chosen, endIndex) = (chosen, chosen.count) }

  package init(allOf list: RecordList) { (chosen, endIndex) = (nil, list.count) }

  package var startIndex: Int { 0 }

  package subscript(place: Int) -> Int {
    precondition(0..<endIndex ~= place)
    return chosen?[place] ?? place
  }
}
