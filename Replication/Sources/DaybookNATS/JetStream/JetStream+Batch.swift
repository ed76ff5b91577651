public import NIOCore

/// A message of an atomic batch.
public struct BatchMessage: Sendable {
    /// The content.
    public var payload: ByteBuffer
    /// The subject, which the stream of the batch must store.
    public var subject: String
    /// The headers.
    public var headers: NATSHeaders

    /// Creates a message.
    public init(
        _ payload: ByteBuffer, to subject: String, headers: NATSHeaders = NATSHeaders()
    ) {
        self.payload = payload
        self.subject = subject
        self.headers = headers
    }
}

extension JetStream {
    /// The maximum count of messages of an atomic batch, a limit of the server.
    public static let batchMessageCountMax = 1000

    /// Appends all messages or none, with consecutive sequences. Returns the place of the last one.
    ///
    /// The stream must allow atomic batches. With `expectedLastSequence`, it stores the batch only
    /// if its last sequence is that one; with `expectedLastSubjectSequence`, only if that is the
    /// last sequence of the subject of the first message (0 for none). The server abandons a batch
    /// after 10 seconds without a message. Throws `.invalidArgument` for no message or too many,
    /// `.wrongLastSequence`, `.refused` for a stream without batches and others, and the errors of
    /// a request. Before the last message is sent, nothing is stored. After that an error may leave
    /// the outcome unknown. Two round trips; one for a single message.
    @discardableResult
    public func publishBatch(
        _ messages: [BatchMessage], expectedStream: String? = nil,
        expectedLastSequence: UInt64? = nil, expectedLastSubjectSequence: UInt64? = nil,
        timeout: Duration? = nil
    ) async throws(NATSError) -> PublishReceipt {
        guard (1...Self.batchMessageCountMax).contains(messages.count) else {
            throw NATSError(
                .invalidArgument,
                "An atomic batch has 1 to \(Self.batchMessageCountMax) messages, not"
                    + " \(messages.count). Divide it.")
        }
        let batch = ConnectionCore.randomName()
        for (index, message) in messages.enumerated() {
            var headers = message.headers
            try headers.set("Nats-Batch-Id", batch)
            try headers.set("Nats-Batch-Sequence", String(index + 1))
            if index == 0, let expectedLastSequence {
                try headers.set("Nats-Expected-Last-Sequence", String(expectedLastSequence))
            }
            if index == 0, let expectedLastSubjectSequence {
                try headers.set(
                    "Nats-Expected-Last-Subject-Sequence", String(expectedLastSubjectSequence))
            }
            if let expectedStream { try headers.set("Nats-Expected-Stream", expectedStream) }
            let isLast = index == messages.count - 1
            // A commit in the headers of the caller would store a part of the batch.
            headers.remove("Nats-Batch-Commit")
            if isLast { try headers.set("Nats-Batch-Commit", "1") }
            // The first answer shows that the stream accepts batches. The others are not needed:
            // the server refuses to commit a batch with a gap.
            guard isLast || index == 0 else {
                try await connection.publish(
                    message.payload, to: message.subject, headers: headers)
                continue
            }
            let reply = try await connection.request(
                message.payload, to: message.subject, headers: headers, timeout: timeout)
            if isLast { return try Self.decode(reply.payload, from: message.subject) }
            try Self.checkAccepted(reply, message.subject)
        }
        throw NATSError(.invalidArgument, "An atomic batch needs a message that commits it.")
    }

    /// Throws the error in the answer to the first message. An empty answer accepts it.
    private static func checkAccepted(
        _ reply: NATSMessage, _ subject: String
    ) throws(NATSError) {
        guard reply.payload.readableBytes > 0 else { return }
        let receipt: PublishReceipt = try decode(reply.payload, from: subject)
        throw NATSError(
            .refused,
            "The stream \(receipt.stream) ignored the batch and stored its first message alone, as"
                + " sequence \(receipt.sequence). Use server 2.12 or later.")
    }
}
