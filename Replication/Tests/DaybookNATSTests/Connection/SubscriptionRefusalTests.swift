import NIOCore
import ReplicationTestSupport
import Testing

@testable import DaybookNATS

extension ServerTests {
    @Suite struct SubscriptionRefusalTests {
        @Test func `a subscription above the server's limit is a typed error`() async throws {
            // One of them is for all replies.
            try await TestServer.with(lines: ["max_subscriptions: 3"]) { server in
                let connection = try await server.connect()
                let jetStream = try JetStream(connection)
                try await jetStream.createStream(StreamTests.configuration("LOG"))
                let consumer = try await jetStream.pullConsumer(of: "LOG", from: 1)
                let first = try await connection.subscribe(to: "a")
                let outcomes = await withTaskGroup(of: NATSError.Code?.self) { group in
                    for _ in 0..<5 {
                        group.addTask {
                            let error = await failure {
                                let other = try await connection.subscribe(to: "b")
                                // Until the others are refused.
                                try await Task.sleep(for: .milliseconds(300))
                                other.end()
                            }
                            return error?.code
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(outcomes.count { $0 == nil } == 1)
                #expect(outcomes.count { $0 == .tooManySubscriptions } == 4)
                let second = try await connection.subscribe(to: "c")
                let pulled = await failure { _ = try await consumer.next(timeout: .seconds(30)) }
                #expect(pulled?.code == .tooManySubscriptions)
                #expect(connection.subscriptionCount == 2)
                for subscription in [first, second] {
                    try await connection.publish(ByteBuffer(), to: subscription.subject)
                    var messages = subscription.makeAsyncIterator()
                    #expect(try await messages.next()?.subject == subscription.subject)
                }
                await connection.close()
            }
        }

        @Test func `a restored subscription above the limit of the next server ends`() async throws
        {
            try await TestServer.with { first in
                try await TestServer.with(lines: ["max_subscriptions: 3"]) { second in
                    await (try first.connect()).close()
                    await (try second.connect()).close()
                    let connection = try await first.connect(
                        try TestServer.options([first, second]))
                    var subscriptions: [NATSSubscription] = []
                    for number in 0..<5 {
                        subscriptions.append(try await connection.subscribe(to: "a.\(number)"))
                    }
                    first.kill()
                    try await eventually { connection.subscriptionCount == 2 ? true : nil }
                    var count = 0
                    for subscription in subscriptions {
                        try await connection.publish(ByteBuffer(), to: subscription.subject)
                        let error = await failure {
                            var messages = subscription.makeAsyncIterator()
                            _ = try await messages.next()
                        }
                        count += error == nil ? 1 : 0
                        #expect(error == nil || error?.code == .tooManySubscriptions)
                    }
                    #expect(count == 2)
                    await connection.close()
                }
            }
        }

        @Test func `a subject with quotes may be denied`() async throws {
            let lines = [
                "authorization { users = [{ user: u, password: p, permissions: {",
                "subscribe: [\"_INBOX.>\", \"ok\"], publish: \">\" } }] }",
            ]
            try await TestServer.with(lines: lines) { server in
                var options = try server.options()
                options.authentication = .userAndPassword(user: "u", password: "p")
                let connection = try await server.connect(options)
                for subject in ["a", "a\"b", "a\\b", "日本\"x"] {
                    let error = await failure { _ = try await connection.subscribe(to: subject) }
                    #expect(error?.code == .permissionDenied, "\(subject)")
                }
                _ = try await connection.subscribe(to: "ok")
                await connection.close()
            }
        }
    }
}
