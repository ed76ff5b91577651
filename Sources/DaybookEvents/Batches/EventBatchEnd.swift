/// The end of a batch: its place, and the last commit with events. With it, a store finds where to
/// continue, and whether it has sent these events.
public struct EventBatchEnd: Sendable, Hashable {
    /// The place after the batch.
    public var place: EventPosition
    /// The last commit with events.
    public var lastCommit: UInt64
    /// The time of that commit in microseconds since 1970.
    public var lastCommitMicroseconds: Int64

    init(place: EventPosition, lastCommit: UInt64, lastCommitMicroseconds: Int64) {
        self.place = place
        self.lastCommit = lastCommit
        self.lastCommitMicroseconds = lastCommitMicroseconds
    }
}

extension EventBatchEnd: LosslessStringConvertible {
    /// Four numbers with commas, for the header of a message.
    public var description: String {
        "\(place.sequence),\(place.index),\(lastCommit),\(lastCommitMicroseconds)"
    }

    /// Parses a ``description``. Nil for any other text.
    public init?(_ description: String) {
        let parts = description.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 4, let sequence = UInt64(parts[0]), let index = UInt64(parts[1]),
            let commit = UInt64(parts[2]), let time = Int64(parts[3]), sequence > 0
        else { return nil }
        self.init(
            place: EventPosition(sequence: sequence, index: index), lastCommit: commit,
            lastCommitMicroseconds: time)
        guard self.description == description else { return nil }
    }
}
