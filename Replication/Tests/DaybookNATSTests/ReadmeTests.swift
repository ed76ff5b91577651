import DaybookNATS
import Foundation
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    @Suite struct ReadmeTests {
        @Test func `the example of the README runs`() async throws {
            try await TestServer.with { server in
                // Waits until the server accepts.
                try await server.connect().close()
                let options = try NATSOptions(servers: [server.url])
                // The example, except for the addresses of the servers.
                let connection = try await NATSConnection.connect(options)
                let jetStream = try JetStream(connection)
                var configuration = StreamConfiguration(name: "LOG", subjects: ["log.>"])
                configuration.replicaCount = 1
                try await jetStream.createStream(configuration)

                let receipt = try await jetStream.publish(
                    ByteBuffer(string: "commit"), to: "log.store", expectedStream: "LOG",
                    expectedLastSequence: 0, contentId: "hash of the content")
                let part = try await jetStream.messages(in: "LOG", from: receipt.sequence)
                await connection.close()
                #expect(part.messages.map(\.payload) == [ByteBuffer(string: "commit")])
            }
        }

        @Test func `the example of the README is the one that runs`() throws {
            let example = try #require(
                try ReadmeExamples.all().first { $0.contains("jetStream.publish") })
            let code = try ReadmeExamples.words(ofFile: #filePath)
            let calls = ReadmeExamples.words(example).components(separatedBy: "let ").dropFirst()
            #expect(calls.count == 5)
            // The servers and the copies of the stream differ.
            for call in calls.dropFirst(3) {
                #expect(code.contains(call.replacing("await connection.close() ", with: "")))
            }
        }
    }
}
