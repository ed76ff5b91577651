import Foundation
import NIOCore
import ReplicationTestSupport
import Testing

@testable import DaybookNATS

/// The greeting and its failures, with a server that sends prepared bytes.
@Suite(.timeLimit(.minutes(1))) struct GreetingTests {
    private typealias Script = FakeServer.Script

    @Test func `a client greets and becomes usable`() async throws {
        try await FakeServer.with([Script()]) { server in
            var options = try Self.options(server)
            options.authentication = .userAndPassword(user: "me", password: "a\"b")
            let connection = try await NATSConnection.connect(options)
            #expect(connection.serverInfo.id == "F")
            try await connection.publish(ByteBuffer(string: "x"), to: "a")
            try await eventually { server.receivedText.contains("PUB a 1\r\nx\r\n") ? true : nil }
            let text = server.receivedText
            #expect(text.hasPrefix("CONNECT {"))
            #expect(text.contains("\"pass\":\"a\\\"b\"") && text.contains("\"headers\":true"))
            #expect(text.contains("SUB _INBOX."))
            await connection.close()
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.0\r\n", NATSError.Code.malformedInput),
        ("PING\r\n", .malformedInput), ("INFO nonsense\r\n", .malformedInput),
        ("INFO {}\r\n", .serverError),
        ("-ERR 'Authorization Violation'\r\n", .authenticationFailed),
        ("-ERR 'maximum connections exceeded'\r\n", .serverError),
        ("INFO {\"headers\":true,\"tls_required\":true}\r\nPING\r\n", .malformedInput),
        ("INFO {\"headers\":true,\"tls_required\":true}\r\nM", .malformedInput),
        ("", .connectionFailed),
    ])
    func `a server with another greeting is a typed error`(
        greeting: String, code: NATSError.Code
    ) async throws {
        try await FakeServer.with([Script(greeting: greeting)]) { server in
            let options = try Self.options(server)
            let error = await failure { _ = try await NATSConnection.connect(options) }
            #expect(error?.code == code, "\(String(describing: error))")
        }
    }

    @Test(arguments: ["", "INFO {", FakeServer.info])
    func `a server that closes is a typed error`(greeting: String) async throws {
        try await FakeServer.with([Script(greeting: greeting, closes: true)]) { server in
            let options = try Self.options(server)
            let error = await failure { _ = try await NATSConnection.connect(options) }
            #expect(error?.code == .connectionFailed, "\(String(describing: error))")
        }
    }

    @Test(arguments: [
        "nonsense\r\n", "PONG\r\nPONG\r\n", "MSG a 1 99999999\r\n", "INFO [\r\n",
        "HMSG a 1 4 4\r\nabcd\r\n",
    ])
    func `malformed input ends the session and the client reconnects`(text: String) async throws {
        try await FakeServer.with([Script(reaction: text), Script()]) { server in
            let connection = try await NATSConnection.connect(try Self.options(server))
            var states = connection.states.makeAsyncIterator()
            _ = await states.next()
            let error = await failure { _ = try await connection.request(ByteBuffer(), to: "a") }
            #expect(error?.code == .connectionLost)
            guard case .reconnecting(let reason)? = await states.next() else {
                Issue.record("The state is not reconnecting.")
                return
            }
            #expect(reason.code == .malformedInput)
            try await connection.waitUntilConnected(timeout: .seconds(10))
            await connection.close()
        }
    }

    @Test func `messages without a receiver are ignored`() async throws {
        let strangers =
            "MSG a 77 1\r\nx\r\nMSG _INBOX.x.5 1 1\r\nx\r\nMSG b 1 0\r\n\r\n+OK\r\nPING\r\n"
        try await FakeServer.with([Script(reaction: strangers)]) { server in
            let connection = try await NATSConnection.connect(try Self.options(server))
            try await connection.publish(ByteBuffer(), to: "a")
            try await eventually { server.receivedText.contains("PONG\r\n") ? true : nil }
            try await connection.publish(ByteBuffer(string: "next"), to: "a")
            try await eventually { server.receivedText.contains("next") ? true : nil }
            #expect(connection.pendingReplyCount == 0 && connection.subscriptionCount == 0)
            await connection.close()
        }
    }

    @Test func `an error that does not end the session is not the reason of a later end`()
        async throws
    {
        let respond: RespondingServer.Respond = { text, channel in
            // One read may have several pings.
            for _ in 1..<text.components(separatedBy: "PING\r\n").count {
                RespondingServer.send("PONG\r\n", channel)
            }
            if text.contains("PUB first") {
                RespondingServer.send("-ERR 'Invalid Publish Subject'\r\nPING\r\n", channel)
            }
            if text.contains("PUB second") { channel.close(promise: nil) }
        }
        try await RespondingServer.with(respond) { port in
            let connection = try await NATSConnection.connect(
                try NATSOptions(servers: ["127.0.0.1:\(port)"]))
            var states = connection.states.makeAsyncIterator()
            _ = await states.next()
            try await connection.publish(ByteBuffer(), to: "first")
            try await connection.flush()
            try await connection.publish(ByteBuffer(), to: "second")
            guard case .reconnecting(let reason)? = await states.next() else {
                Issue.record("The state is not reconnecting.")
                return
            }
            #expect(reason.code == .connectionFailed, "\(reason)")
            await connection.close()
        }
    }

    @Test func `states arrive in order`() async throws {
        let core = ConnectionCore(try NATSOptions(servers: ["127.0.0.1"]))
        let publisher = Task.detached {
            for port in 1...3000 { core.publish(.connected(NATSAddress(host: "a", port: port))) }
        }
        var streams: [AsyncStream<NATSConnectionState>] = []
        for _ in 0..<300 { streams.append(core.states()) }
        await publisher.value
        core.close()
        for stream in streams {
            var last = 0
            for await state in stream {
                guard case .connected(let address) = state else { continue }
                #expect(address.port > last)
                last = address.port
            }
        }
    }

    @Test func `a cancelled attempt ends`() async throws {
        try await FakeServer.with([Script(greeting: "")]) { server in
            var options = try Self.options(server)
            options.connectTimeout = .seconds(60)
            let waiting = options
            let task = Task { await failure { _ = try await NATSConnection.connect(waiting) } }
            try await Task.sleep(for: .milliseconds(20))
            task.cancel()
            #expect(await task.value?.code == .cancelled)
        }
    }

    private static func options(_ server: FakeServer) throws -> NATSOptions {
        var options = try NATSOptions(servers: ["127.0.0.1:\(server.port)"])
        options.connectTimeout = .milliseconds(500)
        options.reconnectDelay = .milliseconds(10) ... .milliseconds(20)
        return options
    }
}
