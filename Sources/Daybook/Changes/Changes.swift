import DaybookBytes
import DaybookEngine

/// The commits of a store from a position on, first those of the past, then those that come.
///
/// ```swift
/// for try await commit in store.changes(from: position, of: [Order.self]) {
///     for change in commit.changes(of: Order.self) { … }
///     save(commit.position)
/// }
/// ```
///
/// All of it is read from the log: there is no gap and no duplicate where the past ends, across
/// restarts and compactions, and a consumer that is slow holds up nobody and costs no memory. A
/// commit is told once it is durable; by then the boxes show it.
///
/// A commit may be empty. Of a sequence that follows some types alone it then says how far the
/// history goes: after each 1,000 commits without anything for them, and where it has caught up. In
/// one that follows everything it is a commit of the store's own: of its schema, or of a
/// compaction.
///
/// It ends when the store is closed and when the task is cancelled. Going on later from the last
/// position that was dealt with, nothing is missed.
public struct Changes: AsyncSequence, Sendable {
    /// One commit.
    public typealias Element = Commit
    /// Where a sequence begins.
    public typealias Position = ChangePosition

    /// What is done where a compaction has dropped some of the changes that were to follow.
    public enum Truncation: Sendable, Hashable {
        /// The sequence throws `.historyTruncated`.
        case fails
        /// The sequence gives the store's whole state instead, in parts that say so
        /// (``Commit/isState``), and then what follows that.
        case givesState
    }

    let source: ChangeSource

    /// Begins at the position, each time anew.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: ChangeFeed(source)) }

    /// Walks along the commits.
    public struct Iterator: AsyncIteratorProtocol {
        let feed: ChangeFeed

        /// The next commit, waiting for it where there is none yet; nil when the store is closed or
        /// the task was cancelled.
        ///
        /// Throws `.historyTruncated` where a compaction has dropped some of what follows,
        /// `.historyOfAnotherStore` for a position of another store or of one that went another
        /// way, `.entityNotRegistered` and `.invalidArgument` for types and properties that there
        /// are not, `.closed` where the store was closed before the first, `.corruption`.
        public nonisolated(nonsending) mutating func next() async throws -> Commit? {
            guard let commit = try await feed.next() else { return nil }
            return Commit(commit, feed.source.types)
        }
    }
}
