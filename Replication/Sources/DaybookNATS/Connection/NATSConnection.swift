internal import NIOCore

/// A connection to a NATS server that reconnects and restores its subscriptions.
///
/// Only `close()` ends the attempts to reconnect: a server that refuses the authentication may
/// accept it later. While it reconnects, calls throw `.notConnected` at once. It never sends a
/// message twice: a caller decides that.
///
/// A connection may be used by many tasks. It closes when `close()` is called or when the last
/// reference to it and its subscriptions is released.
public final class NATSConnection: Sendable {
    let core: ConnectionCore

    private init(_ core: ConnectionCore) { self.core = core }

    deinit { core.close() }

    /// Connects to the first server of the options that accepts, trying each once.
    ///
    /// Returns after the authentication. Throws `.invalidArgument` for options outside their range,
    /// `.connectionFailed`, `.tlsFailed`, or `.authenticationFailed`. Takes at most twice the
    /// connect timeout for each server.
    public static func connect(
        _ options: NATSOptions
    ) async throws(NATSError) -> NATSConnection {
        try options.check()
        // A seed that is not valid is found before the first attempt.
        if case .nkey(let seed) = options.authentication { _ = try NKey(seed: seed) }
        let core = ConnectionCore(options)
        try await core.connect()
        return NATSConnection(core)
    }

    /// The server of the current session, or of the last one while there is none.
    public var serverInfo: NATSServerInfo { core.info }

    /// The options.
    public var options: NATSOptions { core.options }

    /// The current state and all later ones; ends after `.closed`. A reader that falls behind
    /// misses older states.
    public var states: AsyncStream<NATSConnectionState> { core.states() }

    /// Returns when there is a session, at once if there is one. Throws `.timeout` after the limit
    /// and `.closed` after `close()`.
    public func waitUntilConnected(timeout: Duration) async throws(NATSError) {
        try await core.waitUntilConnected(timeout)
    }

    /// Returns when the server has processed everything that was sent before, in one round trip.
    ///
    /// Throws `.notConnected`, `.connectionLost`, `.timeout` after the request timeout, or
    /// `.closed`.
    public func flush() async throws(NATSError) {
        let session = try core.session()
        let waiter = Answer<Void>()
        session.ping(waiter)
        let limit = core.options.requestTimeout
        try await core.wait(for: waiter, limit) { .timeout("a ping", limit) }
    }

    /// Closes the connection. Requests in flight throw `.closed`. Subscriptions deliver the
    /// messages that they have, then end without an error. A second call does nothing.
    public func close() async {
        guard let session = core.close() else { return }
        try? await session.channel.closeFuture.get()
    }
}
