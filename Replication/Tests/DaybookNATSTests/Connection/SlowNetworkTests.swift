import NIOCore
import NIOEmbedded
import Synchronization
import ReplicationTestSupport
import Testing

@testable import DaybookNATS

/// Servers and networks that are slow or silent.
@Suite(.timeLimit(.minutes(1))) struct SlowNetworkTests {
    @Test func `a server that sends a long message slowly is not dead`() async throws {
        let size = 200_000
        let respond: RespondingServer.Respond = { text, channel in
            // The answers to pings wait behind the message.
            guard text.contains("PUB go") else {
                let count = text.split(separator: "PING\r\n", omittingEmptySubsequences: false)
                    .count
                let isIdle = (try? channel.syncOptions?.getOption(.autoRead)) ?? true
                if isIdle {
                    RespondingServer.send(String(repeating: "PONG\r\n", count: count - 1), channel)
                }
                return
            }
            try? channel.syncOptions?.setOption(.autoRead, value: false)
            RespondingServer.send("MSG slow 2 \(size)\r\n", channel)
            for part in 0..<20 {
                channel.eventLoop.scheduleTask(in: .milliseconds(Int64(part) * 100)) {
                    RespondingServer.send(String(repeating: "x", count: size / 20), channel)
                    if part < 19 { return }
                    RespondingServer.send("\r\n", channel)
                    try? channel.syncOptions?.setOption(.autoRead, value: true)
                }
            }
        }
        try await RespondingServer.with(respond) { port in
            var options = try Self.options(port)
            options.pingInterval = .milliseconds(400)
            let connection = try await NATSConnection.connect(options)
            let subscription = try await connection.subscribe(to: "slow")
            var states = connection.states.makeAsyncIterator()
            _ = await states.next()
            try await connection.publish(ByteBuffer(), to: "go")
            let reader = Task {
                var messages = subscription.makeAsyncIterator()
                return try await messages.next()?.payload.readableBytes
            }
            let watcher = Task {
                for await state in connection.states {
                    if case .reconnecting = state { reader.cancel() }
                }
            }
            #expect(try await reader.value == size)
            try await connection.flush()
            await connection.close()
            await watcher.value
        }
    }

    @Test func `messages that the network does not take are limited`() async throws {
        let respond: RespondingServer.Respond = { text, channel in
            guard text.contains("PING\r\n") else { return }
            RespondingServer.send("PONG\r\n", channel)
            try? channel.syncOptions?.setOption(.autoRead, value: false)
        }
        try await RespondingServer.with(respond) { port in
            var options = try Self.options(port)
            // On a busy machine the buffer fills slowly; the server counts as alive meanwhile.
            options.pingInterval = .seconds(60)
            let connection = try await NATSConnection.connect(options)
            let payload = ByteBuffer(repeating: 0, count: 1 << 20)
            var codes: Set<NATSError.Code> = []
            for _ in 0..<400 where codes != [.timeout, .sendBufferFull] {
                let error = await failure {
                    _ = try await connection.request(payload, to: "a", timeout: .milliseconds(1))
                }
                if let error { codes.insert(error.code) }
            }
            #expect(codes == [.timeout, .sendBufferFull])
            #expect(connection.pendingReplyCount == 0)
            await connection.close()
        }
    }

    @Test func `a session that is dead delivers nothing while it closes`() async throws {
        let core = ConnectionCore(try Self.options(1))
        let buffer = MessageBuffer(subject: "a", sizeBytesMax: 1 << 20)
        try Self.runDeadSession(core, buffer)
        buffer.finish(nil)
        #expect(try await buffer.next() == nil)
        core.close()
    }

    /// Runs a session that closes late, as one with TLS does.
    private static func runDeadSession(_ core: ConnectionCore, _ buffer: MessageBuffer) throws {
        let channel = EmbeddedChannel(handler: LateClose())
        let address = NATSAddress(host: "127.0.0.1")
        let session = Session(channel: channel, address: address)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ByteToMessageHandler(NATSFrameDecoder()))
        try pipeline.addHandler(
            SessionHandler(core: core, session: session, greeting: Answer<Session>()))
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(ByteBuffer(string: FakeServer.info + "PONG\r\n"))
        core.state.withLock { $0.subscriptions[7] = .init(subject: "a", buffer: buffer) }
        #expect(throws: Never.self) { try core.session() }
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(throws: NATSError.self) { try core.session() }
        try channel.writeInbound(ByteBuffer(string: "MSG a 7 1\r\nx\r\n"))
    }

    private final class LateClose: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        func close(
            context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
        ) {}
    }

    private static func options(_ port: Int) throws -> NATSOptions {
        var options = try NATSOptions(servers: ["127.0.0.1:\(port)"])
        options.connectTimeout = .milliseconds(500)
        options.reconnectDelay = .milliseconds(10) ... .milliseconds(20)
        return options
    }
}
