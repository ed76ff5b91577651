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
        by: controlGroupLimits(groups: text(of: "/proc/self/cgroup") ?? "", reading: text(of:)))

    /// The size that follows from the physical memory and the limits.
    package static func limited(physicalBytes: Int, by limits: [Int]) -> Int {
        limits.reduce(physicalBytes) { min($0, $1) }
    }

    /// The memory limits of a Linux control group and of the groups above it, in bytes.
    ///
    /// - Parameters:
    ///   - groups: the content of `/proc/self/cgroup`: lines `0::/path` for version 2, and
    ///     `number:memory,…:/path` for version 1.
    ///   - read: returns the text of a file, nil if there is none.
    package static func controlGroupLimits(
        groups: String, reading read: (String) -> String?
    ) -> [Int] {
        var limits: [Int] = []
        for line in groups.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isSecond = parts[1].isEmpty
            guard isSecond || parts[1].split(separator: ",").contains("memory") else { continue }
            let root = isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
            let name = isSecond ? "memory.max" : "memory.limit_in_bytes"
            // In a container, the path may be that of the host. Then only the root exists.
            var path = parts[2].split(separator: "/").prefix(depthMax)
            while true {
                let directory = path.reduce(root) { $0 + "/" + $1 }
                if let limit = read(directory + "/" + name).flatMap(limit(in:)) {
                    limits.append(limit)
                }
                if path.popLast() == nil { break }
            }
        }
        return limits
    }

    /// The number of groups above another that are examined.
    private static let depthMax = 32

    /// The limit in a file; nil for `max` and for anything that is not a positive number.
    private static func limit(in text: String) -> Int? {
        guard let line = text.split(whereSeparator: \.isWhitespace).first, let limit = Int(line),
            limit > 0
        else { return nil }
        return limit
    }

    private static func text(of path: String) -> String? {
        guard let file = try? RealFileSystem().open(path, .read) else { return nil }
        defer { file.close() }
        return (try? file.read(64 << 10, at: 0)).map { String(decoding: $0, as: UTF8.self) }
    }

    #if canImport(Darwin)
    private static var physicalBytes: Int {
        var bytes: UInt64 = 0
        var length = MemoryLayout<UInt64>.size
        // SAFETY: the kernel writes at most `length` bytes, which is the size of the variable.
        let status = unsafe sysctlbyname("hw.memsize", &bytes, &length, nil, 0)
        return status == 0 ? Int(clamping: bytes) : 0
    }
    #else
    private static var physicalBytes: Int {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageBytes = sysconf(Int32(_SC_PAGESIZE))
        guard pages > 0, pageBytes > 0 else { return 0 }
        let (bytes, isTooMany) = Int(pages).multipliedReportingOverflow(by: Int(pageBytes))
        return isTooMany ? .max : bytes
    }
    #endif
}
