/// A control group of Linux that limits the memory of the process.
package struct ControlGroup: Sendable {
    private let directory: String
    private let isVersion2: Bool
    package let limitBytes: Int

    /// The groups of this process that have a limit. Read once.
    static let limited = limited(
        groups: SystemText.read("/proc/self/cgroup") ?? "", reading: SystemText.read)

    /// The groups with a limit: the groups of the process, and the groups above these.
    ///
    /// - Parameters:
    ///   - groups: the content of `/proc/self/cgroup`: lines `0::/path` for version 2, and
    ///     `number:memory,…:/path` for version 1.
    ///   - read: returns the text of a file, nil if there is none.
    package static func limited(
        groups: String, reading read: (String) -> String?
    ) -> [ControlGroup] {
        var found: [ControlGroup] = []
        for line in groups.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isVersion2 = parts[1].isEmpty
            guard isVersion2 || parts[1].split(separator: ",").contains("memory") else { continue }
            let root = isVersion2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
            let name = isVersion2 ? "memory.max" : "memory.limit_in_bytes"
            // In a container, the path may be that of the host. Then only the root exists.
            var path = parts[2].split(separator: "/").prefix(depthMax)
            while true {
                let directory = path.reduce(root) { $0 + "/" + $1 }
                if let limit = read(directory + "/" + name).flatMap(number), limit > 0 {
                    found.append(
                        ControlGroup(
                            directory: directory, isVersion2: isVersion2, limitBytes: limit))
                }
                if path.popLast() == nil { break }
            }
        }
        return found
    }

    /// The number of groups above another that are examined.
    private static let depthMax = 32

    /// The part of the limit that is not in use. Cached file contents count as not in use, because
    /// the kernel drops them before it refuses memory. Nil if the group does not report its use.
    package func availableBytes(reading read: (String) -> String?) -> Int? {
        let name = isVersion2 ? "memory.current" : "memory.usage_in_bytes"
        guard let used = read(directory + "/" + name).flatMap(Self.number), used >= 0 else {
            return nil
        }
        let statistics = read(directory + "/memory.stat") ?? ""
        // Version 1 counts the groups below in fields of their own.
        let prefix = isVersion2 ? "" : "total_"
        let cached = ["inactive_file", "active_file"]
            .compactMap { SystemText.field(prefix + $0, in: statistics) }
            .reduce(0) { sum, bytes in sum.addingReportingOverflow(max(bytes, 0)).partialValue }
        let inUse = max(0, used - min(used, max(cached, 0)))
        return max(0, limitBytes - min(limitBytes, inUse))
    }

    /// The number in a file; nil for `max` and for anything else that is not a number.
    private static func number(in text: String) -> Int? {
        text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }
}
