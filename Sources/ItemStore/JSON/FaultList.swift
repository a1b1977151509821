/// What is wrong with a text, in the order of the places.
package struct FaultList: Error {
  /// How many faults of content are reported.
  package static let limit = 20

  package let faults: [Fault]

  init(_ content: [Fault], syntax: Fault? = nil) {
    // What a record lacks is known at its end only, but reported for its beginning.
    let sorted = content.sorted { $0.offset < $1.offset }
    faults =
      sorted.prefix(Self.limit - (syntax == nil ? 0 : 1)) + (syntax.map { [$0] } ?? [])
  }
}
