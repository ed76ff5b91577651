/// The configuration and state of a stream, as one server knows them.
///
/// The state may be old: see ``JetStream``.
public struct StreamInfo: Sendable, Hashable, Decodable {
    /// The messages of a stream.
    public struct State: Sendable, Hashable, Decodable {
        /// The count of messages.
        public var messageCount: UInt64
        /// The length of the messages with their administration.
        public var sizeBytes: UInt64
        /// The sequence of the first message, or of the next one if there is none.
        public var firstSequence: UInt64
        /// The sequence of the last message that the stream ever had; 0 for none.
        public var lastSequence: UInt64

        private enum CodingKeys: String, CodingKey {
            case messageCount = "messages"
            case sizeBytes = "bytes"
            case firstSequence = "first_seq"
            case lastSequence = "last_seq"
        }
    }

    /// The servers that have a copy.
    public struct Cluster: Sendable, Hashable, Decodable {
        /// The name of the server that leads; nil while there is none.
        public var leader: String?
        /// The other servers; nil for a stream with one copy.
        public var replicas: [Replica]?
    }

    /// A server that follows the leader.
    public struct Replica: Sendable, Hashable, Decodable {
        /// The name of the server.
        public var name: String
        /// Whether the server has all messages, as far as the leader knows.
        public var isCurrent: Bool
        /// The count of operations that the server does not have; nil for none.
        public var lag: UInt64?

        private enum CodingKeys: String, CodingKey {
            case name, lag
            case isCurrent = "current"
        }
    }

    /// The configuration.
    public var configuration: StreamConfiguration
    /// The state.
    public var state: State
    /// The servers; nil if the server is not in a cluster.
    public var cluster: Cluster?
    /// The time of the creation as RFC 3339. A stream that replaces a deleted one has another.
    public var creationTime: String

    private enum CodingKeys: String, CodingKey {
        case state, cluster
        case configuration = "config"
        case creationTime = "created"
    }
}
