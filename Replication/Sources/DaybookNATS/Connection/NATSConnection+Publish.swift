public import NIOCore

extension NATSConnection {
    /// Publishes a message to all current subscribers.
    ///
    /// Returns when the operating system has the bytes, which says nothing about subscribers; use
    /// `flush()` or a request for an answer. Throws `.invalidArgument` for a subject that is not
    /// valid, `.invalidHeader`, `.messageTooLarge`, `.notConnected` or `.sendBufferFull` if
    /// nothing was sent, and `.connectionLost` if that is unknown.
    public func publish(
        _ payload: ByteBuffer, to subject: String, headers: NATSHeaders = NATSHeaders(),
        replyTo: String? = nil
    ) async throws(NATSError) {
        try NATSSubject.checkPublish(subject)
        if let replyTo { try NATSSubject.checkPublish(replyTo) }
        let head = try head(subject, replyTo: replyTo, headers: headers, payload: payload)
        let session = try session(for: head, payload)
        let written = Answer<Void>()
        session.write(head: head, payload: payload).whenComplete { result in
            written.set(result.mapError(Self.unwritten))
        }
        try await written.get()
    }

    /// Publishes a message and returns the first reply.
    ///
    /// The time limit is the request timeout of the options unless `timeout` is given. Throws the
    /// errors of `publish`, `.noResponders` if no subscriber exists, `.timeout`, `.connectionLost`
    /// and `.permissionDenied`. A request that ended leaves nothing behind, whatever its outcome.
    public func request(
        _ payload: ByteBuffer, to subject: String, headers: NATSHeaders = NATSHeaders(),
        timeout: Duration? = nil
    ) async throws(NATSError) -> NATSMessage {
        let answer = Answer<NATSInboundMessage>()
        let id = core.beginReply(to: subject, .one(answer))
        defer { core.endReply(id) }
        try send(payload, to: subject, headers: headers, replyId: id, timeout: timeout)
        return NATSMessage(try await answer.get())
    }

    /// Publishes a message and gives all replies to `body`, until it returns.
    ///
    /// The time limit is for all replies together.
    func requestMany<Value>(
        _ payload: ByteBuffer, to subject: String, bufferSizeBytesMax: Int, timeout: Duration,
        _ body: (MessageBuffer) async throws(NATSError) -> Value
    ) async throws(NATSError) -> Value {
        let buffer = MessageBuffer(subject: subject, sizeBytesMax: bufferSizeBytesMax)
        let id = core.beginReply(to: subject, .many(buffer))
        defer { core.endReply(id) }
        try send(payload, to: subject, headers: NATSHeaders(), replyId: id, timeout: timeout)
        return try await body(buffer)
    }

    /// Publishes a message with an inbox of its own and gives all messages that arrive there to
    /// `body`, until it returns.
    ///
    /// A consumer sends its messages with their own subjects, so only the number of the
    /// subscription shows to which request they belong.
    func requestFromInbox<Value>(
        _ payload: ByteBuffer, to subject: String, bufferSizeBytesMax: Int, timeout: Duration,
        _ body: (MessageBuffer) async throws(NATSError) -> Value
    ) async throws(NATSError) -> Value {
        let buffer = MessageBuffer(subject: subject, sizeBytesMax: bufferSizeBytesMax)
        let id = core.nextId()
        // Two tokens, so that the subscription for all replies does not match.
        let inbox = core.inbox + "pull.\(id)"
        let head = try head(subject, replyTo: inbox, headers: NATSHeaders(), payload: payload)
        let session = try session(for: head, payload)
        defer { core.eventLoop.execute { [core] in core.unsubscribe(id) } }
        core.eventLoop.execute { [core] in
            core.beginSubscription(
                id, .init(subject: inbox, buffer: buffer, isForReplies: true), session)
        }
        session.write(head: head, payload: payload)
        let timer = core.eventLoop.scheduleTask(in: timeout.delay) {
            buffer.finish(.timeout(subject, timeout))
        }
        defer { timer.cancel() }
        return try await body(buffer)
    }

    private func send(
        _ payload: ByteBuffer, to subject: String, headers: NATSHeaders, replyId: UInt64,
        timeout: Duration?
    ) throws(NATSError) {
        try NATSSubject.checkPublish(subject)
        let head = try head(
            subject, replyTo: core.inbox + String(replyId), headers: headers, payload: payload)
        let session = try session(for: head, payload)
        core.send(
            head, payload, in: session, replyId: replyId,
            limit: timeout ?? core.options.requestTimeout)
    }

    /// Returns the session with room for a message, which the caller must write.
    private func session(
        for head: ByteBuffer, _ payload: ByteBuffer
    ) throws(NATSError) -> Session {
        let session = try core.sessionForMessage()
        try session.reserve(
            head.readableBytes + payload.readableBytes,
            sizeBytesMax: core.options.sendBufferSizeBytesMax)
        return session
    }

    private func head(
        _ subject: String, replyTo: String?, headers: NATSHeaders, payload: ByteBuffer
    ) throws(NATSError) -> ByteBuffer {
        let head = try NATSCommand.publishHead(
            subject, replyTo: replyTo, headers: headers, payloadSizeBytes: payload.readableBytes)
        let limit = core.info.payloadSizeBytesMax
        // The server counts the headers, so the control line counts a little too much here.
        let sizeBytes = payload.readableBytes + (headers.count == 0 ? 0 : head.readableBytes)
        guard sizeBytes <= limit else {
            throw NATSError(
                .messageTooLarge,
                "The message to \(subject) has \(sizeBytes) bytes, but the server permits \(limit)."
                    + " Send less, or raise max_payload.")
        }
        return head
    }

    private static func unwritten(_ error: any Error) -> NATSError {
        .connectionLost(
            NATSError(
                .connectionFailed, "A message was not written completely. Check the network.",
                cause: error))
    }
}
