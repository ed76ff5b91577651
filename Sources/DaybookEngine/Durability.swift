/// The time at which a commit is safe from a power failure. A commit is safe from the death of the
/// process at every level as soon as it returns.
public enum Durability: Sendable, Equatable {
    /// A commit returns, and other readers see it, when it is synced to the disk. Concurrent
    /// commits share a sync. No visible commit can be lost.
    case always
    /// Commits are synced at most this long after they return. A power failure may lose the commits
    /// since the last sync, the newest first, never a part of one.
    case interval(Duration)
    /// Commits are synced by `Store.sync()` and `Store.close()` only. A power failure may lose all
    /// commits since.
    case manual
}

extension Duration {
    /// Whole milliseconds, from 0 to the maximum of 31 bits (24 days); longer durations become the
    /// maximum.
    package var wholeMilliseconds: Int {
        let milliseconds = self / .milliseconds(1)
        return milliseconds >= Double(Int32.max) ? Int(Int32.max) : Int(max(0, milliseconds))
    }
}
