import NIOCore
import NIOPosix

/// TCP ports of the loopback address that no program uses.
package enum FreePort {
    /// Returns different ports.
    package static func take(_ count: Int) async throws -> [Int] {
        var channels: [any Channel] = []
        for _ in 0..<count {
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            channels.append(try await bootstrap.bind(host: "127.0.0.1", port: 0).get())
        }
        let ports = channels.compactMap { $0.localAddress?.port }
        // All ports stay bound until the last one is, so that they differ.
        for channel in channels { try await channel.close() }
        return ports
    }
}
