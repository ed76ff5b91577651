import DaybookNATS
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    @Suite struct SlowConsumerTests {
        @Test func `a slow subscriber gets an error and the connection stays usable`() async throws
        {
            try await TestServer.with { server in
                var options = try server.options()
                options.subscriptionBufferSizeBytesMax = 100_000
                let connection = try await server.connect(options)
                let slow = try await connection.subscribe(to: "fast")
                for _ in 0..<200 {
                    try await connection.publish(ByteBuffer(repeating: 1, count: 1000), to: "fast")
                }
                try await connection.flush()
                var count = 0
                let error = await failure {
                    for try await message in slow {
                        #expect(message.payload.readableBytes == 1000)
                        count += 1
                    }
                }
                #expect(error?.code == .slowConsumer)
                #expect((70..<100).contains(count))
                #expect(connection.subscriptionCount == 0)
                let other = try await connection.subscribe(to: "fast")
                try await connection.publish(ByteBuffer(string: "x"), to: "fast")
                var messages = other.makeAsyncIterator()
                #expect(try await messages.next()?.payload == ByteBuffer(string: "x"))
                await connection.close()
            }
        }
    }
}
