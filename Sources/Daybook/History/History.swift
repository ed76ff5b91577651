import DaybookBytes
import DaybookEngine

/// The versions of one object, newest first.
public struct History<E: Entity>: Sendable, RandomAccessCollection {
    private let versions: [Version<E>]
    /// Whether older versions were dropped by a compaction. Where this is false, and no limit was
    /// given, the last version is the one that made the object.
    public let isTruncated: Bool

    /// Reads up to `limit` versions, and what was before the last of them.
    init(
        _ history: consuming ObjectHistory, of id: UInt64, limit: Int, _ types: StoreTypes
    ) throws(DaybookError) {
        var found: [ObjectVersion] = []
        // A negative limit is none at all, and the highest leaves no room for one more.
        while found.count <= limit, let version = try history.next() { found.append(version) }
        isTruncated = history.end == .compacted
        var versions: [Version<E>] = []
        for (index, version) in found.prefix(Swift.max(0, limit)).enumerated() {
            var before = Version<E>.Before.nothing
            if index + 1 < found.count {
                if let row = found[index + 1].row { before = .row(row) }
            } else if version.previous > 0 {
                before = .gone
            }
            versions.append(Version(version, before: before, of: id, types))
        }
        self.versions = versions
    }

    /// The place of the newest version.
    public var startIndex: Int { 0 }
    /// The place behind the oldest version.
    public var endIndex: Int { versions.count }
    /// The version at a place. Cost: O(1).
    public subscript(position: Int) -> Version<E> { versions[position] }
}
