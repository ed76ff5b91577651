import DaybookNATS
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    @Suite struct ClusterTests {
        @Test func `appends continue after the leader is killed`() async throws {
            try await TestServer.withReplicatedStream { servers, connection, jetStream in
                for number in UInt64(1)...20 {
                    try await Self.append(number, jetStream)
                }
                // A replicated stream checks the id before the expectation.
                let again = try await jetStream.publish(
                    ByteBuffer(integer: UInt64(20)), to: "log.a", expectedLastSequence: 19,
                    contentId: "20")
                #expect(again.isDuplicate && again.sequence == 20)
                let info = try await jetStream.stream(named: "LOG")
                #expect(info.cluster?.replicas?.count == 2)
                let leader = try #require(info.cluster?.leader)
                let index = try #require(["n0", "n1", "n2"].firstIndex(of: leader))
                servers[index].kill()
                for number in UInt64(21)...40 {
                    try await Self.append(number, jetStream)
                }
                try servers[index].start()
                let part = try await eventually {
                    // A replica that is behind may answer with less.
                    let part = try? await jetStream.messages(in: "LOG", from: 1)
                    return part?.messages.count == 40 ? part : nil
                }
                #expect(part.messages.map(\.sequence) == Array(1...40))
                let contents = part.messages.map(\.payload)
                #expect(contents == (UInt64(1)...40).map { ByteBuffer(integer: $0) })
                await connection.close()
            }
        }

        /// Appends one message and tries again with the same id until the stream has it.
        private static func append(_ number: UInt64, _ jetStream: JetStream) async throws {
            try await eventually {
                do throws(NATSError) {
                    let receipt = try await jetStream.publish(
                        ByteBuffer(integer: number), to: "log.a",
                        expectedLastSequence: number - 1, contentId: String(number),
                        timeout: .seconds(2))
                    #expect(receipt.sequence == number)
                    return true
                } catch {
                    let isTransient =
                        error.isOutcomeUnknown
                        || [.noResponders, .notConnected].contains(error.code)
                    #expect(isTransient, "\(error)")
                    return nil
                }
            }
        }
    }
}
