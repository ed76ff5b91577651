package import DaybookNATS
import Foundation
import Testing

extension TestServer {
    /// Runs one server during `body`.
    package static func with<Value>(
        domain: String? = nil, lines: [String] = [], isolation: isolated (any Actor)? = #isolation,
        _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        try await TestDirectory.with { directory in
            let port = try #require(try await FreePort.take(1).first)
            let server = try TestServer(
                name: "single", port: port, directory: directory, domain: domain,
                lines: lines)
            defer { server.kill() }
            try server.start()
            return try await body(server)
        }
    }

    /// Runs a cluster of three servers during `body`.
    package static func withCluster<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: ([TestServer]) async throws -> Value
    ) async throws -> Value {
        try await TestDirectory.with { directory in
            let ports = try await FreePort.take(6)
            let routes = ports[3...].map { "nats-route://127.0.0.1:\($0)" }
            var servers: [TestServer] = []
            defer { for server in servers { server.kill() } }
            for index in 0..<3 {
                let cluster =
                    "cluster { name: c1, listen: 127.0.0.1:\(ports[3 + index]), no_advertise: true,"
                    + " routes: [\(routes.joined(separator: ", "))] }"
                let server = try TestServer(
                    name: "n\(index)", port: ports[index], directory: directory, lines: [cluster])
                servers.append(server)
                try server.start()
            }
            return try await body(servers)
        }
    }

    /// Runs a cluster of three servers with the stream `LOG` during `body`.
    package static func withReplicatedStream(
        _ body: ([TestServer], NATSConnection, JetStream) async throws -> Void
    ) async throws {
        try await withCluster { servers in
            let connection = try await servers[0].connect(try options(servers))
            let jetStream = try JetStream(connection)
            let configuration = StreamConfiguration(name: "LOG", subjects: ["log.>"])
            // The servers may not have elected a leader yet.
            try await eventually {
                await failure { try await jetStream.createStream(configuration) } == nil
                    ? true : nil
            }
            try await body(servers, connection, jetStream)
        }
    }

    /// Options with short times for tests.
    package func options() throws -> NATSOptions { try Self.options([self]) }

    package static func options(_ servers: [TestServer]) throws -> NATSOptions {
        var options = try NATSOptions(servers: servers.map(\.url))
        options.requestTimeout = .seconds(10)
        options.reconnectDelay = .milliseconds(20) ... .milliseconds(200)
        return options
    }

    /// Connects as soon as the server accepts.
    package func connect(_ options: NATSOptions? = nil) async throws -> NATSConnection {
        let options = try options ?? self.options()
        return try await eventually {
            do throws(NATSError) {
                return try await NATSConnection.connect(options)
            } catch {
                // The server is not ready yet. Any other error is the result.
                if error.code == .connectionFailed { return nil }
                throw error
            }
        }
    }
}

/// Returns the first value of `attempt` that is not nil. Fails after 30 seconds.
@discardableResult
package func eventually<Value>(
    isolation: isolated (any Actor)? = #isolation, _ attempt: () async throws -> Value?
) async throws -> Value {
    let start = ContinuousClock.now
    while start.duration(to: .now) < .seconds(30) {
        if let value = try await attempt() { return value }
        try await Task.sleep(for: .milliseconds(20))
    }
    throw Program.Failure(description: "An expected state did not occur within 30 seconds.")
}

/// Returns the error of a call; nil if it succeeds.
package func failure(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async -> NATSError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? NATSError
    }
}
