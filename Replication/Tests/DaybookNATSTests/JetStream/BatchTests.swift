import DaybookNATS
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    @Suite struct BatchTests {
        @Test func `a batch is stored completely and in order`() async throws {
            try await StreamTests.withStream { jetStream, name in
                let single = try await jetStream.publishBatch(
                    [BatchMessage(ByteBuffer(string: "0"), to: "log.a")], expectedStream: name,
                    expectedLastSequence: 0)
                #expect(single.sequence == 1)
                let messages = (1...100).map {
                    BatchMessage(ByteBuffer(string: String($0)), to: "log.\($0 % 3)")
                }
                let receipt = try await jetStream.publishBatch(messages, expectedLastSequence: 1)
                #expect(receipt.sequence == 101 && receipt.stream == name)
                let stored = try await jetStream.messages(in: name, from: 1).messages
                #expect(stored.map { String(buffer: $0.payload) } == (0...100).map(String.init))
                #expect(stored.map(\.sequence) == Array(1...101))
            }
        }

        @Test func `a batch behind the last sequence stores nothing`() async throws {
            try await StreamTests.withStream { jetStream, name in
                try await jetStream.publish(ByteBuffer(), to: "log.a")
                for count in [1, 2, 10] {
                    let messages = Array(
                        repeating: BatchMessage(ByteBuffer(string: "x"), to: "log.a"), count: count)
                    let error = await failure {
                        try await jetStream.publishBatch(messages, expectedLastSequence: 0)
                    }
                    #expect(error?.code == .wrongLastSequence, "\(String(describing: error))")
                }
                #expect(try await jetStream.stream(named: name).state.lastSequence == 1)
            }
        }

        @Test func `a batch expects the last sequence of its subject`() async throws {
            try await StreamTests.withStream { jetStream, name in
                let messages = Array(
                    repeating: BatchMessage(ByteBuffer(), to: "log.a"), count: 3)
                let first = try await jetStream.publishBatch(
                    messages, expectedLastSubjectSequence: 0)
                #expect(first.sequence == 3)
                try await jetStream.publish(ByteBuffer(), to: "log.b")
                for wrong: UInt64 in [0, 2, 4] {
                    let error = await failure {
                        try await jetStream.publishBatch(
                            messages, expectedLastSubjectSequence: wrong)
                    }
                    #expect(error?.code == .wrongLastSequence, "\(String(describing: error))")
                }
                let second = try await jetStream.publishBatch(
                    messages, expectedLastSubjectSequence: 3)
                #expect(second.sequence == 7)
            }
        }

        @Test func `a batch with a message for no stream stores nothing`() async throws {
            try await StreamTests.withStream { jetStream, name in
                let subjects = ["log.a", "log.a", "other.a", "log.a"]
                let messages = subjects.map { BatchMessage(ByteBuffer(), to: $0) }
                let error = await failure { try await jetStream.publishBatch(messages) }
                #expect(error?.code == .refused, "\(String(describing: error))")
                let state = try await jetStream.stream(named: name).state
                #expect(state.messageCount == 0)
            }
        }

        @Test func `a batch of too many messages is not sent`() async throws {
            try await StreamTests.withStream { jetStream, name in
                let message = BatchMessage(ByteBuffer(), to: "log.a")
                for count in [0, 1001] {
                    let messages = Array(repeating: message, count: count)
                    let error = await failure { try await jetStream.publishBatch(messages) }
                    #expect(error?.code == .invalidArgument)
                }
                let largest = try await jetStream.publishBatch(
                    Array(repeating: message, count: JetStream.batchMessageCountMax))
                #expect(largest.sequence == 1000)
                #expect(try await jetStream.stream(named: name).state.messageCount == 1000)
            }
        }

        @Test func `headers of a message do not commit a part of a batch`() async throws {
            try await StreamTests.withStream { jetStream, name in
                var headers = NATSHeaders()
                try headers.append("Nats-Batch-Commit", "1")
                let commit = BatchMessage(ByteBuffer(), to: "log.a", headers: headers)
                let plain = BatchMessage(ByteBuffer(), to: "log.a")
                for messages in [[commit, plain], [plain, commit, plain]] {
                    let before = try await jetStream.stream(named: name).state.lastSequence
                    let receipt = try await jetStream.publishBatch(messages)
                    #expect(receipt.sequence == before + UInt64(messages.count))
                }
            }
        }

        @Test func `a stream without batches refuses them`() async throws {
            try await StreamTests.withStream { jetStream, name in
                var configuration = StreamTests.configuration(name)
                configuration.allowsAtomicBatches = false
                try await jetStream.updateStream(configuration)
                let message = BatchMessage(ByteBuffer(), to: "log.a")
                let error = await failure {
                    try await jetStream.publishBatch([message, message])
                }
                #expect(error?.code == .refused)
                #expect(try await jetStream.stream(named: name).state.messageCount == 0)
            }
        }
    }
}
