import Daybook
import DaybookEvents
import DaybookNATS
import ReplicationSupport

/// Sends batches, one after another, until it is known that the stream has them.
struct EventSender {
    private let outbox: EventOutbox
    private let transport: any EventTransport
    private let failed: @Sendable (any Error) -> Void
    /// The last message of the store, as far as it is known.
    private var last: UInt64 = 0
    /// The end of the last batch with events, if it is known.
    private(set) var previous: EventPosition?
    /// The place after the events that the stream has.
    var place: EventPosition

    init(
        _ outbox: EventOutbox, _ transport: any EventTransport,
        _ failed: @escaping @Sendable (any Error) -> Void
    ) {
        (self.outbox, self.transport, self.failed) = (outbox, transport, failed)
        place = outbox.acknowledged
    }

    /// Reads the end of the sent events. Throws `.historyOfAnotherStore`, `NATSError` for a
    /// closed connection, and `CancellationError`.
    mutating func begin() async throws {
        var delay = RetryDelay()
        while true {
            do {
                return try await readEnd()
            } catch let error as NATSError {
                guard error.code != .closed else { throw error }
                note(error)
                await delay.wait()
                try Task.checkCancellation()
            }
        }
    }

    /// Sends the events of a batch that begins at ``place``, and moves the place. It may move to
    /// another place than the end of the batch, if another shipper of the store has sent events.
    /// Returns whether the stream has the batch.
    ///
    /// Neither a refusal nor a lost answer proves anything, so the end is read before the batch is
    /// sent again. Throws `NATSError` for a batch that no server accepts, and a closed connection;
    /// and the errors of ``begin()``.
    mutating func send(_ batch: EventBatch) async throws -> Bool {
        guard let end = batch.batchEnd else { return false }
        let parts = parts(of: batch.bytes)
        var delay = RetryDelay()
        while true {
            try Task.checkCancellation()
            do {
                last = try await transport.append(
                    parts, of: batch.store, end: end, after: last)
                place = batch.end
                previous = batch.end
                return true
            } catch {
                guard ![.messageTooLarge, .invalidArgument, .closed].contains(error.code) else {
                    throw error
                }
                note(error)
            }
            do {
                try await readEnd()
                if place > batch.start { return place == batch.end }
            } catch let error as NATSError {
                note(error)
            }
            await delay.wait()
        }
    }

    /// Reads the last message of the store, and moves the place after its events.
    private mutating func readEnd() async throws {
        guard let found = try await transport.last(of: outbox.storeIdentity) else {
            // A collector has removed the messages, or the server that answered has none yet.
            last = 0
            return
        }
        guard found.sequence > last else { return noteOlder(found.sequence) }
        olderCount = 0
        if let end = found.end {
            let outbox = outbox
            try await Blocking.run { try outbox.check(end) }
            place = max(place, end.place)
            previous = end.place
        }
        last = found.sequence
    }

    /// The number of answers in succession with the same message before the last one.
    private var olderCount = 0
    private var older: UInt64 = 0

    /// Notes an answer with a message before the last one. The copy of the server that answered may
    /// be old; but if the answers do not change, the stream has lost its end. The stream refuses a
    /// wrong expectation in any case.
    private mutating func noteOlder(_ sequence: UInt64) {
        olderCount = sequence == older ? olderCount + 1 : 1
        older = sequence
        if sequence < last, olderCount >= Self.olderCountMax { last = sequence }
    }

    private static let olderCountMax = 5

    private func parts(of bytes: [UInt8]) -> [[UInt8]] {
        let size = transport.partSizeBytesMax
        return stride(from: 0, to: bytes.count, by: size).map { start in
            Array(bytes[start..<min(start + size, bytes.count)])
        }
    }

    private func note(_ error: NATSError) {
        // A request that a cancellation ended is no failure.
        if !Task.isCancelled { failed(error) }
    }
}
