import DaybookNATS
import Foundation
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    @Suite struct ReadTests {
        @Test func `a message is read as it was published`() async throws {
            try await StreamTests.withStream { jetStream, name in
                #expect(try await jetStream.message(in: name, at: 1) == nil)
                #expect(try await jetStream.message(in: name, at: 0) == nil)
                #expect(try await jetStream.lastMessage(in: name, on: "log.a") == nil)
                var headers = NATSHeaders()
                try headers.append("Kept", "Value")
                let payload = ByteBuffer(repeating: 3, count: 70_000)
                try await jetStream.publish(payload, to: "log.a", headers: headers)
                try await jetStream.publish(ByteBuffer(), to: "log.b")
                let message = try #require(try await jetStream.message(in: name, at: 1))
                #expect(message.payload == payload && message.subject == "log.a")
                #expect(message.sequence == 1 && message.headers == headers)
                let seconds = Double(message.timeNanoseconds) / 1e9
                #expect(abs(seconds - Date().timeIntervalSince1970) < 3600)
                #expect(try await jetStream.lastMessage(in: name, on: "log.b")?.sequence == 2)
                #expect(try await jetStream.lastMessage(in: name, on: "log.*")?.sequence == 2)
            }
        }

        @Test func `the last message on a subject up to a sequence is read`() async throws {
            try await StreamTests.withStream { jetStream, name in
                for subject in ["log.a", "log.b", "log.a", "log.b"] {
                    try await jetStream.publish(ByteBuffer(), to: subject)
                }
                for (limit, sequence): (UInt64, UInt64?) in [
                    (0, nil), (1, 1), (2, 1), (3, 3), (4, 3), (100, 3), (.max, 3),
                ] {
                    let found = try await jetStream.lastMessage(
                        in: name, on: "log.a", upTo: limit)
                    #expect(found?.sequence == sequence)
                }
                #expect(try await jetStream.lastMessage(in: name, on: "log.b", upTo: 1) == nil)
                for (subject, sequence): (String, UInt64) in [
                    ("log.a", 3), ("log.b", 4), ("log.c", 0),
                ] {
                    #expect(try await jetStream.lastSequence(in: name, on: subject) == sequence)
                }
                let missing = await failure {
                    _ = try await jetStream.lastSequence(in: "MISSING", on: "log.a")
                }
                #expect(missing?.code == .streamNotFound, "\(String(describing: missing))")
                let error = await failure {
                    _ = try await jetStream.lastMessage(in: name, on: "log.*", upTo: 1)
                }
                #expect(error?.code == .invalidArgument)
            }
        }

        @Test func `parts of a stream are in order and complete`() async throws {
            try await StreamTests.withStream { jetStream, name in
                try await Self.fill(jetStream, count: 2500)
                var sequence: UInt64 = 1
                var counts: [Int] = []
                while true {
                    let part = try await jetStream.messages(
                        in: name, from: sequence, maxCount: 1000)
                    if part.messages.isEmpty { break }
                    for message in part.messages {
                        #expect(message.sequence == sequence)
                        #expect(message.payload == ByteBuffer(integer: sequence))
                        sequence += 1
                    }
                    counts.append(part.messages.count)
                    #expect(part.pendingCount == 2501 - sequence)
                }
                #expect(counts == [1000, 1000, 500])
            }
        }

        @Test func `a part ends at its limit of bytes`() async throws {
            try await StreamTests.withStream { jetStream, name in
                for _ in 0..<10 {
                    try await jetStream.publish(
                        ByteBuffer(repeating: 1, count: 100_000), to: "log.a")
                }
                let part = try await jetStream.messages(in: name, from: 3, maxBytes: 250_000)
                #expect((1...3).contains(part.messages.count))
                #expect(part.messages.first?.sequence == 3)
                #expect(part.pendingCount == UInt64(8 - part.messages.count))
                let one = try await jetStream.messages(in: name, from: 3, maxBytes: 1)
                #expect(one.messages.map(\.sequence) == [3])
                let end = try await jetStream.messages(in: name, from: 11)
                #expect(end.messages.isEmpty && end.pendingCount == 0)
            }
        }

        @Test func `a message of 8 MiB is stored and read`() async throws {
            try await TestServer.with(lines: ["max_payload: 8500000"]) { server in
                let connection = try await server.connect()
                let jetStream = try JetStream(connection)
                try await jetStream.createStream(StreamTests.configuration("LOG"))
                var bytes = [UInt8](repeating: 0, count: 8 << 20)
                for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index / 251) }
                let payload = ByteBuffer(bytes: bytes)
                for _ in 0..<3 { try await jetStream.publish(payload, to: "log.a") }
                #expect(try await jetStream.message(in: "LOG", at: 1)?.payload == payload)
                let part = try await jetStream.messages(in: "LOG", from: 1, maxBytes: 64 << 20)
                #expect(part.messages.map(\.payload) == [payload, payload, payload])
                let consumer = try await jetStream.pullConsumer(of: "LOG", from: 2)
                let pulled = try await consumer.next(count: 2, timeout: .seconds(10))
                #expect(pulled.map(\.payload) == [payload, payload])
                await connection.close()
            }
        }

        @Test func `a part may be limited to a subject`() async throws {
            try await StreamTests.withStream { jetStream, name in
                for number in 1...20 {
                    try await jetStream.publish(ByteBuffer(), to: "log.\(number % 2).x")
                }
                let part = try await jetStream.messages(
                    in: name, from: 5, maxCount: 4, on: "log.0.*")
                #expect(part.messages.map(\.sequence) == [6, 8, 10, 12])
                #expect(part.pendingCount == 4)
                let none = try await jetStream.messages(in: name, from: 1, on: "log.7")
                #expect(none.messages.isEmpty && none.pendingCount == 0)
            }
        }

        @Test func `headers of a publisher do not change the place of a message`() async throws {
            try await StreamTests.withStream { jetStream, name in
                var headers = NATSHeaders()
                try headers.append("Nats-Sequence", "99")
                try headers.append("Nats-Subject", "log.forged")
                try await jetStream.publish(ByteBuffer(string: "x"), to: "log.a", headers: headers)
                let message = try #require(try await jetStream.message(in: name, at: 1))
                #expect(message.sequence == 1 && message.subject == "log.a")
                #expect(message.headers == headers)
            }
        }

        @Test func `a stored status does not look like the end of a part`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let jetStream = try JetStream(connection)
                try await jetStream.createStream(StreamTests.configuration("LOG"))
                for status in ["204 EOB", "404 No", "503"] {
                    let block = "NATS/1.0 \(status)\r\n\r\n"
                    try await connection.publishRaw(
                        "HPUB log.a \(block.utf8.count) \(block.utf8.count)\r\n\(block)\r\n")
                }
                try await jetStream.publish(ByteBuffer(string: "last"), to: "log.a")
                let part = try await jetStream.messages(in: "LOG", from: 1)
                #expect(part.messages.map(\.sequence) == [1, 2, 3, 4])
                for sequence in 1...UInt64(3) {
                    let message = try await jetStream.message(in: "LOG", at: sequence)
                    #expect(message?.sequence == sequence)
                }
                let consumer = try await jetStream.pullConsumer(of: "LOG", from: 1)
                let pulled = try await consumer.next(count: 4, timeout: .seconds(5))
                #expect(pulled.map(\.sequence) == [1, 2, 3, 4])
                await connection.close()
            }
        }

        /// Appends messages whose content is their sequence.
        static func fill(_ jetStream: JetStream, count: Int) async throws {
            var sequence: UInt64 = 1
            while sequence <= count {
                let last = min(sequence + 999, UInt64(count))
                let messages = (sequence...last).map {
                    BatchMessage(ByteBuffer(integer: $0), to: "log.a")
                }
                let receipt = try await jetStream.publishBatch(messages)
                sequence = receipt.sequence + 1
            }
        }
    }
}
