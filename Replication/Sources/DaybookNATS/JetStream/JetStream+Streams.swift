extension JetStream {
    /// Creates a stream and returns its state.
    ///
    /// It is not an error if a stream of the same name and configuration exists. Throws
    /// `.invalidArgument`, `.refused` with 10058 for another configuration, and the errors of a
    /// request. One round trip, plus the election of a leader.
    @discardableResult
    public func createStream(
        _ configuration: StreamConfiguration
    ) async throws(NATSError) -> StreamInfo {
        try configuration.check()
        return try await call("STREAM.CREATE.\(configuration.name)", configuration)
    }

    /// Changes the configuration of a stream and returns its state.
    ///
    /// Throws `.streamNotFound`, `.refused` for a change that the server does not permit, and the
    /// errors of a request.
    @discardableResult
    public func updateStream(
        _ configuration: StreamConfiguration
    ) async throws(NATSError) -> StreamInfo {
        try configuration.check()
        return try await call("STREAM.UPDATE.\(configuration.name)", configuration)
    }

    /// Returns the configuration and state of a stream. Throws `.streamNotFound` and the errors of
    /// a request.
    public func stream(named name: String) async throws(NATSError) -> StreamInfo {
        try NATSSubject.checkName(name, of: "stream")
        return try await call("STREAM.INFO.\(name)", Empty())
    }

    /// Removes all messages with a sequence below `sequence`. Returns the count of these messages.
    /// `subject` limits them to a subject, which may have wildcards.
    ///
    /// Sequences are never used again. It is not an error if there is no such message. Throws
    /// `.streamNotFound`, `.invalidArgument` for 0 and for more than the last sequence plus one,
    /// `.refused` if the stream denies it, and the errors of a request. Two round trips.
    @discardableResult
    public func purge(
        stream: String, below sequence: UInt64, on subject: String? = nil
    ) async throws(NATSError) -> UInt64 {
        try NATSSubject.checkName(stream, of: "stream")
        if let subject { try NATSSubject.checkSubscribe(subject) }
        // The server removes all messages for 0 and 1. For a sequence above its last one it
        // continues with that sequence, so that later appends expect another number.
        let lastSequence = try await self.stream(named: stream).state.lastSequence
        guard sequence > 0, sequence - 1 <= lastSequence else {
            throw NATSError(
                .invalidArgument,
                "A purge below \(sequence) of \(stream), whose last sequence is \(lastSequence),"
                    + " is refused. Use 1 up to the last sequence plus one.")
        }
        if sequence == 1 { return 0 }
        let answer: Purged = try await call(
            "STREAM.PURGE.\(stream)", Purge(seq: sequence, filter: subject))
        return answer.purged ?? 0
    }

    /// Deletes a stream with all its messages. Throws `.streamNotFound` and the errors of a
    /// request.
    public func deleteStream(named name: String) async throws(NATSError) {
        try NATSSubject.checkName(name, of: "stream")
        let _: Success = try await call("STREAM.DELETE.\(name)", Empty())
    }

    struct Empty: Encodable {}

    struct Success: Decodable {
        var success: Bool?
    }

    private struct Purge: Encodable {
        var seq: UInt64
        var filter: String?
    }

    private struct Purged: Decodable {
        var purged: UInt64?
    }
}
