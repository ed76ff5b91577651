public import NIOCore

extension JetStream {
    /// Appends a message to the stream of a subject and returns its place.
    ///
    /// With `expectedLastSequence`, the stream stores the message only if its last sequence is that
    /// one; with `expectedLastSubjectSequence`, only if that is the last sequence of the subject
    /// (0 for none); with `expectedStream`, only if the stream has that name. `contentId` must be
    /// derived from the content, because the stream stores nothing for an id that it knows, and
    /// answers with the sequence of the first copy. A replicated stream checks the id before the
    /// expectations. A stream with one copy checks it after them, so a retry with an expectation
    /// gets `.wrongLastSequence` although the first attempt was stored.
    ///
    /// Throws `.wrongLastSequence`, `.duplicateInProcess`, `.noResponders` if no stream stores the
    /// subject or a majority is missing, `.refused` for a full stream and others, and the errors
    /// of a request. After an error the outcome may be unknown: see ``JetStream``. One round trip,
    /// plus the replication.
    @discardableResult
    public func publish(
        _ payload: ByteBuffer, to subject: String, headers: NATSHeaders = NATSHeaders(),
        expectedStream: String? = nil, expectedLastSequence: UInt64? = nil,
        expectedLastSubjectSequence: UInt64? = nil, contentId: String? = nil,
        timeout: Duration? = nil
    ) async throws(NATSError) -> PublishReceipt {
        var headers = headers
        if let expectedStream { try headers.set("Nats-Expected-Stream", expectedStream) }
        if let expectedLastSequence {
            try headers.set("Nats-Expected-Last-Sequence", String(expectedLastSequence))
        }
        if let expectedLastSubjectSequence {
            try headers.set(
                "Nats-Expected-Last-Subject-Sequence", String(expectedLastSubjectSequence))
        }
        if let contentId { try headers.set("Nats-Msg-Id", contentId) }
        let reply = try await connection.request(
            payload, to: subject, headers: headers, timeout: timeout)
        return try Self.decode(reply.payload, from: subject)
    }
}
