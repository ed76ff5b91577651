internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// The protocol of one TCP connection: greeting, TLS, authentication, and then frames.
///
/// All methods run on the event loop of the channel.
final class SessionHandler: ChannelInboundHandler {
    typealias InboundIn = NATSFrame

    /// The steps of the greeting. The server speaks first.
    private enum Phase {
        case waitingForInfo
        case waitingForTLS
        case waitingForPong
        case ready
        case ended
    }

    /// The maximum count of pings that wait for an answer.
    private static let unansweredPingCountMax = 1000

    private let core: ConnectionCore
    private let session: Session
    private let greeting: Answer<Session>
    private var phase = Phase.waitingForInfo
    private var info = NATSServerInfo()
    private var livenessCheck: RepeatedTask?
    /// The error that explains the end of the connection.
    private var reason: NATSError?
    /// The count of pings that wait for an answer until the server reads again.
    private var unansweredPingCount = 0

    init(core: ConnectionCore, session: Session, greeting: Answer<Session>) {
        self.core = core
        self.session = session
        self.greeting = greeting
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(NATSError) {
            try receive(unwrapInboundIn(data), context)
        } catch {
            end(context, error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent, case .waitingForTLS = phase {
            do throws(NATSError) {
                try authenticate(context)
            } catch {
                end(context, error)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(context, describe(error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(
            context,
            NATSError(
                .connectionFailed,
                "\(session.address) closed the connection. Check the log of the server."))
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, unansweredPingCount > 0 {
            session.write(String(repeating: NATSCommand.pong, count: unansweredPingCount))
            unansweredPingCount = 0
        }
        context.fireChannelWritabilityChanged()
    }

    /// Answers a ping, later if the server does not read. Then the answers only take a number.
    private func answerPing(_ context: ChannelHandlerContext) throws(NATSError) {
        if context.channel.isWritable { return session.write(NATSCommand.pong) }
        unansweredPingCount += 1
        guard unansweredPingCount <= Self.unansweredPingCountMax else {
            throw .malformed("\(session.address) sends pings without reading the answers.")
        }
    }

    private func receive(
        _ frame: NATSFrame, _ context: ChannelHandlerContext
    ) throws(NATSError) {
        // The server closes the connection directly after an error that explains the end.
        reason = nil
        switch (phase, frame) {
        case (.ended, _): break
        case (.waitingForInfo, .info(let info, let trailingByteCount)):
            try greet(info, trailingByteCount: trailingByteCount, context)
        case (.waitingForPong, .pong): try becomeReady(context)
        case (.waitingForPong, .info(let info, _)): self.info = info
        case (.waitingForPong, .ok), (.ready, .ok): break
        case (.waitingForPong, .ping), (.ready, .ping): try answerPing(context)
        case (.waitingForInfo, .error(let text)), (.waitingForPong, .error(let text)):
            throw .server(text)
        case (.ready, .info(let info, _)): core.received(info)
        case (.ready, .message(let message)): core.deliver(message)
        case (.ready, .pong):
            if !session.receivedPong() {
                throw .malformed("The server answered a ping that was not sent.")
            }
        case (.ready, .error(let text)):
            try receive(.server(text), text)
        case (.waitingForInfo, _), (.waitingForTLS, _), (.waitingForPong, _):
            throw .malformed("\(session.address) sent a frame that does not belong to a greeting.")
        }
    }

    /// Handles an error of the server. Throws if no request could get a reply after it.
    private func receive(_ error: NATSError, _ text: String) throws(NATSError) {
        core.log(.warning, "\(error)")
        switch error.code {
        case .permissionDenied: core.denied(error, text: text)
        case .tooManySubscriptions:
            guard let id = session.subscriptionInProcess else { return }
            if id == ConnectionCore.inboxId { throw error }
            core.refused(id, error)
        default: reason = error
        }
    }

    /// Continues with TLS or with the authentication.
    private func greet(
        _ info: NATSServerInfo, trailingByteCount: Int, _ context: ChannelHandlerContext
    ) throws(NATSError) {
        self.info = info
        let requiresTLS = session.address.requiresTLS || core.options.tls.isRequired
        guard info.requiresTLS || requiresTLS else { return try authenticate(context) }
        guard info.offersTLS else {
            throw NATSError(
                .tlsFailed,
                "\(session.address) offers no TLS. Configure it there, or use nats://.")
        }
        // The handshake does not authenticate bytes that arrived before it.
        guard trailingByteCount == 0 else {
            throw .malformed("\(session.address) sent data before the TLS handshake.")
        }
        do {
            let tls = try core.tlsContext()
            let handler = try Self.tlsHandler(tls, host: session.address.host)
            phase = .waitingForTLS
            try context.pipeline.syncOperations.addHandler(handler, position: .first)
        } catch {
            throw error as? NATSError ?? NATSTLS.failure(session.address, error)
        }
    }

    /// The certificate must have the host name, or the address if the host is one.
    private static func tlsHandler(
        _ context: NIOSSLContext, host: String
    ) throws -> NIOSSLClientHandler {
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
    }

    private func authenticate(_ context: ChannelHandlerContext) throws(NATSError) {
        guard info.supportsHeaders else {
            throw NATSError(
                .serverError,
                "\(session.address) has headers disabled. Enable them; JetStream needs them.")
        }
        let isEncrypted = if case .waitingForTLS = phase { true } else { false }
        let document = try core.greeting(for: info, isEncrypted: isEncrypted)
        phase = .waitingForPong
        session.write(NATSCommand.connect(document) + NATSCommand.ping)
    }

    private func becomeReady(_ context: ChannelHandlerContext) throws(NATSError) {
        phase = .ready
        // A caller whose time limit passed does not use the session.
        guard !greeting.isSet, core.sessionBegan(session, info) else {
            throw .closedByCaller
        }
        greeting.set(.success(session))
        let interval = core.options.pingInterval.delay
        livenessCheck = context.eventLoop.scheduleRepeatedTask(
            initialDelay: interval, delay: interval
        ) { [session] _ in
            // As an error of the channel, so that this handler delivers nothing after it.
            if !session.pingForLiveness() {
                session.channel.pipeline.fireErrorCaught(Self.dead(session.address))
            }
        }
    }

    private func end(_ context: ChannelHandlerContext, _ error: NATSError) {
        if case .ended = phase { return }
        phase = .ended
        livenessCheck?.cancel()
        let error = reason ?? error
        greeting.set(.failure(error))
        core.endSession(session, error)
    }

    private func describe(_ error: any Error) -> NATSError {
        if let error = error as? NATSError { return error }
        let isReady = if case .ready = phase { true } else { false }
        if !isReady, Self.isFromTLS(error) {
            return NATSTLS.failure(session.address, error)
        }
        return NATSError(
            .connectionFailed,
            "The connection to \(session.address) failed. Check the network and the server.",
            cause: error)
    }

    private static func isFromTLS(_ error: any Error) -> Bool {
        error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError
    }

    private static func dead(_ address: NATSAddress) -> NATSError {
        NATSError(
            .connectionFailed,
            "\(address) did not answer two pings in time. Check the network and the server.")
    }
}
