import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport

/// One that a ``ChangeStory``'s store remembers by a name: after each end of its process it goes on
/// behind what it acknowledged, and is told what it had been told since once more.
struct ChangeConsumer {
    private static let name = "mirror"

    private var subscriber = ChangeSubscriber(seen: 0, isFollowing: false)
    private(set) var acknowledged: UInt64 = 0

    /// The last sequence that it has dealt with.
    var seen: UInt64 { subscriber.seen }

    /// Reads up to `count` commits; returns how many there were.
    mutating func read(
        _ store: GraphStore, count: Int, _ told: [UInt64: [String]],
        _ states: [UInt64: ChangeStory.State]
    ) throws -> Int {
        try subscriber.read(store, count: count, told, states)
    }

    /// Goes on with the state in the place of changes that are gone.
    mutating func beginAgain(_ store: GraphStore) throws { try subscriber.beginAgain(store) }

    /// Durable on return.
    mutating func acknowledge(_ store: GraphStore) throws {
        try ConsumerStore(store.engine).write(
            ChangePosition(store: store.engine.log.store, sequence: seen), of: Self.name)
        acknowledged = seen
    }

    /// The process has ended, maybe within an acknowledgement: returns whether what was given and
    /// not acknowledged is to come again.
    mutating func restart(_ store: GraphStore, within range: ClosedRange<UInt64>) throws -> Bool {
        let position = try ConsumerStore(store.engine).position(of: Self.name)?.sequence ?? 0
        try demand(range.contains(position), "it goes on behind \(position), not in \(range)")
        let given = seen
        acknowledged = position
        subscriber = ChangeSubscriber(seen: position, isFollowing: false)
        return position < given
    }
}
