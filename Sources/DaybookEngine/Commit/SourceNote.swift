import DaybookRecords

/// The origin of events that were collected from another store, in the metadata of their commit.
package struct SourceNote: Sendable {
    /// The key of the identity of the other store.
    package static let storeKey = PendingMetadata.ownPrefix + "source"
    /// The key of the first and the last commit in the other store: `12`, or `12-40`.
    package static let commitsKey = PendingMetadata.ownPrefix + "sourceCommits"
    /// The key of the time of the last of these commits, as RFC 3339.
    package static let timeKey = PendingMetadata.ownPrefix + "sourceTime"

    private let store: String
    private let commits: ClosedRange<UInt64>
    private let timeMicroseconds: Int64

    /// - Parameter timeMicroseconds: the time of the last commit, in microseconds since 1970.
    package init(store: String, commits: ClosedRange<UInt64>, timeMicroseconds: Int64) {
        (self.store, self.commits) = (store, commits)
        self.timeMicroseconds = timeMicroseconds
    }

    /// The pairs of the commit.
    fileprivate var pairs: [(key: String, value: String)] {
        let time = JSONText.momentText(microseconds: timeMicroseconds)
        return [
            (Self.storeKey, store), (Self.commitsKey, PendingMetadata.text(commits)),
            (Self.timeKey, time ?? "\(timeMicroseconds)"),
        ]
    }

    /// The pairs of a program, without the reserved keys of another store's engine.
    package static func given(_ metadata: [String: String]) -> [String: String] {
        metadata.filter { !$0.key.hasPrefix(PendingMetadata.ownPrefix) }
    }

    /// Whether a program can have given these pairs to a commit.
    package static func canBeGiven(_ metadata: [String: String]) -> Bool {
        given(metadata).count == metadata.count
            && PendingMetadata.lengthBytes(metadata) <= PendingMetadata.lengthBytesMax
    }
}

extension WriteTransaction {
    /// Adds the origin of the transaction's events to the metadata of its commit.
    package func note(_ source: SourceNote) {
        for pair in source.pairs { noted.note(own: pair.key, pair.value) }
    }
}
