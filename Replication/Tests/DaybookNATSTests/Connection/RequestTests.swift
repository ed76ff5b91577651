import DaybookNATS
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    @Suite struct RequestTests {
        @Test func `a request gets the reply of a subscriber`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let subscription = try await connection.subscribe(to: "echo.*")
                let responder = Task {
                    for try await message in subscription {
                        var headers = message.headers
                        try headers.append("Subject", message.subject)
                        try await connection.publish(
                            message.payload, to: message.replyTo ?? "", headers: headers)
                    }
                }
                var headers = NATSHeaders()
                try headers.append("Case", "Kept")
                for count in [0, 1, 100_000] {
                    let payload = ByteBuffer(repeating: 7, count: count)
                    let reply = try await connection.request(
                        payload, to: "echo.one", headers: headers)
                    #expect(reply.payload == payload)
                    #expect(reply.headers.all.map(\.name) == ["Case", "Subject"])
                    #expect(reply.headers["subject"] == "echo.one")
                }
                let replies = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<200 {
                        group.addTask {
                            let payload = ByteBuffer(integer: number)
                            return try await connection.request(payload, to: "echo.two").payload
                                == payload
                        }
                    }
                    return try await group.reduce(into: [Bool]()) { $0.append($1) }
                }
                #expect(replies == Array(repeating: true, count: 200))
                subscription.end()
                try await responder.value
                await connection.close()
            }
        }

        @Test func `a request without a subscriber is a typed error`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let error = await failure {
                    _ = try await connection.request(ByteBuffer(), to: "a")
                }
                #expect(error?.code == .noResponders)
                #expect(error?.isOutcomeUnknown == false)
                await connection.close()
            }
        }

        @Test func `a late reply and a cancelled request leave nothing`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let subscription = try await connection.subscribe(to: "slow")
                let late = await failure {
                    _ = try await connection.request(
                        ByteBuffer(), to: "slow", timeout: .milliseconds(20))
                }
                #expect(late?.code == .timeout && late?.isOutcomeUnknown == true)
                let task = Task {
                    await failure { _ = try await connection.request(ByteBuffer(), to: "slow") }
                }
                var messages = subscription.makeAsyncIterator()
                let first = try #require(try await messages.next())
                let second = try #require(try await messages.next())
                task.cancel()
                #expect(await task.value?.code == .cancelled)
                for message in [first, second] {
                    try await connection.publish(ByteBuffer(), to: message.replyTo ?? "")
                }
                try await connection.flush()
                #expect(connection.pendingReplyCount == 0)
                await connection.close()
            }
        }

        @Test func `a cancelled task sends nothing`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let subscription = try await connection.subscribe(to: "a")
                let task = Task {
                    try? await Task.sleep(for: .seconds(60))
                    let published = await failure {
                        try await connection.publish(ByteBuffer(string: "late"), to: "a")
                    }
                    let requested = await failure {
                        _ = try await connection.request(ByteBuffer(string: "late"), to: "a")
                    }
                    return [published?.code, requested?.code]
                }
                task.cancel()
                #expect(await task.value == [.cancelled, .cancelled])
                try await connection.publish(ByteBuffer(string: "first"), to: "a")
                var messages = subscription.makeAsyncIterator()
                #expect(try await messages.next()?.payload == ByteBuffer(string: "first"))
                await connection.close()
            }
        }

        @Test func `a cancelled reader does not lose a message`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let subscription = try await connection.subscribe(to: "a")
                let task = Task {
                    await failure {
                        for try await _ in subscription { Issue.record("There is no message.") }
                    }
                }
                task.cancel()
                #expect(await task.value?.code == .cancelled)
                try await connection.publish(ByteBuffer(string: "x"), to: "a")
                var messages = subscription.makeAsyncIterator()
                #expect(try await messages.next()?.payload == ByteBuffer(string: "x"))
                await connection.close()
            }
        }

        @Test func `a closed connection ends subscriptions and refuses calls`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let subscription = try await connection.subscribe(to: "a")
                try await connection.publish(ByteBuffer(string: "last"), to: "a")
                try await connection.flush()
                let task = Task {
                    await failure {
                        _ = try await connection.request(ByteBuffer(), to: "a")
                    }
                }
                try await eventually { connection.pendingReplyCount == 1 ? true : nil }
                await connection.close()
                await connection.close()
                #expect(await task.value?.code == .closed)
                #expect(await failure { try await connection.flush() }?.code == .closed)
                let published = await failure {
                    try await connection.publish(ByteBuffer(), to: "a")
                }
                #expect(published?.code == .closed && published?.isOutcomeUnknown == false)
                var messages = subscription.makeAsyncIterator()
                #expect(try await messages.next()?.payload == ByteBuffer(string: "last"))
                while try await messages.next() != nil {}
                var states: [String] = []
                for await state in connection.states { states.append("\(state)") }
                #expect(states == ["closed"])
            }
        }

        @Test func `a message above the server's limit is not sent`() async throws {
            try await TestServer.with(lines: ["max_payload: 1000"]) { server in
                let connection = try await server.connect()
                #expect(connection.serverInfo.payloadSizeBytesMax == 1000)
                let large = ByteBuffer(repeating: 0, count: 1001)
                let error = await failure { try await connection.publish(large, to: "a") }
                #expect(error?.code == .messageTooLarge)
                try await connection.publish(ByteBuffer(repeating: 0, count: 1000), to: "a")
                try await connection.flush()
                await connection.close()
            }
        }

        @Test func `one member of a queue gets each message`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let one = try await connection.subscribe(to: "q.>", queue: "workers")
                let two = try await connection.subscribe(to: "q.>", queue: "workers")
                for number in 0..<100 {
                    try await connection.publish(ByteBuffer(integer: number), to: "q.a.b")
                }
                try await connection.flush()
                one.end()
                two.end()
                var counts = [0, 0]
                for try await _ in one { counts[0] += 1 }
                for try await _ in two { counts[1] += 1 }
                #expect(counts[0] + counts[1] == 100)
                await connection.close()
            }
        }
    }
}
