internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// The state of a connection that outlives single TCP connections.
///
/// Sessions begin, end and deliver on one event loop, so a subscription is sent exactly once in
/// each session. The lock makes the state readable for other threads.
final class ConnectionCore: Sendable {
    /// The number of the one subscription for all replies.
    static let inboxId: UInt64 = 1

    enum Phase {
        case connecting
        case connected(Session)
        case reconnecting
        case closed
    }

    struct Subscription {
        var subject: String
        var queue: String?
        var buffer: MessageBuffer
        /// Whether the subscription is for the replies to one message, so that it ends with the
        /// session.
        var isForReplies = false
    }

    /// The receiver of the replies to one request.
    struct Reply {
        enum Target {
            case one(Answer<NATSInboundMessage>)
            case many(MessageBuffer)
        }

        var subject: String
        var target: Target
        var timer: Scheduled<Void>?
    }

    struct State {
        var phase = Phase.connecting
        var info = NATSServerInfo()
        var subscriptions: [UInt64: Subscription] = [:]
        var replies: [UInt64: Reply] = [:]
        var lastId = ConnectionCore.inboxId
        var waiters: [Answer<Void>] = []
        var observers: [UInt64: AsyncStream<NATSConnectionState>.Continuation] = [:]
        var observed: NATSConnectionState?
        var reconnection: Task<Void, Never>?
        var tls: NIOSSLContext?
    }

    let options: NATSOptions
    let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    /// The subjects of replies begin with this text.
    let inbox: String
    let state = Mutex(State())

    init(_ options: NATSOptions) {
        self.options = options
        inbox = "\(options.inboxPrefix).\(ConnectionCore.randomName())."
    }

    /// The server of the current or last session.
    var info: NATSServerInfo { state.withLock { $0.info } }

    /// Returns the session for a message. Throws as `session()`, and `.cancelled` so that a task
    /// that was cancelled sends nothing.
    func sessionForMessage() throws(NATSError) -> Session {
        if Task.isCancelled { throw .cancelledTask }
        return try session()
    }

    /// Returns the current session. Throws `.notConnected`, or `.closed` after `close()`.
    func session() throws(NATSError) -> Session {
        switch state.withLock({ $0.phase }) {
        case .connected(let session): return session
        case .closed: throw .closedByCaller
        case .connecting, .reconnecting:
            throw NATSError(
                .notConnected,
                "There is no connection to a server at the moment, so nothing was sent. Wait until"
                    + " the state is connected, then try again.")
        }
    }

    /// Returns the TLS context, made once. Throws `.tlsFailed`.
    func tlsContext() throws(NATSError) -> NIOSSLContext {
        if let context = state.withLock({ $0.tls }) { return context }
        let context = try options.tls.context()
        state.withLock { $0.tls = context }
        return context
    }

    /// Returns the JSON document of CONNECT.
    func greeting(for info: NATSServerInfo, isEncrypted: Bool) throws(NATSError) -> String {
        try ClientGreeting(options, for: info, isEncrypted: isEncrypted).json()
    }

    /// Returns a number that no other subscription, request or observer has.
    func nextId() -> UInt64 {
        state.withLock { state in
            state.lastId += 1
            return state.lastId
        }
    }

    /// Returns 22 random letters and digits.
    static func randomName() -> String {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        var name = ""
        for _ in 0..<22 { name.append(alphabet[Int.random(in: 0..<alphabet.count)]) }
        return name
    }

    func log(_ level: Logger.Level, _ message: @autoclosure () -> String) {
        guard let logger = options.logger else { return }
        let text = message()
        logger.log(level: level, "\(text)")
    }
}
