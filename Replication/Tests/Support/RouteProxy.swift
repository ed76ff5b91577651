import NIOCore
import NIOPosix
import Synchronization

/// A TCP proxy on the loopback address that can hold back the bytes of a direction, as a network
/// does between two servers that cannot reach each other. TCP delivers the bytes afterwards.
package final class RouteProxy: Sendable {
    private struct State {
        var isForwardBlocked = false
        var isBackwardBlocked = false
        var pairs: [ChannelPair] = []
        var listener: (any Channel)?
    }

    private let targetPort: Int
    private let state = Mutex(State())

    private init(targetPort: Int) { self.targetPort = targetPort }

    /// Starts a proxy for connections to a port, at a port that is none of the given ones. Returns
    /// it and its own port.
    package static func start(
        to targetPort: Int, notAt others: [Int]
    ) async throws -> (RouteProxy, port: Int) {
        let proxy = RouteProxy(targetPort: targetPort)
        var refused: [any Channel] = []
        while true {
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelOption(.autoRead, value: false)
                .childChannelInitializer { client in
                    // The connection is open only after the return.
                    proxy.accept(client)
                    return client.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let port = listener.localAddress?.port ?? 0
            guard !others.contains(port) else {
                refused.append(listener)
                continue
            }
            for other in refused { try await other.close() }
            proxy.state.withLock { $0.listener = listener }
            return (proxy, port)
        }
    }

    /// Holds back the bytes from the clients to the target, or the bytes from the target to the
    /// clients.
    package func block(forward: Bool, backward: Bool) {
        let pairs = state.withLock { state in
            state.isForwardBlocked = forward
            state.isBackwardBlocked = backward
            return state.pairs
        }
        for pair in pairs { pair.setReading(forward: !forward, backward: !backward) }
    }

    /// Ends the proxy and its connections.
    package func stop() {
        let (listener, pairs) = state.withLock { ($0.listener, $0.pairs) }
        listener?.close(promise: nil)
        for pair in pairs { pair.close() }
    }

    private func accept(_ client: any Channel) {
        ClientBootstrap(group: client.eventLoop)
            .channelOption(.autoRead, value: false)
            .connect(host: "127.0.0.1", port: targetPort)
            .flatMap { target in
                let pair = ChannelPair(client: client, target: target)
                return pair.join().map { pair }
            }
            .whenComplete { result in
                guard case .success(let pair) = result else {
                    return client.close(promise: nil)
                }
                let (forward, backward) = self.state.withLock { state in
                    state.pairs.append(pair)
                    return (!state.isForwardBlocked, !state.isBackwardBlocked)
                }
                pair.setReading(forward: forward, backward: backward)
            }
    }
}

/// The two connections of a proxy that belong together.
private struct ChannelPair: Sendable {
    let client: any Channel
    let target: any Channel

    func join() -> EventLoopFuture<Void> {
        let (client, target) = (client, target)
        return client.pipeline.addHandler(ForwardingHandler(to: target)).flatMap {
            target.pipeline.addHandler(ForwardingHandler(to: client))
        }
    }

    func setReading(forward: Bool, backward: Bool) {
        for (channel, isReading) in [(client, forward), (target, backward)] {
            channel.setOption(.autoRead, value: isReading).whenSuccess {
                if isReading { channel.read() }
            }
        }
    }

    func close() {
        client.close(promise: nil)
        target.close(promise: nil)
    }
}

/// Sends all bytes of a connection to another one, and closes that with its own.
private final class ForwardingHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let other: any Channel

    init(to other: any Channel) { self.other = other }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        other.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        other.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
