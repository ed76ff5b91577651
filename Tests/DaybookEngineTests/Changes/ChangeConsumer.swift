import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport

/// A named consumer of a ``ChangeStory``. After each restart of its process it continues after its
/// last acknowledged position and receives later changes again.
struct ChangeConsumer {
    private static let name = "mirror"

    private var subscriber = ChangeSubscriber(seen: 0, isFollowing: false)
    private(set) var acknowledged: UInt64 = 0

    /// The last processed sequence.
    var seen: UInt64 { subscriber.seen }

    /// Reads up to `count` commits. Returns the number of commits read.
    mutating func read(
        _ store: GraphStore, count: Int, _ expected: [UInt64: [String]],
        _ states: [UInt64: ChangeStory.State]
    ) throws -> Int {
        try subscriber.read(store, count: count, expected, states)
    }

    /// Continues with the whole state instead of the dropped changes.
    mutating func startOver(_ store: GraphStore) throws { try subscriber.startOver(store) }

    /// Stores the position durably.
    mutating func acknowledge(_ store: GraphStore) throws {
        try ConsumerStore(store.engine).write(
            ChangePosition(store: store.engine.log.store, sequence: seen), of: Self.name)
        acknowledged = seen
    }

    /// Simulates the end of the process, possibly during an acknowledgement. Returns whether
    /// unacknowledged changes must be delivered again.
    mutating func restart(_ store: GraphStore, within range: ClosedRange<UInt64>) throws -> Bool {
        let position = try ConsumerStore(store.engine).position(of: Self.name)?.sequence ?? 0
        try demand(range.contains(position), "it goes on behind \(position), not in \(range)")
        let given = seen
        acknowledged = position
        subscriber = ChangeSubscriber(seen: position, isFollowing: false)
        return position < given
    }
}
