import DaybookBytes
import DaybookEngine

/// The commits of a store after a position: first the past commits, then new ones as they are made.
///
/// ```swift
/// for try await commit in store.changes(from: position, of: [Order.self]) {
///     for change in commit.changes(of: Order.self) { … }
///     save(commit.position)
/// }
/// ```
///
/// All commits are read from the log. There are no gaps and no duplicates between past and new
/// commits, across restarts and compactions. A slow consumer blocks nobody and costs no memory. A
/// commit is delivered after it is durable and visible to reads.
///
/// A commit may be empty. In a sequence of some types, an empty commit reports the progress: after
/// every 1,000 commits without a matching change, and when the sequence has caught up. In a
/// sequence of all types, an empty commit changed only the schema, or is the result of a
/// compaction.
///
/// The sequence ends when the store is closed or the task is cancelled. To continue later without
/// missing a commit, pass the ``Commit/position`` of the last processed commit.
public struct Changes: AsyncSequence, Sendable {
    /// A commit.
    public typealias Element = Commit

    /// The behavior if a compaction has dropped some of the requested changes.
    public enum Truncation: Sendable, Hashable {
        /// The sequence throws `.historyTruncated`.
        case fails
        /// The sequence delivers the store's whole state in parts (``Commit/isState``), followed by
        /// the later commits.
        case givesState
    }

    let source: ChangeSource

    /// Returns an iterator that begins at the position.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: ChangeFeed(source)) }

    /// Iterates over the commits.
    public struct Iterator: AsyncIteratorProtocol {
        let feed: ChangeFeed

        /// Returns the next commit, suspending until there is one; nil when the store is closed or
        /// the task is cancelled.
        ///
        /// Throws `.historyTruncated` if a compaction has dropped some of the following commits,
        /// `.historyOfAnotherStore` for a position of another store or of a diverged copy,
        /// `.entityNotRegistered` and `.invalidArgument` for unknown types and properties,
        /// `.closed` if the store was closed before the first commit, and `.corruption`.
        public nonisolated(nonsending) mutating func next() async throws -> Commit? {
            guard let commit = try await feed.next() else { return nil }
            return Commit(commit, feed.source.types)
        }
    }
}
