import DaybookRecords
import Synchronization

/// The commit records of large transactions that were read last; on any thread.
///
/// The version of an object is in one frame of its transaction, and the commit record in the last
/// one. The versions of other objects of the transaction need the same commit record. It never
/// changes; a compaction drops it only together with all versions of the transaction.
final class CommitRecordCache: Sendable {
    private static let countMax = 1_024
    /// The limit of the metadata in bytes.
    private static let metadataBytesMax = 1 << 20

    private struct State {
        var records: [UInt64: CommitRecord] = [:]
        /// The sequences of the records, the newest at the end.
        var order: [UInt64] = []
        var metadataBytes = 0
    }

    private let state = Mutex(State())

    /// The commit record of a transaction, if it is kept.
    subscript(sequence: UInt64) -> CommitRecord? { state.withLock { $0.records[sequence] } }

    func keep(_ commit: CommitRecord) {
        state.withLock { state in
            guard state.records.updateValue(commit, forKey: commit.sequence) == nil else { return }
            state.order.append(commit.sequence)
            state.metadataBytes += commit.metadataBytes
            guard
                state.order.count > Self.countMax || state.metadataBytes > Self.metadataBytesMax
            else { return }
            // The older half, so that the cost of a removal is constant on average.
            for sequence in state.order.prefix(state.order.count / 2) {
                guard let old = state.records.removeValue(forKey: sequence) else { continue }
                state.metadataBytes -= old.metadataBytes
            }
            state.order.removeFirst(state.order.count / 2)
        }
    }

    func removeAll() { state.withLock { $0 = State() } }
}

extension CommitRecord {
    fileprivate var metadataBytes: Int {
        metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
}
