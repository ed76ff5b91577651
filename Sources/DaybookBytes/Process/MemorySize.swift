#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

#if canImport(os)
internal import os
#endif

/// The memory that the process may use.
package enum MemorySize {
    /// The physical memory of the machine, or the limit of the process or of its control group if
    /// that is lower, in bytes. Read once.
    package static let bytes = limited(
        physicalBytes: physicalBytes,
        by: ControlGroup.limited.map(\.limitBytes) + (processBytes.map { [$0] } ?? []))

    /// The memory that the system left to the process when it was first read, in bytes: about its
    /// limit. Nil on systems without such a limit.
    static let processBytes = processBytesLeft

    /// The memory that the process may still take before the system ends it, in bytes. Nil on
    /// systems without such a limit. Only Apple's devices have one, which is lower than their
    /// memory and much lower in an extension.
    static var processBytesLeft: Int? {
        #if canImport(Darwin) && !os(macOS) && !targetEnvironment(macCatalyst)
        // Zero means that the process has no limit.
        let left = os_proc_available_memory()
        return left > 0 ? left : nil
        #else
        return nil
        #endif
    }

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
