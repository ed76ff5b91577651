public import DaybookNATS

/// A NATS stream with the events of many stores. Each store has a subject, named by its identity.
///
/// A device publishes to its subject `daybook.events.STREAM.IDENTITY`, reads the last message there
/// with `$JS.API.DIRECT.GET.STREAM.daybook.events.STREAM.IDENTITY`, and subscribes below
/// `NATSOptions.inboxPrefix`. It needs no other permission.
public struct EventStream: Sendable {
    /// The client of the servers.
    public var jetStream: JetStream
    /// The name of the stream: one token.
    public let name: String

    /// Names the stream.
    public init(_ jetStream: JetStream, name: String) {
        self.jetStream = jetStream
        self.name = name
    }

    /// Creates the stream, if it does not exist, with copies on `replicaCount` servers: 1, 3 or 5.
    ///
    /// A full stream refuses messages, and the events stay in their stores. Start the servers with
    /// `sync_interval: always`, so that the loss of power on all of them loses no event. Throws
    /// `NATSError`.
    public func create(replicaCount: Int = 3) async throws {
        var configuration = StreamConfiguration(
            name: name, subjects: [JetStreamEvents.subject(of: "*", in: name)])
        configuration.replicaCount = replicaCount
        try await jetStream.createStream(configuration)
    }

    var transport: any EventTransport { JetStreamEvents(jetStream: jetStream, name: name) }
}
