internal import NIOCore
internal import Synchronization

/// The messages between the connection and a subscriber: bounded, in order, each delivered once.
final class MessageBuffer: Sendable {
    /// Smaller payloads are copied when they wait, so that they do not retain a receive buffer.
    private static let copiedSizeBytesMax = 4 << 10

    private enum End {
        case open
        case ended(NATSError?)
    }

    private struct State {
        var messages = CircularBuffer<NATSInboundMessage>()
        var sizeBytes = 0
        var waiters: [Answer<NATSInboundMessage?>] = []
        var end = End.open
    }

    private let state = Mutex(State())
    private let name: String
    private let sizeBytesMax: Int

    /// Creates a buffer. Errors name the subject.
    init(subject: String, sizeBytesMax: Int) {
        name = subject
        self.sizeBytesMax = sizeBytesMax
    }

    /// Appends a message. Returns false if the buffer has ended, possibly because of this message.
    func append(_ message: NATSInboundMessage) -> Bool {
        let cost = message.costBytes
        return state.withLock { state in
            guard case .open = state.end else { return false }
            while !state.waiters.isEmpty {
                // A waiter that was cancelled refuses the message.
                if state.waiters.removeFirst().set(.success(message)) { return true }
            }
            guard state.sizeBytes + cost <= sizeBytesMax else {
                state.end = .ended(slowConsumer())
                return false
            }
            var copy = message
            if message.payload.readableBytes < Self.copiedSizeBytesMax {
                copy.payload = ByteBuffer(bytes: message.payload.readableBytesView)
            }
            state.messages.append(copy)
            state.sizeBytes += cost
            return true
        }
    }

    /// Ends the buffer after the messages that it has. Only the first end counts.
    func finish(_ error: NATSError?) {
        let waiters = state.withLock { state in
            guard case .open = state.end else { return [Answer<NATSInboundMessage?>]() }
            state.end = .ended(error)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.set(error.map { .failure($0) } ?? .success(nil)) }
    }

    /// The error that ended the buffer; nil if there is none.
    var failure: NATSError? {
        state.withLock { state in
            if case .ended(let error) = state.end { error } else { nil }
        }
    }

    /// Returns the next message; nil at the end. Throws the error that ended the buffer, or
    /// `.cancelled`.
    func next() async throws(NATSError) -> NATSInboundMessage? {
        let waiter = Answer<NATSInboundMessage?>()
        let ready = state.withLock { state -> Result<NATSInboundMessage?, NATSError>? in
            if let message = state.messages.popFirst() {
                state.sizeBytes -= message.costBytes
                return .success(message)
            }
            if case .ended(let error) = state.end {
                return error.map { .failure($0) } ?? .success(nil)
            }
            state.waiters.append(waiter)
            return nil
        }
        if let ready { return try ready.get() }
        do throws(NATSError) {
            return try await waiter.get()
        } catch {
            state.withLock { state in state.waiters.removeAll { $0 === waiter } }
            throw error
        }
    }

    private func slowConsumer() -> NATSError {
        NATSError(
            .slowConsumer,
            "The subscriber of \(name) did not read fast enough: its buffer of \(sizeBytesMax)"
                + " bytes is full. Read faster, raise the limit, or pull messages instead.")
    }
}
