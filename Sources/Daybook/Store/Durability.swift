import DaybookEngine

/// When a commit is safe from a power cut. From the death of the process it is safe at every level
/// as soon as it returns.
public enum Durability: Sendable, Equatable {
    /// A commit returns, and is visible to others, once it is on the disk. Concurrent commits share
    /// one sync. Nothing that anyone saw can be lost.
    case always
    /// On the disk at most this long after it returned. A power cut may take the commits since the
    /// last sync, newest first, never a part of one.
    case interval(Duration)
    /// On the disk after ``Store/sync()`` or ``Store/close()``. A power cut may take all commits
    /// since.
    case manual

    var level: CommitDurability {
        switch self {
        case .always: .always
        case .manual: .manual
        case .interval(let duration):
            .interval(milliseconds: max(1, duration.wholeMilliseconds))
        }
    }
}

extension Duration {
    /// Whole milliseconds, from 0 to what 31 bits hold (24 days): no duration is out of range.
    var wholeMilliseconds: Int {
        let milliseconds = self / .milliseconds(1)
        return milliseconds >= Double(Int32.max) ? Int(Int32.max) : Int(max(0, milliseconds))
    }
}
