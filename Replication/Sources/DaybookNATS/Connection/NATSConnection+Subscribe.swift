extension NATSConnection {
    /// Subscribes to a subject, which may have the wildcards `*` and `>`.
    ///
    /// Subscribers with the same queue share the messages: each message goes to one of them.
    /// Returns when the server knows the subscription, after one round trip. Throws
    /// `.invalidArgument`, `.permissionDenied`, `.tooManySubscriptions`, `.notConnected`,
    /// `.connectionLost` or `.timeout`.
    public func subscribe(
        to subject: String, queue: String? = nil
    ) async throws(NATSError) -> NATSSubscription {
        try NATSSubject.checkSubscribe(subject)
        if let queue { try NATSSubject.checkName(queue, of: "queue") }
        let session = try core.session()
        let buffer = MessageBuffer(
            subject: subject, sizeBytesMax: core.options.subscriptionBufferSizeBytesMax)
        let id = core.nextId()
        let subscription = NATSSubscription(self, id: id, subject: subject, buffer: buffer)
        core.eventLoop.execute { [core] in
            core.beginSubscription(
                id, .init(subject: subject, queue: queue, buffer: buffer), session)
        }
        let known = Answer<Void>()
        session.ping(known)
        let limit = core.options.requestTimeout
        try await core.wait(for: known, limit) { .timeout("the subscription \(subject)", limit) }
        if let denial = buffer.failure { throw denial }
        return subscription
    }
}
