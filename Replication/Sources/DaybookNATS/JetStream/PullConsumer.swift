internal import NIOCore

/// A reader of a stream that waits at the server for later messages.
///
/// The server keeps the position, in memory, until `delete()`, five minutes without a read, or the
/// end of the server that has it; then reads throw `.consumerNotFound`, and the reader creates
/// another consumer after the last sequence that it has. Messages need no acknowledgement.
/// Use one task for reads, so that the messages stay in order.
public struct PullConsumer: Sendable {
    /// The name of the stream.
    public let stream: String
    /// The name of the consumer.
    public let name: String

    private let jetStream: JetStream

    init(_ jetStream: JetStream, stream: String, name: String) {
        self.jetStream = jetStream
        self.stream = stream
        self.name = name
    }

    /// Returns the next messages: at most `count`, and at most `maxBytes`.
    ///
    /// Returns as soon as `count` messages arrived, or after `timeout` with those until then,
    /// possibly none. A message that alone exceeds `maxBytes` throws `.messageTooLarge`. Also
    /// throws `.consumerNotFound`, `.connectionLost`, `.cancelled`, and `.refused` for limits of
    /// the server. Messages that arrived before an error are lost to this consumer.
    public func next(
        count: Int = 256, maxBytes: Int = 64 << 20, timeout: Duration
    ) async throws(NATSError) -> [StoredMessage] {
        try ReadLimits.check(count: count, sizeBytes: maxBytes)
        guard timeout > .zero else {
            throw NATSError(.invalidArgument, "A pull needs a timeout above zero.")
        }
        let wait = timeout.limited
        let request = Next(batch: count, max_bytes: maxBytes, expires: wait.nanosecondCount)
        let subject = jetStream.prefix + "CONSUMER.MSG.NEXT.\(stream).\(name)"
        let sizeBytesMax = ReadLimits.bufferSizeBytesMax(count: count, sizeBytes: maxBytes)
        return try await jetStream.connection.requestFromInbox(
            try JetStream.json(request), to: subject, bufferSizeBytesMax: sizeBytesMax,
            timeout: wait + jetStream.connection.options.requestTimeout
        ) { buffer throws(NATSError) in
            try await collect(count, sizeBytesMax: sizeBytesMax, buffer, from: subject)
        }
    }

    /// Deletes the consumer. Throws `.consumerNotFound` and the errors of a request.
    public func delete() async throws(NATSError) {
        let _: JetStream.Success = try await jetStream.call(
            "CONSUMER.DELETE.\(stream).\(name)", JetStream.Empty())
    }

    /// Reads messages until the count is reached or a status ends the pull.
    private func collect(
        _ count: Int, sizeBytesMax: Int, _ buffer: MessageBuffer, from subject: String
    ) async throws(NATSError) -> [StoredMessage] {
        var messages: [StoredMessage] = []
        var sizeBytes = 0
        while messages.count < count {
            guard let message = try await buffer.next() else { throw .closedByCaller }
            try ReadLimits.add(message, to: &sizeBytes, sizeBytesMax: sizeBytesMax)
            if StoredMessage.isPulled(message) {
                messages.append(try StoredMessage(pulled: message))
                continue
            }
            switch (message.headers.status, message.headers.statusText?.lowercased() ?? "") {
            case (100, _): break
            case (404, _), (408, _): return messages
            case (503, _): throw notFound()
            case (409, let text) where text.contains("consumer deleted"): throw notFound()
            case (409, let text)
            where text.contains("leadership change") || text.contains("server shutdown"):
                if messages.isEmpty { throw notFound() }
                return messages
            case (409, let text) where text.contains("exceeds maxbytes"):
                if !messages.isEmpty { return messages }
                throw NATSError(
                    .messageTooLarge,
                    "The next message of \(stream) is larger than the limit of the pull. Raise it.")
            case (409, let text) where text.contains("batch completed"): return messages
            case (let status, _):
                throw JetStream.refusal(status, message.headers, subject)
            }
        }
        return messages
    }

    private func notFound() -> NATSError {
        NATSError(
            .consumerNotFound,
            "The consumer \(name) of \(stream) does not exist. Create another one after the last"
                + " sequence.")
    }

    /// The request, with the names of the protocol.
    private struct Next: Encodable {
        var batch: Int
        var max_bytes: Int
        var expires: Int64
    }
}
