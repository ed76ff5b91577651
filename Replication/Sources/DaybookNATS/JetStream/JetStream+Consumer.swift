extension JetStream {
    /// Creates a consumer that begins at a sequence, or at the first later message.
    ///
    /// `subject` limits the messages to a subject, which may have wildcards. The consumer has one
    /// copy in the memory of a server. Throws `.streamNotFound`, `.invalidArgument` and the errors
    /// of a request. One round trip.
    public func pullConsumer(
        of stream: String, from sequence: UInt64, on subject: String? = nil
    ) async throws(NATSError) -> PullConsumer {
        try NATSSubject.checkName(stream, of: "stream")
        if let subject { try NATSSubject.checkSubscribe(subject) }
        let name = ConnectionCore.randomName()
        let configuration = ConsumerConfiguration(
            name: name, opt_start_seq: max(sequence, 1), filter_subject: subject)
        let _: Created = try await call(
            "CONSUMER.CREATE.\(stream).\(name)",
            CreateConsumer(stream_name: stream, config: configuration))
        return PullConsumer(self, stream: stream, name: name)
    }

    /// The request, with the names of the protocol.
    private struct CreateConsumer: Encodable {
        var stream_name: String
        var action = "create"
        var config: ConsumerConfiguration
    }

    private struct ConsumerConfiguration: Encodable {
        var name: String
        var deliver_policy = "by_start_sequence"
        var opt_start_seq: UInt64
        var filter_subject: String?
        var ack_policy = "none"
        var replay_policy = "instant"
        var num_replicas = 1
        var mem_storage = true
        var inactive_threshold = Duration.seconds(300).nanosecondCount
    }

    private struct Created: Decodable {
        var name: String?
    }
}
