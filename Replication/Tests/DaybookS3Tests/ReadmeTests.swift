import Daybook
import DaybookArchive
import DaybookS3
import Foundation
import ReplicationTestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct ReadmeTests {
    @Test(arguments: StorageProgram.installed)
    func `the example of the README runs`(program: StorageProgram) async throws {
        try await TestDirectory.with { files in
            let store = try await Store(path: files.file("store"), entities: [Note.self])
            try await store.box(for: Note.self).put(Note("kept"))
            let yesterday = Date.now
            try await Task.sleep(for: .milliseconds(2))
            try await store.box(for: Note.self).put(Note("later"))
            let directory = URL(filePath: files.file("restored"))
            // The example, except for the location and the credentials.
            let storage = try await ObjectStorageServer.bucket(program)
            let archiver = try await Archiver(store, in: storage)
            try await archiver.push()

            let archive = try await Archive.open(storage)
            try await archive.restore(to: directory, until: .date(yesterday))

            let restored = try await Store(path: files.file("restored"), entities: [Note.self])
            #expect(try await restored.box(for: Note.self).all().map(\.text) == ["kept"])
            try await store.close()
        }
    }

    @Test func `the example of the README is the one that runs`() throws {
        let code = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let example = try #require(
            try ReadmeExamples.all().first { $0.contains("Archiver(") })
        let calls = example.split(separator: "\n").filter { $0.contains("try await") }
        #expect(calls.count == 4)
        for call in calls { #expect(code.contains(call), "\(call)") }
    }
}
