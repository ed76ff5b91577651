import Daybook
import Synchronization

/// The histories that were read last, so that the next page of a history does not read the pages
/// before it again.
final class HistoryCache: Sendable {
    /// An object, and the sequence before which its history continues.
    struct Key: Hashable {
        var entityName: String
        var id: UInt64
        var before: UInt64
    }

    /// The most histories in memory.
    private static let countMax = 8
    private let entries = Mutex<[(key: Key, history: RowHistory)]>([])

    func insert(_ history: RowHistory, at key: Key) {
        entries.withLock { entries in
            entries.removeAll { $0.key == key }
            entries.append((key, history))
            if entries.count > Self.countMax { entries.removeFirst() }
        }
    }

    func history(at key: Key) -> RowHistory? {
        entries.withLock { entries in entries.first { $0.key == key }?.history }
    }
}
