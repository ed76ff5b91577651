/// The configuration of a stream.
///
/// The defaults are for a log: replicated files, old messages are never dropped, and a full stream
/// refuses messages.
public struct StreamConfiguration: Sendable, Hashable {
    /// Where a server stores messages.
    public enum Storage: String, Sendable, Hashable, Codable {
        /// In files.
        case file
        /// In memory; a restart loses the messages of a server.
        case memory
    }

    /// When messages are removed apart from the limits.
    public enum Retention: String, Sendable, Hashable, Codable {
        /// Only by the limits.
        case limits
        /// When all consumers acknowledged the message.
        case interest
        /// When one consumer acknowledged the message.
        case workqueue
    }

    /// How a server handles a message that exceeds a limit.
    public enum Discard: String, Sendable, Hashable, Codable {
        /// It refuses the message.
        case new
        /// It removes the oldest messages.
        case old
    }

    /// Another stream whose messages this stream copies.
    public struct Source: Sendable, Hashable {
        /// The name of the other stream.
        public var name: String
        /// The first sequence to copy; nil for the first one.
        public var startSequence: UInt64?
        /// The subject to copy, which may have wildcards; nil for all.
        public var filterSubject: String?
        /// The domain of the other stream; nil for that of this stream.
        public var domain: String?

        /// Creates a source that copies all messages.
        public init(name: String) { self.name = name }
    }

    /// The name: one token.
    public var name: String
    /// The subjects that the stream stores; empty for a mirror.
    public var subjects: [String]
    /// A description for people.
    public var description: String?
    /// The count of servers with a copy: 1, 3 or 5. The default is 3. A higher value survives more
    /// failures and slows each append.
    public var replicaCount = 3
    /// The storage. The default is files.
    public var storage = Storage.file
    /// The retention. The default is the limits.
    public var retention = Retention.limits
    /// The handling of a full stream. The default is to refuse messages.
    public var discard = Discard.new
    /// The maximum length of the stored messages; nil for no limit.
    public var sizeBytesMax: Int64?
    /// The maximum count of messages; nil for no limit.
    public var messageCountMax: Int64?
    /// The maximum length of one message; nil for that of the server.
    public var messageSizeBytesMax: Int?
    /// The age at which messages are removed; nil for never.
    public var ageMax: Duration?
    /// Whether the server refuses to remove single messages. The default is true. It cannot be
    /// changed to false later.
    public var deniesDelete = true
    /// Whether the server refuses to purge. The default is false: purging is how a log that is
    /// archived elsewhere becomes shorter. It cannot be changed to false later.
    public var deniesPurge = false
    /// Whether each replica answers reads. The default is true; the reads of ``JetStream`` need it.
    public var allowsDirect = true
    /// Whether atomic batches are accepted. The default is true. A mirror must not accept them, and
    /// servers before 2.12 do not know them.
    public var allowsAtomicBatches = true
    /// How long the server remembers content ids. The default is 2 minutes. A higher value needs
    /// more memory.
    public var duplicateWindow: Duration = .seconds(120)
    /// The stream that this one copies exactly, with its sequences; nil for none.
    public var mirror: Source?
    /// The streams that this one merges.
    public var sources: [Source] = []

    /// Creates a configuration with the defaults of a log.
    public init(name: String, subjects: [String]) {
        self.name = name
        self.subjects = subjects
    }

    /// Throws `.invalidArgument` for a name or a subject that is not valid.
    func check() throws(NATSError) {
        try NATSSubject.checkName(name, of: "stream")
        for subject in subjects { try NATSSubject.checkSubscribe(subject) }
    }
}
