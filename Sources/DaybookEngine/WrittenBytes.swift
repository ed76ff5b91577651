/// The bytes that a store has written since it was opened, by purpose. Their sum divided by the
/// bytes of the commits is the write amplification.
///
/// Manifests and the file CURRENT are not counted: a few KiB for each segment.
public struct WrittenBytes: Sendable, Equatable {
    /// The frames of commits.
    public var commits = 0
    /// The segments that the compression of the log wrote. It keeps all history.
    public var compression = 0
    /// The segments that compactions wrote to drop history.
    public var compaction = 0
    /// The snapshots of the indexes.
    public var snapshots = 0

    /// The sum of all purposes.
    public var total: Int { commits + compression + compaction + snapshots }

    /// The bytes that were written for each byte of a commit, 1 or more; nil before the first
    /// commit. The work on commits of earlier openings counts, too.
    public var amplification: Double? {
        commits > 0 ? Double(total) / Double(commits) : nil
    }

    package init() {}
}
