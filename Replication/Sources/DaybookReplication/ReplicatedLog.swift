import Daybook
public import DaybookNATS

/// The log of a store on NATS servers: a stream, or a subject of a ``SharedStream``.
public struct ReplicatedLog: Sendable {
    /// The client of the servers. All replicas in a process may share it.
    public var jetStream: JetStream
    /// The name of the stream: one token.
    public let stream: String
    /// The name of the log in a shared stream; nil if the stream contains this log only.
    public let name: String?

    /// Names the log in a stream of its own.
    public init(_ jetStream: JetStream, stream: String) {
        self.init(jetStream, stream: stream, name: nil)
    }

    init(_ jetStream: JetStream, stream: String, name: String?) {
        self.jetStream = jetStream
        self.stream = stream
        self.name = name
    }

    /// The subject of the messages.
    public var subject: String { name.map { "daybook.\(stream).\($0)" } ?? "daybook.\(stream)" }

    /// Creates the stream, if it does not exist, with copies on `replicaCount` servers: 1, 3 or 5.
    ///
    /// The stream refuses to remove single messages, and refuses new ones if it is full. Start the
    /// servers with `sync_interval: always`; otherwise the loss of power on all of them may lose
    /// the commits of two minutes. Throws `NATSError`.
    public func create(replicaCount: Int = 3) async throws {
        guard name == nil else {
            return try await SharedStream(jetStream, name: stream).create(
                replicaCount: replicaCount)
        }
        var configuration = StreamConfiguration(name: stream, subjects: [subject])
        configuration.replicaCount = replicaCount
        try await jetStream.createStream(configuration)
    }

    /// Removes the messages before a place, which a segment of an archive has. Returns their
    /// number.
    ///
    /// A replica whose place is before it needs ``ReplicationOptions/archive`` from then on. Throws
    /// `.invalidArgument` for bytes that are no place, `.streamReplaced` for a place in another
    /// log, and `NATSError`.
    @discardableResult
    public func purge(before place: [UInt8]) async throws -> UInt64 {
        guard let place = ReplicaPlace(decoding: place) else {
            throw DaybookError(
                .invalidArgument, "The bytes are no place in a log. Use those of an archive.")
        }
        guard place.stream == frames.name else {
            throw DaybookError.replaced(
                stream: frames.name, "the place is in the log \(place.stream)")
        }
        // The message of the place stays, so that replicas can check it.
        return try await jetStream.purge(
            stream: stream, below: max(place.streamSequence, 1), on: name.map { _ in subject })
    }

    /// The messages of the log.
    var frames: any FrameStream {
        guard let name else {
            return JetStreamLog(jetStream: jetStream, name: stream, subject: subject)
        }
        return SubjectLog(
            jetStream: jetStream, stream: stream, subject: subject, name: "\(stream).\(name)")
    }
}
