/// The messages of a subject, in the order of the server.
///
/// Messages that are published while the connection reconnects do not arrive. The sequence ends
/// without an error after ``end()`` or `close()`. It throws `.slowConsumer` after the messages that
/// fit into the buffer, `.permissionDenied`, `.tooManySubscriptions` if the next server permits
/// fewer, or `.cancelled` if the reading task is cancelled.
/// The subscription ends when the last reference to it is released. If several tasks read, each
/// message goes to one of them.
public final class NATSSubscription: AsyncSequence, Sendable {
    /// A message.
    public typealias Element = NATSMessage
    /// The error that ends the sequence.
    public typealias Failure = NATSError

    /// The subject of the subscription.
    public let subject: String

    private let id: UInt64
    private let connection: NATSConnection
    private let buffer: MessageBuffer

    init(_ connection: NATSConnection, id: UInt64, subject: String, buffer: MessageBuffer) {
        self.connection = connection
        self.id = id
        self.subject = subject
        self.buffer = buffer
    }

    deinit { end() }

    /// Ends the subscription after the messages that arrived. A second call does nothing.
    public func end() {
        buffer.finish(nil)
        let core = connection.core
        // On the event loop, so that it follows the beginning of the subscription.
        core.eventLoop.execute { [core, id] in core.unsubscribe(id) }
    }

    /// Returns an iterator over the messages that no iterator returned yet.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

    /// Iterates over the messages of a subscription.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: NATSSubscription

        /// Waits for the next message. Returns nil after the end of the subscription. Throws as
        /// ``NATSSubscription`` describes.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NATSError) -> NATSMessage? {
            try await subscription.buffer.next().map(NATSMessage.init)
        }
    }
}
