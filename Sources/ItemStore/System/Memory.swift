#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Memory that goes with its object.
@safe final class Memory: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  private static let hugePage = 1 << 21

  /// Large memory gets huge pages if the system gives any: to read a file into it, the system then clears
  /// it in few steps instead of one for each 4 KiB.
  init(count: Int) {
    let isLarge = count >= 2 * Self.hugePage
    unsafe bytes = .allocate(byteCount: count, alignment: isLarge ? Self.hugePage : 16)
    #if os(Linux)
      if isLarge { _ = unsafe madvise(bytes.baseAddress, count, MADV_HUGEPAGE) }
    #endif
  }

  deinit { unsafe bytes.deallocate() }
}
