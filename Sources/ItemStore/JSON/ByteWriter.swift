/// Writes runs of bytes one after another into memory that has room for them: with an append to an array
/// for each run, a list took a third longer.
@safe struct ByteWriter {
  private let memory: UnsafeMutablePointer<UInt8>
  private let room: Int
  private(set) var count = 0

  /// Up to seven bytes more than a run has are written.
  static let slack = 8

  /// Lets `body` write to the start of an array, and returns how many bytes that made.
  static func fill(_ memory: inout [UInt8], _ body: (inout ByteWriter) -> Void) -> Int {
    unsafe memory.withUnsafeMutableBufferPointer { memory in
      guard let start = memory.baseAddress else { return 0 }
      var writer = unsafe ByteWriter(memory: start, room: memory.count)
      body(&writer)
      return writer.count
    }
  }

  /// Whether so many bytes can still be written.
  @inline(__always) func hasRoom(for bytes: Int) -> Bool { bytes <= room &- count &- Self.slack }

  @inline(__always) mutating func append(_ run: Range<Int>, of bytes: Bytes) {
    precondition(hasRoom(for: run.count))
    precondition(run.lowerBound >= 0 && run.upperBound <= bytes.count)
    unsafe bytes.uncheckedCopy(run, to: memory + count)
    count &+= run.count
  }

  @inline(__always) mutating func append(_ byte: UInt8) {
    precondition(hasRoom(for: 1))
    unsafe memory[count] = byte
    count &+= 1
  }

  @inline(__always) mutating func append(_ text: [UInt8]) { for byte in text { append(byte) } }
}
