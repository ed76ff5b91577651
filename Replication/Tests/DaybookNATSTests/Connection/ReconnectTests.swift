import DaybookNATS
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    @Suite struct ReconnectTests {
        @Test func `a killed server is used after its restart`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let subscription = try await connection.subscribe(to: "a")
                var states = connection.states.makeAsyncIterator()
                guard case .connected? = await states.next() else {
                    Issue.record("The first state is not connected.")
                    return
                }
                let firstId = connection.serverInfo.id
                server.kill()
                guard case .reconnecting? = await states.next() else {
                    Issue.record("The second state is not reconnecting.")
                    return
                }
                let error = await failure { try await connection.publish(ByteBuffer(), to: "a") }
                #expect(error?.code == .notConnected && error?.isOutcomeUnknown == false)
                let waited = await failure {
                    try await connection.waitUntilConnected(timeout: .milliseconds(50))
                }
                #expect(waited?.code == .timeout)
                try server.start()
                try await connection.waitUntilConnected(timeout: .seconds(30))
                #expect(connection.serverInfo.id != firstId)
                try await connection.publish(ByteBuffer(string: "after"), to: "a")
                var messages = subscription.makeAsyncIterator()
                #expect(try await messages.next()?.payload == ByteBuffer(string: "after"))
                await connection.close()
            }
        }

        @Test func `a request in flight fails when the server dies`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let subscription = try await connection.subscribe(to: "silent")
                let task = Task {
                    await failure { _ = try await connection.request(ByteBuffer(), to: "silent") }
                }
                var messages = subscription.makeAsyncIterator()
                #expect(try await messages.next() != nil)
                server.kill()
                let error = await task.value
                #expect(error?.code == .connectionLost && error?.isOutcomeUnknown == true)
                #expect(connection.pendingReplyCount == 0)
                await connection.close()
            }
        }

        @Test func `a silent server is found by pings`() async throws {
            try await TestServer.with { server in
                var options = try server.options()
                options.pingInterval = .milliseconds(500)
                let connection = try await server.connect(options)
                let subscription = try await connection.subscribe(to: "silent")
                var states = connection.states.makeAsyncIterator()
                let task = Task {
                    await failure {
                        _ = try await connection.request(
                            ByteBuffer(), to: "silent", timeout: .seconds(60))
                    }
                }
                // The request is in flight before the server becomes silent.
                var messages = subscription.makeAsyncIterator()
                #expect(try await messages.next() != nil)
                server.pause()
                #expect(await task.value?.code == .connectionLost)
                var reason: NATSError?
                while let state = await states.next() {
                    if case .reconnecting(let error) = state {
                        reason = error
                        break
                    }
                }
                #expect(reason?.message.contains("two pings") == true)
                server.resume()
                try await connection.waitUntilConnected(timeout: .seconds(30))
                try await eventually {
                    await failure { try await connection.flush() } == nil ? true : nil
                }
                await connection.close()
            }
        }

        @Test func `the next server is used when one dies`() async throws {
            try await TestServer.with { first in
                try await TestServer.with { second in
                    await (try second.connect()).close()
                    let connection = try await first.connect(
                        try TestServer.options([first, second]))
                    first.kill()
                    var port: Int?
                    for await state in connection.states {
                        if case .connected(let address) = state { port = address.port }
                        if port == second.port { break }
                    }
                    #expect(port == second.port)
                    try await connection.flush()
                    await connection.close()
                }
            }
        }

        @Test func `no server is a typed error`() async throws {
            let port = try #require(try await FreePort.take(1).first)
            let options = try NATSOptions(servers: ["127.0.0.1:\(port)"])
            let error = await failure { _ = try await NATSConnection.connect(options) }
            #expect(error?.code == .connectionFailed)
        }

        @Test func `a connection that is released closes`() async throws {
            try await TestServer.with { server in
                let watcher = try await server.connect()
                weak var released: NATSConnection?
                var states: AsyncStream<NATSConnectionState>.AsyncIterator
                do {
                    let connection = try await server.connect()
                    released = connection
                    states = connection.states.makeAsyncIterator()
                    _ = await states.next()
                    try await connection.flush()
                }
                var last: NATSConnectionState?
                while let state = await states.next() { last = state }
                guard case .closed? = last else {
                    Issue.record("The last state is \(String(describing: last)).")
                    return
                }
                #expect(released == nil)
                try await watcher.flush()
                await watcher.close()
            }
        }
    }
}
