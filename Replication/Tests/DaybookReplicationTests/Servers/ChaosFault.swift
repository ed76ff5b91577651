import ReplicationTestSupport

/// A failure of servers or of the network between them, and its end.
enum ChaosFault: String, CaseIterable, Sendable {
    case killOne, killTwo, killAll, pauseOne, pauseTwo, isolate, cutSending, cutReceiving, wipeOne

    /// Causes the failure of a server, or of it and others, and ends it after a time.
    func run(_ cluster: TestCluster, server index: Int, for duration: Duration) async throws {
        let servers = cluster.servers
        let (one, two) = (servers[index], servers[(index + 1) % 3])
        switch self {
        case .killOne: try await Self.kill([one], for: duration)
        case .killTwo: try await Self.kill([one, two], for: duration)
        case .killAll: try await Self.kill(servers, for: duration)
        case .pauseOne: try await Self.pause([one], for: duration)
        case .pauseTwo: try await Self.pause([one, two], for: duration)
        case .isolate:
            try await Self.cut(cluster, index, sends: true, receives: true, for: duration)
        case .cutSending:
            try await Self.cut(cluster, index, sends: true, receives: false, for: duration)
        case .cutReceiving:
            try await Self.cut(cluster, index, sends: false, receives: true, for: duration)
        case .wipeOne:
            try cluster.wipe(index)
            try await Task.sleep(for: duration)
            try one.start()
        }
    }

    private static func kill(_ servers: [TestServer], for duration: Duration) async throws {
        for server in servers { server.kill() }
        try await Task.sleep(for: duration)
        for server in servers { try server.start() }
    }

    private static func pause(_ servers: [TestServer], for duration: Duration) async throws {
        for server in servers { server.pause() }
        try await Task.sleep(for: duration)
        for server in servers { server.resume() }
    }

    private static func cut(
        _ cluster: TestCluster, _ index: Int, sends: Bool, receives: Bool, for duration: Duration
    ) async throws {
        cluster.cut(index, sends: sends, receives: receives)
        try await Task.sleep(for: duration)
        cluster.heal()
    }
}
