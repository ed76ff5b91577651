import Foundation

/// Three servers whose connections with each other can be cut.
package struct TestCluster: Sendable {
    package let servers: [TestServer]
    /// The proxies, one for each server that connects and each server that accepts.
    private let proxies: [(client: Int, target: Int, proxy: RouteProxy)]
    private let directory: TestDirectory

    /// Runs a cluster during `body`.
    package static func with<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestCluster) async throws -> Value
    ) async throws -> Value {
        try await TestDirectory.with { directory in
            let cluster = try await TestCluster(directory)
            defer { cluster.stop() }
            for server in cluster.servers { try server.start() }
            return try await body(cluster)
        }
    }

    private init(_ directory: TestDirectory) async throws {
        self.directory = directory
        let ports = try await FreePort.take(7)
        var servers: [TestServer] = []
        var proxies: [(client: Int, target: Int, proxy: RouteProxy)] = []
        for index in 0..<3 {
            var routes: [String] = []
            for target in 0..<3 where target != index {
                let (proxy, port) = try await RouteProxy.start(
                    to: ports[3 + target], notAt: ports)
                proxies.append((index, target, proxy))
                routes.append("nats-route://127.0.0.1:\(port)")
            }
            // The others learn an address where no server listens, so that they connect through the
            // proxies only.
            servers.append(
                try TestServer(
                    name: "n\(index)", port: ports[index], directory: directory,
                    lines: [
                        "cluster { name: c1, listen: 127.0.0.1:\(ports[3 + index]),"
                            + " advertise: \"127.0.0.1:\(ports[6])\", no_advertise: true,"
                            + " pool_size: -1, routes: [\(routes.joined(separator: ", "))] }"
                    ]))
        }
        self.servers = servers
        self.proxies = proxies
    }

    /// Cuts the connections of a server with the others: the bytes that it sends, the bytes that it
    /// receives, or both.
    package func cut(_ index: Int, sends: Bool, receives: Bool) {
        for (client, target, proxy) in proxies {
            if client == index { proxy.block(forward: sends, backward: receives) }
            if target == index { proxy.block(forward: receives, backward: sends) }
        }
    }

    /// Ends all cuts.
    package func heal() {
        for entry in proxies { entry.proxy.block(forward: false, backward: false) }
    }

    /// Ends a server and removes its files.
    package func wipe(_ index: Int) throws {
        servers[index].kill()
        try FileManager.default.removeItem(atPath: directory.file("n\(index)"))
    }

    private func stop() {
        for server in servers { server.kill() }
        for entry in proxies { entry.proxy.stop() }
    }
}
