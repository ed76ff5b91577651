#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The memory that caches may take without a shortage in this process or in others.
package enum SpareMemory {
    /// The available memory beyond a reserve, in bytes; negative if less than the reserve is
    /// available. `Int.max` if the system does not report its memory. Cost: some 50 µs.
    ///
    /// The memory is that of the machine, of a control group with a limit on Linux, or of the
    /// process on Apple's devices: the lowest number counts.
    package static var bytes: Int {
        #if canImport(Darwin)
        return bytes(ofMachine: availablePercentage.map { MemorySize.physicalBytes / 100 * $0 })
        #else
        return bytes(
            ofMachine: SystemText.read("/proc/meminfo").flatMap(availableBytes(meminfo:)))
        #endif
    }

    private static func bytes(ofMachine available: Int?) -> Int {
        var spare = available.map { bytes(available: $0, of: MemorySize.physicalBytes) } ?? .max
        for group in ControlGroup.limited {
            guard let available = group.availableBytes(reading: SystemText.read) else { continue }
            spare = min(spare, bytes(available: available, of: group.limitBytes))
        }
        if let limit = MemorySize.processBytes, let left = MemorySize.processBytesLeft {
            spare = min(spare, bytes(available: left, of: max(limit, left)))
        }
        return spare
    }

    /// The available memory beyond the reserve of a machine or a group: an eighth of its
    /// memory, at most 512 MiB.
    package static func bytes(available: Int, of size: Int) -> Int {
        available - min(size / 8, 512 << 20)
    }

    /// The available memory in the content of `/proc/meminfo`, in bytes.
    package static func availableBytes(meminfo: String) -> Int? {
        guard let kibibytes = SystemText.field("MemAvailable:", in: meminfo), kibibytes >= 0,
            kibibytes <= Int.max >> 10
        else { return nil }
        return kibibytes << 10
    }

    #if canImport(Darwin)
    /// The share of the memory that is available, as the command `memory_pressure` prints it.
    private static var availablePercentage: Int? {
        var percentage: Int32 = 0
        var length = MemoryLayout<Int32>.size
        // SAFETY: the kernel writes at most `length` bytes, which is the size of the variable.
        let status = unsafe sysctlbyname(
            "kern.memorystatus_level", &percentage, &length, nil, 0)
        return status == 0 && (0...100).contains(percentage) ? Int(percentage) : nil
    }
    #endif

    /// Returns freed memory to the system. Without this call, the allocator keeps the memory of
    /// small allocations for later ones. Takes some ms per GiB of memory in use.
    package static func releaseFreedMemory() {
        #if canImport(Darwin)
        // Nil means all zones, and 0 means as much as possible.
        _ = malloc_zone_pressure_relief(nil, 0)
        #else
        // The function is an extension of glibc that the module of the C library does not declare.
        // SAFETY: a null handle searches all loaded libraries, and the name ends with a zero.
        guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
        // SAFETY: the function is declared as `int malloc_trim(size_t pad)`.
        let trim = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
        _ = trim(0)
        #endif
    }
}
