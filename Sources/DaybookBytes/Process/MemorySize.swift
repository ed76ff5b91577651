#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The memory that the process may use.
package enum MemorySize {
    /// The physical memory of the machine, or the limit of the process's control group if that is
    /// lower, in bytes. Read once.
    package static let bytes = limited(
        physicalBytes: physicalBytes,
        by: ControlGroup.limited.map(\.limitBytes))

    /// The size that follows from the physical memory and the limits.
    package static func limited(physicalBytes: Int, by limits: [Int]) -> Int {
        limits.reduce(physicalBytes) { min($0, $1) }
    }

    #if canImport(Darwin)
    static var physicalBytes: Int {
        var bytes: UInt64 = 0
        var length = MemoryLayout<UInt64>.size
        // SAFETY: the kernel writes at most `length` bytes, which is the size of the variable.
        let status = unsafe sysctlbyname("hw.memsize", &bytes, &length, nil, 0)
        return status == 0 ? Int(clamping: bytes) : 0
    }
    #else
    static var physicalBytes: Int {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageBytes = sysconf(Int32(_SC_PAGESIZE))
        guard pages > 0, pageBytes > 0 else { return 0 }
        let (bytes, isTooMany) = Int(pages).multipliedReportingOverflow(by: Int(pageBytes))
        return isTooMany ? .max : bytes
    }
    #endif
}
