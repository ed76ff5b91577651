import NIOCore
import NIOPosix
import Synchronization

/// A TCP server that sends prepared bytes to NATS clients.
final class FakeServer: Sendable {
    /// The bytes for one connection.
    struct Script: Sendable {
        /// Sent when a client connects.
        var greeting = FakeServer.info
        /// Sent after the first ping of the client.
        var answer = "PONG\r\n"
        /// Sent after the first message or subscription that follows the answer.
        var reaction = ""
        /// Whether the connection is closed after the greeting.
        var closes = false
    }

    static let info = "INFO {\"server_id\":\"F\",\"headers\":true,\"max_payload\":1048576}\r\n"

    let port: Int
    private let channel: any Channel
    private let received: Received

    /// The bytes of all clients.
    final class Received: Sendable {
        let text = Mutex("")
    }

    /// The text that all clients sent.
    var receivedText: String { received.text.withLock { $0 } }

    private init(_ channel: any Channel, _ received: Received) {
        self.channel = channel
        self.received = received
        port = channel.localAddress?.port ?? 0
    }

    /// Runs a server during `body`. The first script is for the first connection, and so on; the
    /// last one is for all later connections.
    static func with(
        _ scripts: [Script], isolation: isolated (any Actor)? = #isolation,
        _ body: (FakeServer) async throws -> Void
    ) async throws {
        let rest = Mutex(scripts)
        let received = Received()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let script = rest.withLock { rest in
                        rest.count > 1 ? rest.removeFirst() : rest[0]
                    }
                    try channel.pipeline.syncOperations.addHandler(Handler(script, received))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = FakeServer(channel, received)
        do {
            try await body(server)
        } catch {
            try? await channel.close()
            throw error
        }
        try await channel.close()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let script: Script
        private let received: Received
        private var text = ""
        private var didAnswer = false
        private var didReact = false

        init(_ script: Script, _ received: Received) {
            self.script = script
            self.received = received
        }

        func channelActive(context: ChannelHandlerContext) {
            send(script.greeting, context)
            if script.closes { context.close(promise: nil) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let part = String(buffer: unwrapInboundIn(data))
            received.text.withLock { $0 += part }
            text += part
            if !didAnswer, text.contains("PING\r\n") {
                didAnswer = true
                text = ""
                return send(script.answer, context)
            }
            guard didAnswer, !didReact, text.contains("PUB ") else { return }
            didReact = true
            send(script.reaction, context)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        private func send(_ text: String, _ context: ChannelHandlerContext) {
            if text.isEmpty { return }
            context.channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        }
    }
}
