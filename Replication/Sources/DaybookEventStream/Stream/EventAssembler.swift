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

    /// The length of the parts.
    private var sizeBytes = 0

    /// The maximum length of all parts: that of a batch that zstd could not make shorter.
    private static let sizeBytesMax = EventBatch.sizeBytesMax + (1 << 20)

    /// Begins after a message.
    init(after sequence: UInt64) { place = sequence }

    /// Adds the next message. Throws `.formatTooNew` for a batch of a newer release.
    mutating func add(_ message: EventMessage) throws(DaybookError) -> Step {
        if let last = parts.last, !message.follows(last) { removeParts() }
        let isExpected =
            message.part == parts.count + 1 && message.part <= message.partCount
            && sizeBytes + message.bytes.count <= Self.sizeBytesMax
        guard isExpected else { return skip(message) }
        parts.append(message)
        sizeBytes += message.bytes.count
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
        removeParts()
        place = message.sequence
        return .batch(batch)
    }

    private mutating func removeParts() {
        parts = []
        sizeBytes = 0
    }

    private mutating func skip(_ message: EventMessage) -> Step {
        removeParts()
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
