import DaybookNATS
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    @Suite struct ConsumerTests {
        @Test func `a consumer returns stored messages and then waits`() async throws {
            try await StreamTests.withStream { jetStream, name in
                try await ReadTests.fill(jetStream, count: 25)
                let consumer = try await jetStream.pullConsumer(of: name, from: 6)
                let first = try await consumer.next(count: 10, timeout: .seconds(10))
                #expect(first.map(\.sequence) == Array(6...15))
                #expect(first.first?.payload == ByteBuffer(integer: UInt64(6)))
                #expect(first.first?.timeNanoseconds ?? 0 > 0)
                let rest = try await consumer.next(count: 100, timeout: .milliseconds(200))
                #expect(rest.map(\.sequence) == Array(16...25))
                let none = try await consumer.next(count: 5, timeout: .milliseconds(50))
                #expect(none.isEmpty)
                let task = Task { try await consumer.next(count: 1, timeout: .seconds(30)) }
                try await eventually { jetStream.connection.subscriptionCount == 1 ? true : nil }
                try await jetStream.publish(ByteBuffer(string: "new"), to: "log.a")
                #expect(try await task.value.map(\.sequence) == [26])
                try await consumer.delete()
                let error = await failure { try await consumer.delete() }
                #expect(error?.code == .consumerNotFound && error?.serverCode == 10014)
                let read = await failure {
                    _ = try await consumer.next(count: 1, timeout: .seconds(5))
                }
                #expect(read?.code == .consumerNotFound)
            }
        }

        @Test func `a consumer may begin after the last message`() async throws {
            try await StreamTests.withStream { jetStream, name in
                let consumer = try await jetStream.pullConsumer(of: name, from: 3)
                for number in 1...4 {
                    try await jetStream.publish(ByteBuffer(integer: number), to: "log.a")
                }
                let messages = try await consumer.next(count: 2, timeout: .seconds(5))
                #expect(messages.map(\.sequence) == [3, 4])
                let second = Duration.seconds(1)
                for (count, timeout) in [(0, second), (1, .zero), (.max, second)] {
                    let error = await failure {
                        _ = try await consumer.next(count: count, timeout: timeout)
                    }
                    #expect(error?.code == .invalidArgument)
                }
            }
        }

        @Test func `a pull fails when the server dies`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let jetStream = try JetStream(connection)
                try await jetStream.createStream(StreamTests.configuration("LOG"))
                let consumer = try await jetStream.pullConsumer(of: "LOG", from: 1)
                let task = Task {
                    await failure {
                        _ = try await consumer.next(timeout: .seconds(Int64.max))
                    }
                }
                try await eventually { connection.subscriptionCount == 1 ? true : nil }
                server.kill()
                #expect(await task.value?.code == .connectionLost)
                #expect(connection.subscriptionCount == 0)
                await connection.close()
            }
        }

        @Test func `a pull ends at its limit of bytes`() async throws {
            try await StreamTests.withStream { jetStream, name in
                for _ in 0..<5 {
                    try await jetStream.publish(ByteBuffer(repeating: 0, count: 1000), to: "log.a")
                }
                let consumer = try await jetStream.pullConsumer(of: name, from: 1)
                let some = try await consumer.next(
                    count: 10, maxBytes: 2500, timeout: .seconds(5))
                #expect(some.map(\.sequence) == [1, 2])
                let error = await failure {
                    _ = try await consumer.next(count: 10, maxBytes: 10, timeout: .seconds(5))
                }
                #expect(error?.code == .messageTooLarge)
                let more = try await consumer.next(count: 1, timeout: .seconds(5))
                #expect(more.map(\.sequence) == [3])
            }
        }

        @Test func `a consumer may be limited to a subject`() async throws {
            try await StreamTests.withStream { jetStream, name in
                for number in 1...6 {
                    try await jetStream.publish(ByteBuffer(), to: "log.\(number % 2)")
                }
                let consumer = try await jetStream.pullConsumer(of: name, from: 1, on: "log.1")
                let messages = try await consumer.next(count: 3, timeout: .seconds(5))
                #expect(messages.map(\.sequence) == [1, 3, 5])
            }
        }

        @Test func `a deleted consumer ends a waiting pull`() async throws {
            try await StreamTests.withStream { jetStream, name in
                let consumer = try await jetStream.pullConsumer(of: name, from: 1)
                let task = Task {
                    await failure { _ = try await consumer.next(count: 1, timeout: .seconds(30)) }
                }
                try await eventually { jetStream.connection.subscriptionCount == 1 ? true : nil }
                try await jetStream.connection.flush()
                try await consumer.delete()
                #expect(await task.value?.code == .consumerNotFound)
            }
        }

        @Test func `a consumer of no stream is a typed error`() async throws {
            try await StreamTests.withStream { jetStream, _ in
                let error = await failure {
                    _ = try await jetStream.pullConsumer(of: "NONE", from: 1)
                }
                #expect(error?.code == .streamNotFound)
            }
        }
    }
}
