import Daybook
import DaybookEvents

/// Makes batches of messages.
struct EventAssembler {
    enum Step {
        /// The message completes a batch.
        case batch(EventBatch)
        /// More parts of a batch follow.
        case incomplete
        /// The message is no batch, or a part whose others are missing.
        case foreign
    }

    /// The last message before an incomplete batch: the place from which a reader can continue.
    private(set) var place: UInt64
    /// The parts of an incomplete batch.
    private var parts: [EventMessage] = []

    /// The maximum number of parts. No batch is longer.
    private static let partCountMax = 1000

    /// Begins after a message.
    init(after sequence: UInt64) { place = sequence }

    /// Adds the next message. Throws `.formatTooNew` for a batch of a newer release.
    mutating func add(_ message: EventMessage) throws(DaybookError) -> Step {
        if let last = parts.last, !message.follows(last) { parts = [] }
        let isExpected =
            message.part == parts.count + 1 && message.part <= message.partCount
            && message.partCount <= Self.partCountMax
        guard isExpected else { return skip(message) }
        parts.append(message)
        guard message.part == message.partCount else { return .incomplete }
        let bytes = parts.flatMap(\.bytes)
        let batch: EventBatch
        do throws(DaybookError) {
            batch = try EventBatch(decoding: bytes)
        } catch {
            guard error.code == .corruption else { throw error }
            return skip(message)
        }
        guard batch.store == message.store else { return skip(message) }
        parts = []
        place = message.sequence
        return .batch(batch)
    }

    private mutating func skip(_ message: EventMessage) -> Step {
        parts = []
        place = message.sequence
        return .foreign
    }
}

extension EventMessage {
    /// Whether the message can be the part after another one.
    fileprivate func follows(_ last: EventMessage) -> Bool {
        store == last.store && partCount == last.partCount && part == last.part + 1
            && sequence == last.sequence + 1
    }
}
