/// A place between the events in the log of a store.
public struct EventPosition: Sendable, Hashable, Comparable {
    /// The commit that is read next. All commits before it are before the place.
    public var sequence: UInt64
    /// The number of events of that commit that are before the place.
    public var index: UInt64

    /// The place before all events.
    public static let start = EventPosition(sequence: 1)

    /// Creates a place; without an index, the one between two commits.
    public init(sequence: UInt64, index: UInt64 = 0) {
        (self.sequence, self.index) = (sequence, index)
    }

    /// The place after all events of a commit.
    static func after(_ sequence: UInt64) -> EventPosition {
        EventPosition(sequence: sequence == .max ? .max : sequence + 1)
    }

    /// Orders places as the log does.
    public static func < (one: EventPosition, other: EventPosition) -> Bool {
        (one.sequence, one.index) < (other.sequence, other.index)
    }
}

extension EventPosition: CustomStringConvertible {
    /// The commit, and the number of its events before the place: `12`, or `12+3`.
    public var description: String { index == 0 ? "\(sequence)" : "\(sequence)+\(index)" }
}
