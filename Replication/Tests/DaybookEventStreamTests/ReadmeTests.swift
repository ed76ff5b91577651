import Daybook
import DaybookEventStream
import DaybookNATS
import Foundation
import ReplicationTestSupport
import Testing

@Suite(.enabled(if: ServerProgram.isInstalled), .timeLimit(.minutes(3))) struct ReadmeTests {
    @Test func `the examples of the README run`() async throws {
        try await TestServer.with { server in
            let connection = try await server.connect()
            try await TestDirectory.with { directory in
                let device = try Store.device()
                try device.append("roof", 0..<3)
                // The examples, except for the copies and the directory. The server collects first.
                let stream = EventStream(try JetStream(connection), name: "READINGS")
                try await stream.create(replicaCount: 1)
                let shipper = try EventShipper(device, of: [Measure.self], to: stream)
                try await shipper.sendPending()

                let store = try await Store(
                    path: directory.file("store"),
                    entities: [Measure.self] + EventCollector.entities)
                let collector = try EventCollector(store, from: stream)
                try await collector.collectPending()
                #expect(try await store.measures().map(\.number) == [0, 1, 2])
                try await store.close()
                try await device.close()
            }
            await connection.close()
        }
    }

    @Test func `the examples of the README are the ones that run`() throws {
        let examples = try ReadmeExamples.all().filter {
            $0.contains("EventShipper(") || $0.contains("EventCollector(")
        }
        #expect(examples.count == 2)
        let code = try ReadmeExamples.words(ofFile: #filePath)
        let lines = examples.joined().split(separator: "\n").map {
            ReadmeExamples.words(String($0))
        }
        let calls = lines.filter { $0.hasPrefix("let") || $0.hasPrefix("try") }
        #expect(calls.count == 7)
        for call in calls where !call.contains("replicaCount") {
            #expect(code.contains(call), "\(call)")
        }
    }
}
