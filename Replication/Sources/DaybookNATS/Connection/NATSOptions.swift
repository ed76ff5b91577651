public import Logging

/// Options of a connection.
public struct NATSOptions: Sendable {
    /// The servers of one cluster, tried in this order and then from the start. Many clients
    /// should each use another order. Servers that are not in the list are never used.
    public var servers: [NATSAddress]
    /// The proof of identity. The default is none.
    public var authentication: NATSAuthentication = .none
    /// The use of TLS. By default it follows the addresses and trusts the system's authorities.
    public var tls = NATSTLS()
    /// The beginning of the subjects of replies. The default is `_INBOX`, which all clients share.
    /// A server can permit a client to subscribe below a prefix of its own only, so that it cannot
    /// read the replies to others.
    public var inboxPrefix = "_INBOX"
    /// A name that the server shows in its monitoring and its log.
    public var name = "daybook"

    /// The limit for TCP, TLS and the greeting of one server. The default is 5 seconds. A higher
    /// value delays the attempt with the next server.
    public var connectTimeout: Duration = .seconds(5)
    /// The limit for an answer, unless a call has its own. The default is 5 seconds.
    public var requestTimeout: Duration = .seconds(5)
    /// The time between pings. The default is 5 seconds. A server that does not answer two pings
    /// and sends nothing else is dead, so a higher value detects a silent server later, in at most
    /// three times the value. One that sends other bytes may leave 20 pings without an answer,
    /// because the answers wait behind long messages.
    public var pingInterval: Duration = .seconds(5)
    /// The wait before an attempt to connect again. It begins at the lower bound, doubles with
    /// each failure up to the upper bound, and is then multiplied by a random factor of 0.5 to 1.
    /// The default is 100 milliseconds to 5 seconds.
    public var reconnectDelay: ClosedRange<Duration> = .milliseconds(100) ... .seconds(5)
    /// The limit of the messages that wait for a slow subscriber, for each subscription. Each
    /// message counts its bytes and 256 more. The default is 64 MiB. A subscription that exceeds
    /// the limit ends with `.slowConsumer`.
    public var subscriptionBufferSizeBytesMax = 64 << 20
    /// The limit of the messages that wait for the network. The default is 128 MiB. A call that
    /// would exceed it throws `.sendBufferFull`; a message that waits alone may be longer.
    public var sendBufferSizeBytesMax = 128 << 20
    /// Receives messages about connections; by default, none. They contain no secrets.
    public var logger: Logger?

    /// Creates the default options for some servers.
    public init(servers: [NATSAddress]) { self.servers = servers }

    /// Parses the URLs of servers. Throws `.invalidArgument` as ``NATSAddress/init(_:)``.
    public init(servers: [String]) throws(NATSError) {
        var addresses: [NATSAddress] = []
        for server in servers { addresses.append(try NATSAddress(server)) }
        self.init(servers: addresses)
    }

    /// Throws `.invalidArgument` for a value outside its range.
    func check() throws(NATSError) {
        guard !servers.isEmpty else {
            throw NATSError(.invalidArgument, "The options name no server. Add one address.")
        }
        try NATSSubject.checkPublish(inboxPrefix)
        for server in servers where server.host.isEmpty || !(1...65535).contains(server.port) {
            throw NATSError(
                .invalidArgument,
                "The address \(server) is not possible. Use a host and a port of 1 to 65535.")
        }
        let durations = [
            connectTimeout, requestTimeout, pingInterval, reconnectDelay.lowerBound,
            reconnectDelay.upperBound,
        ]
        let isInRange = durations.allSatisfy { $0 > .zero && $0 == $0.limited }
        guard isInRange, subscriptionBufferSizeBytesMax > 0, sendBufferSizeBytesMax > 0 else {
            throw NATSError(
                .invalidArgument,
                "The options have a time or a limit outside its range. Use times above zero and up"
                    + " to a year, and a limit above zero.")
        }
    }
}
