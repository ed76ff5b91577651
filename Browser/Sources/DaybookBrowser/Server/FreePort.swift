import NIOCore
import NIOPosix

/// Finds a port that no program uses.
enum FreePort {
    /// Listens on a free port for a moment and returns it.
    static func find() throws -> Int {
        let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).wait()
        let port = channel.localAddress?.port
        try channel.close().wait()
        guard let port else {
            throw RequestProblem.refused(.serviceUnavailable, "The system has no free port.")
        }
        return port
    }
}
