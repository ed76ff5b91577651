import NIOCore

/// The frames of a replicated log that count, as a reader finds out from one message after another.
///
/// A message counts if it is a frame of this store and names the hash of the last frame that
/// counted. Every reader skips the same messages, so all readers agree, whatever a foreign or late
/// writer adds to the stream.
struct ReplicationChain: Sendable {
    /// The effect of a message.
    enum Step: Sendable, Equatable {
        /// The message does not count.
        case skipped
        /// A writer took over. Transactions whose last part is missing do not count.
        case claimed
        /// The writer is alive.
        case alive
        /// A part of transactions, whose last part follows.
        case part
        /// Whole transactions after a sequence, encoded.
        case transactions(ByteBuffer, afterSequence: UInt64)
    }

    /// The identity of the store, a UUID.
    let store: String
    /// The sequence of the last message in the stream, whether it counted or not.
    private(set) var streamSequence: UInt64
    /// The sequence of the last frame that counted.
    private(set) var frameSequence: UInt64
    /// The last frame that is no part of transactions whose last part is missing: a reader may
    /// begin after it.
    private(set) var start: (frameSequence: UInt64, hash: FrameHash)
    /// The hash of the last frame that counted.
    private(set) var hash: FrameHash
    /// The number of the last claim; 0 before the first one.
    private(set) var term: UInt64
    /// The current writer.
    private(set) var writer: UInt64
    /// The last sequence of the whole transactions.
    private(set) var lastSequence: UInt64
    /// The number of messages that did not count.
    private(set) var skippedCount = 0
    /// The parts of transactions whose last part is missing.
    private var parts = ByteBuffer()
    private var partCount: UInt32 = 0

    /// The beginning of a log, after a message of its stream.
    init(store: String, afterMessage sequence: UInt64 = 0) {
        self.store = store
        streamSequence = sequence
        frameSequence = 0
        hash = .none
        start = (0, .none)
        term = 0
        writer = 0
        lastSequence = 0
    }

    /// Continues after a frame that ended a claim or whole transactions.
    init(store: String, after place: ReplicaPlace) {
        self.store = store
        streamSequence = place.streamSequence
        frameSequence = place.streamSequence
        hash = place.hash
        start = (place.streamSequence, place.hash)
        term = place.term
        writer = place.writer
        lastSequence = place.lastSequence
    }

    /// Whether the last frame that counted ended whole transactions or was a claim.
    var isWhole: Bool { partCount == 0 }

    /// Whether a message is a frame of another store.
    func isOther(_ message: ByteBuffer) -> Bool {
        ReplicationFrame(decoding: message).map { $0.store != store } ?? false
    }

    /// Reads the next message of the stream.
    mutating func accept(_ message: ByteBuffer, at sequence: UInt64) -> Step {
        streamSequence = sequence
        guard let frame = ReplicationFrame(decoding: message), frame.store == store,
            frame.predecessor == hash
        else { return skip() }
        switch frame.kind {
        case .claim:
            guard frame.term == term + 1, frame.afterSequence == lastSequence else {
                return skip()
            }
            forgetParts()
            term = frame.term
            writer = frame.writer
            count(FrameHash(of: message))
            return .claimed
        case .transactions:
            guard frame.term == term, frame.writer == writer,
                frame.afterSequence == lastSequence, frame.part == partCount
            else { return skip() }
            return add(frame, FrameHash(of: message))
        case .alive:
            guard frame.term == term, frame.writer == writer, isWhole,
                frame.afterSequence == lastSequence
            else { return skip() }
            count(FrameHash(of: message))
            return .alive
        }
    }

    private mutating func add(_ frame: ReplicationFrame, _ hash: FrameHash) -> Step {
        parts.writeImmutableBuffer(frame.payload)
        partCount += 1
        guard partCount == frame.partCount else {
            count(hash)
            return .part
        }
        let transactions = parts
        forgetParts()
        count(hash)
        lastSequence = frame.lastSequence
        return .transactions(transactions, afterSequence: frame.afterSequence)
    }

    private mutating func count(_ hash: FrameHash) {
        self.hash = hash
        frameSequence = streamSequence
        if isWhole { start = (frameSequence, hash) }
    }

    private mutating func skip() -> Step {
        skippedCount += 1
        return .skipped
    }

    private mutating func forgetParts() {
        parts = ByteBuffer()
        partCount = 0
    }
}
