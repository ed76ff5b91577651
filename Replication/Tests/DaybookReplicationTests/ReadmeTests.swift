import Daybook
import DaybookNATS
@testable import DaybookReplication
import Foundation
import ReplicationTestSupport
import Testing

@Suite(.enabled(if: ServerProgram.isInstalled), .timeLimit(.minutes(3))) struct ReadmeTests {
    @Test func `the examples of the README run`() async throws {
        try await TestServer.with { server in
            // Waits until the server accepts.
            try await server.connect().close()
            try await TestDirectory.with { directory in
                // The examples, except for the servers, the copies and the directories.
                let options = try NATSOptions(servers: [server.url])
                let connection = try await NATSConnection.connect(options)
                let log = ReplicatedLog(try JetStream(connection), stream: "NOTES")
                try await log.create(replicaCount: 1)

                let writer = try await ReplicatedStore.open(
                    directoryPath: directory.file("a"), entities: Note.self, log: log)
                let id = try await writer.store.box(for: Note.self).put(Note("on three servers"))
                let sequence = try writer.store.sequence

                let follower = try await Follower.open(
                    directoryPath: directory.file("b"), entities: Note.self, log: log)
                try await follower.wait(for: sequence)
                let note = try await follower.store.box(for: Note.self).get(id)
                #expect(note?.text == "on three servers")
                try await follower.close()
                try await writer.close()
                await connection.close()
            }
        }
    }

    @Test func `the examples of the README are the ones that run`() throws {
        let examples = try ReadmeExamples.all().filter {
            $0.contains("ReplicatedStore") || $0.contains("Follower")
        }
        #expect(examples.count == 2)
        let code = try ReadmeExamples.words(ofFile: #filePath)
        let calls = examples.flatMap {
            ReadmeExamples.words($0).components(separatedBy: "let ").dropFirst()
        }
        #expect(calls.count == 8)
        for call in calls
        where !["n1:4222", "replicaCount", "/var/lib"].contains(where: call.contains) {
            #expect(code.contains(call), "\(call)")
        }
    }
}
