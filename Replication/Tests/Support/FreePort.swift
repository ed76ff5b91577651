import NIOCore
import NIOPosix

/// TCP ports of the loopback address that no program uses.
package enum FreePort {
    /// Returns different ports.
    package static func take(_ count: Int) async throws -> [Int] {
        var channels: [any Channel] = []
        for _ in 0..<count { channels.append(try await bind(0)) }
        let ports = channels.compactMap { $0.localAddress?.port }
        // All ports stay bound until the last one is, so that they differ.
        for channel in channels { try await channel.close() }
        return ports
    }

    /// Returns different ports for which the port that is greater by 10,000 is free too. They are
    /// outside the range from which the system takes ports.
    package static func takePairs(_ count: Int) async throws -> [Int] {
        var channels: [any Channel] = []
        var ports: [Int] = []
        while ports.count < count {
            let port = Int.random(in: 12_000..<22_000)
            guard let first = try? await bind(port) else { continue }
            channels.append(first)
            guard let second = try? await bind(port + 10_000) else { continue }
            channels.append(second)
            ports.append(port)
        }
        for channel in channels { try await channel.close() }
        return ports
    }

    private static func bind(_ port: Int) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: port).get()
    }
}
