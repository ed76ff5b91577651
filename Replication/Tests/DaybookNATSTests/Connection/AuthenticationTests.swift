import DaybookNATS
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    @Suite struct AuthenticationTests {
        @Test func `a token is checked`() async throws {
            try await Self.check(
                lines: ["authorization { token: \"right\" }"], right: .token("right"),
                wrong: [.token("wrong"), .none, .userAndPassword(user: "right", password: "right")])
        }

        @Test func `a user and a password are checked`() async throws {
            try await Self.check(
                lines: ["authorization { user: me, password: \"right\" }"],
                right: .userAndPassword(user: "me", password: "right"),
                wrong: [.userAndPassword(user: "me", password: "wrong"), .token("right"), .none])
        }

        @Test func `an nkey is checked`() async throws {
            // The seed of 32 bytes with the value 1 is valid but not that of the server's user.
            let other = Self.seed(Array(repeating: 1, count: 32))
            try await Self.check(
                lines: ["authorization { users: [ { nkey: \(NKeyTests.publicKey) } ] }"],
                right: .nkey(seed: NKeyTests.seed), wrong: [.nkey(seed: other), .none])
        }

        @Test func `an nkey for a server without nkeys is a typed error`() async throws {
            try await TestServer.with { server in
                await (try server.connect()).close()
                var options = try server.options()
                options.authentication = .nkey(seed: NKeyTests.seed)
                let error = await failure { _ = try await NATSConnection.connect(options) }
                #expect(error?.code == .authenticationFailed)
                options.authentication = .nkey(seed: "not a seed")
                let invalid = await failure { _ = try await NATSConnection.connect(options) }
                #expect(invalid?.code == .invalidArgument)
            }
        }

        @Test func `a denied subject is a typed error and the connection stays usable`()
            async throws
        {
            let lines = [
                """
                authorization { users: [ { user: me, password: pw, permissions: {
                  publish: { deny: ["secret.>"] }, subscribe: { deny: ["secret.>"] } } } ] }
                """
            ]
            try await TestServer.with(lines: lines) { server in
                var options = try server.options()
                options.authentication = .userAndPassword(user: "me", password: "pw")
                let connection = try await server.connect(options)
                let subscribed = await failure {
                    _ = try await connection.subscribe(to: "secret.a")
                }
                #expect(subscribed?.code == .permissionDenied)
                let requested = await failure {
                    _ = try await connection.request(ByteBuffer(), to: "secret.a")
                }
                #expect(requested?.code == .permissionDenied)
                let allowed = try await connection.subscribe(to: "open.a")
                try await connection.publish(ByteBuffer(string: "x"), to: "open.a")
                var messages = allowed.makeAsyncIterator()
                #expect(try await messages.next()?.payload == ByteBuffer(string: "x"))
                #expect(connection.subscriptionCount == 1)
                await connection.close()
            }
        }

        /// Connects with the right proof, then with wrong ones.
        private static func check(
            lines: [String], right: NATSAuthentication, wrong: [NATSAuthentication]
        ) async throws {
            try await TestServer.with(lines: lines) { server in
                var options = try server.options()
                options.authentication = right
                let connection = try await server.connect(options)
                try await connection.flush()
                #expect(connection.serverInfo.requiresAuthentication)
                await connection.close()
                for authentication in wrong {
                    options.authentication = authentication
                    let error = await failure { _ = try await NATSConnection.connect(options) }
                    #expect(error?.code == .authenticationFailed, "\(authentication)")
                }
            }
        }

        /// The seed of a user's key.
        private static func seed(_ key: [UInt8]) -> String {
            SeedEncoder.encode(key)
        }
    }
}
