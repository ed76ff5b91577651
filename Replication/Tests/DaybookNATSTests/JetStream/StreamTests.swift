import DaybookNATS
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    @Suite struct StreamTests {
        @Test func `a stream is created, changed, described and deleted`() async throws {
            try await Self.withStream { jetStream, name in
                let info = try await jetStream.stream(named: name)
                #expect(info.configuration == Self.configuration(name))
                #expect(info.state.messageCount == 0 && info.state.lastSequence == 0)
                // The same configuration again is not an error, another one is.
                try await jetStream.createStream(Self.configuration(name))
                var changed = Self.configuration(name)
                changed.sizeBytesMax = 2 << 20
                let other = await failure { try await jetStream.createStream(changed) }
                #expect(other?.code == .refused && other?.serverCode == 10058)
                changed.ageMax = .seconds(3600)
                changed.description = "Changed."
                #expect(try await jetStream.updateStream(changed).configuration == changed)
                let unknown = await failure { _ = try await jetStream.stream(named: "NONE") }
                #expect(unknown?.code == .streamNotFound && unknown?.serverCode == 10059)
                try await jetStream.deleteStream(named: name)
                let deleted = await failure { try await jetStream.deleteStream(named: name) }
                #expect(deleted?.code == .streamNotFound)
            }
        }

        @Test func `an append behind the last sequence is refused with its number`() async throws {
            try await Self.withStream { jetStream, name in
                for number in 0..<3 {
                    let receipt = try await jetStream.publish(
                        ByteBuffer(integer: number), to: "log.a", expectedStream: name,
                        expectedLastSequence: UInt64(number))
                    #expect(receipt.sequence == UInt64(number) + 1)
                    #expect(receipt.stream == name && !receipt.isDuplicate)
                }
                for stale: UInt64 in [0, 2, 4, .max] {
                    let error = await failure {
                        try await jetStream.publish(
                            ByteBuffer(), to: "log.a", expectedLastSequence: stale)
                    }
                    #expect(error?.code == .wrongLastSequence && error?.serverCode == 10071)
                    #expect(error?.isOutcomeUnknown == false)
                }
                let wrongStream = await failure {
                    try await jetStream.publish(ByteBuffer(), to: "log.a", expectedStream: "OTHER")
                }
                #expect(wrongStream?.serverCode == 10060)
                #expect(try await jetStream.stream(named: name).state.lastSequence == 3)
            }
        }

        @Test func `each subject has an expected sequence`() async throws {
            try await Self.withStream { jetStream, _ in
                try await jetStream.publish(
                    ByteBuffer(), to: "log.a", expectedLastSubjectSequence: 0)
                let second = try await jetStream.publish(
                    ByteBuffer(), to: "log.b", expectedLastSubjectSequence: 0)
                let third = try await jetStream.publish(
                    ByteBuffer(), to: "log.a", expectedLastSubjectSequence: 1)
                #expect(second.sequence == 2 && third.sequence == 3)
                let error = await failure {
                    try await jetStream.publish(
                        ByteBuffer(), to: "log.b", expectedLastSubjectSequence: 1)
                }
                #expect(error?.code == .wrongLastSequence && error?.serverCode == 10071)
            }
        }

        @Test func `a repeated content id stores nothing`() async throws {
            try await Self.withStream { jetStream, name in
                let first = try await jetStream.publish(
                    ByteBuffer(string: "x"), to: "log.a", expectedLastSequence: 0, contentId: "id")
                try await jetStream.publish(ByteBuffer(string: "y"), to: "log.a", contentId: "id2")
                let again = try await jetStream.publish(
                    ByteBuffer(string: "x"), to: "log.a", contentId: "id")
                #expect(first.sequence == 1 && !first.isDuplicate)
                #expect(again.sequence == 1 && again.isDuplicate)
                // A stream with one copy checks the expectation before the id.
                let error = await failure {
                    try await jetStream.publish(
                        ByteBuffer(string: "x"), to: "log.a", expectedLastSequence: 0,
                        contentId: "id")
                }
                #expect(error?.code == .wrongLastSequence)
                #expect(try await jetStream.stream(named: name).state.messageCount == 2)
            }
        }

        @Test func `a subject without a stream is a typed error`() async throws {
            try await Self.withStream { jetStream, _ in
                let error = await failure { try await jetStream.publish(ByteBuffer(), to: "none") }
                #expect(error?.code == .noResponders)
                let read = await failure { _ = try await jetStream.message(in: "NONE", at: 1) }
                #expect(read?.code == .noResponders)
                var headers = NATSHeaders()
                try headers.append("Nats-Expected-Last-Msg-Id", "x")
                let refused = await failure {
                    try await jetStream.publish(ByteBuffer(), to: "log.a", headers: headers)
                }
                #expect(refused?.code == .invalidHeader)
            }
        }

        @Test func `two writers never get the same sequence`() async throws {
            try await TestServer.with { server in
                let one = try await server.connect()
                let two = try await server.connect()
                try await JetStream(one).createStream(Self.configuration("LOG"))
                let counts = try await withThrowingTaskGroup(of: Set<UInt64>.self) { group in
                    for connection in [one, two] {
                        group.addTask { try await Self.append(100, try JetStream(connection)) }
                    }
                    return try await group.reduce(into: [Set<UInt64>]()) { $0.append($1) }
                }
                #expect(counts[0].isDisjoint(with: counts[1]))
                #expect(counts[0].union(counts[1]) == Set(1...200))
                let last = try await JetStream(two).stream(named: "LOG").state.lastSequence
                #expect(last == 200)
                await one.close()
                await two.close()
            }
        }

        /// Appends messages in competition with another writer. Returns their sequences.
        private static func append(
            _ count: Int, _ jetStream: JetStream
        ) async throws -> Set<UInt64> {
            var sequences: Set<UInt64> = []
            while sequences.count < count {
                let last = try await jetStream.stream(named: "LOG").state.lastSequence
                do throws(NATSError) {
                    let receipt = try await jetStream.publish(
                        ByteBuffer(), to: "log.a", expectedLastSequence: last)
                    sequences.insert(receipt.sequence)
                } catch {
                    #expect(error.code == .wrongLastSequence)
                }
            }
            return sequences
        }

        @Test func `a stream of a domain is used through the domain`() async throws {
            try await TestServer.with(domain: "hub") { server in
                let connection = try await server.connect()
                #expect(connection.serverInfo.domain == "hub")
                let jetStream = try JetStream(connection, domain: "hub")
                try await jetStream.createStream(Self.configuration("LOG"))
                let receipt = try await jetStream.publish(ByteBuffer(string: "x"), to: "log.a")
                #expect(receipt.domain == "hub")
                #expect(try await jetStream.message(in: "LOG", at: 1)?.sequence == 1)
                let consumer = try await jetStream.pullConsumer(of: "LOG", from: 1)
                let messages = try await consumer.next(count: 1, timeout: .seconds(5))
                #expect(messages.map(\.sequence) == [1])
                let other = try JetStream(connection, domain: "none")
                let error = await failure { _ = try await other.stream(named: "LOG") }
                #expect(error?.code == .noResponders)
                #expect(throws: NATSError.self) { try JetStream(connection, domain: "a.b") }
                await connection.close()
            }
        }

        @Test func `a mirror has the messages and sequences of its stream`() async throws {
            try await Self.withStream { jetStream, name in
                for number in 1...3 {
                    try await jetStream.publish(ByteBuffer(integer: number), to: "log.\(number)")
                }
                var mirror = StreamConfiguration(name: "MIRROR", subjects: [])
                mirror.replicaCount = 1
                mirror.allowsAtomicBatches = false
                mirror.mirror = StreamConfiguration.Source(name: name)
                let info = try await jetStream.createStream(mirror)
                #expect(info.configuration.mirror?.name == name)
                let part = try await eventually {
                    let part = try await jetStream.messages(in: "MIRROR", from: 1)
                    return part.messages.count == 3 ? part : nil
                }
                #expect(part.messages.map(\.subject) == ["log.1", "log.2", "log.3"])
                #expect(part.messages.map(\.sequence) == [1, 2, 3])
            }
        }

        @Test func `a full stream refuses messages`() async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let jetStream = try JetStream(connection)
                var configuration = Self.configuration("FULL")
                configuration.messageCountMax = 2
                try await jetStream.createStream(configuration)
                try await jetStream.publish(ByteBuffer(), to: "log.a")
                try await jetStream.publish(ByteBuffer(), to: "log.a")
                let error = await failure { try await jetStream.publish(ByteBuffer(), to: "log.a") }
                #expect(error?.code == .refused && error?.serverCode == 10077)
                await connection.close()
            }
        }

        @Test func `a purge removes the messages below a sequence`() async throws {
            try await Self.withStream { jetStream, name in
                for number in 1...5 {
                    try await jetStream.publish(ByteBuffer(integer: number), to: "log.a")
                }
                #expect(try await jetStream.purge(stream: name, below: 4) == 3)
                #expect(try await jetStream.message(in: name, at: 3) == nil)
                #expect(try await jetStream.message(in: name, at: 4)?.sequence == 4)
                #expect(try await jetStream.purge(stream: name, below: 1) == 0)
                let state = try await jetStream.stream(named: name).state
                #expect(state.firstSequence == 4 && state.lastSequence == 5)
                for wrong: UInt64 in [0, 7, .max] {
                    let error = await failure {
                        try await jetStream.purge(stream: name, below: wrong)
                    }
                    #expect(error?.code == .invalidArgument)
                }
                #expect(try await jetStream.messages(in: name, from: 1).messages.count == 2)
                #expect(try await jetStream.purge(stream: name, below: 6) == 2)
                let next = try await jetStream.publish(
                    ByteBuffer(), to: "log.a", expectedLastSequence: 5)
                #expect(next.sequence == 6)
            }
        }

        @Test func `a purge of a subject leaves the messages of others`() async throws {
            try await Self.withStream { jetStream, name in
                for subject in ["log.a", "log.b", "log.a", "log.b"] {
                    try await jetStream.publish(ByteBuffer(), to: subject)
                }
                #expect(try await jetStream.purge(stream: name, below: 4, on: "log.a") == 2)
                let rest = try await jetStream.messages(in: name, from: 1).messages
                #expect(rest.map(\.sequence) == [2, 4])
                let error = await failure {
                    _ = try await jetStream.purge(stream: name, below: 4, on: "log..a")
                }
                #expect(error?.code == .invalidArgument)
            }
        }

        /// The configuration of a log with one copy.
        static func configuration(_ name: String) -> StreamConfiguration {
            var configuration = StreamConfiguration(name: name, subjects: ["log.>"])
            configuration.replicaCount = 1
            return configuration
        }

        /// Runs a server with one stream during `body`.
        static func withStream(
            _ body: (JetStream, String) async throws -> Void
        ) async throws {
            try await TestServer.with { server in
                let connection = try await server.connect()
                let jetStream = try JetStream(connection)
                try await jetStream.createStream(configuration("LOG"))
                try await body(jetStream, "LOG")
                #expect(connection.pendingReplyCount == 0)
                await connection.close()
            }
        }
    }
}
