import DaybookNATS
import Foundation
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    /// Prints rates if the variable `DAYBOOK_NATS_RATES` is set.
    @Suite(.enabled(if: ProcessInfo.processInfo.environment["DAYBOOK_NATS_RATES"] != nil))
    struct RateTests {
        @Test func `one message in flight`() async throws {
            try await StreamTests.withStream { jetStream, _ in
                try await Self.measure(jetStream, "one server")
            }
            try await TestServer.withReplicatedStream { _, connection, jetStream in
                try await Self.measure(jetStream, "three servers")
                await connection.close()
            }
        }

        private static func measure(_ jetStream: JetStream, _ name: String) async throws {
            let payload = ByteBuffer(repeating: 7, count: 1024)
            let count: UInt64 = 2000
            var start = ContinuousClock.now
            for number in 0..<count {
                let receipt = try await jetStream.publish(
                    payload, to: "log.a", expectedLastSequence: number)
                #expect(receipt.sequence == number + 1)
            }
            print("\(name): \(rate(count, start)) appends of 1 KiB per second")
            start = .now
            let part = try await jetStream.messages(
                in: "LOG", from: 1, maxCount: Int(count), maxBytes: 64 << 20)
            #expect(part.messages.count == Int(count))
            print("\(name): \(rate(count, start)) messages read per second")
        }

        private static func rate(_ count: UInt64, _ start: ContinuousClock.Instant) -> Int {
            Int(Double(count) / (start.duration(to: .now) / .seconds(1)))
        }
    }
}
