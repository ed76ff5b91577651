import NIOCore
import NIOPosix

/// A TCP server whose answers come from a closure.
enum RespondingServer {
    /// Answers the bytes that arrived at a channel.
    typealias Respond = @Sendable (String, any Channel) -> Void

    /// Runs a server during `body`, which gets its port.
    static func with(
        isolation: isolated (any Actor)? = #isolation, _ respond: @escaping Respond,
        body: (Int) async throws -> Void
    ) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(respond))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(channel.localAddress?.port ?? 0)
        } catch {
            try? await channel.close()
            throw error
        }
        try await channel.close()
    }

    /// Writes a text.
    static func send(_ text: String, _ channel: any Channel) {
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let respond: Respond

        init(_ respond: @escaping Respond) { self.respond = respond }

        func channelActive(context: ChannelHandlerContext) {
            RespondingServer.send(FakeServer.info, context.channel)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            respond(String(buffer: unwrapInboundIn(data)), context.channel)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
