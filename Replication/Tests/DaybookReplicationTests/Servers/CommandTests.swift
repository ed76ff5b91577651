import Daybook
import DaybookArchive
import DaybookNATS
@testable import DaybookReplication
import Foundation
import ReplicationTestSupport
import Testing

/// The command `daybook-replicate`, run as a process.
@Suite(.serialized, .enabled(if: ServerProgram.isInstalled), .timeLimit(.minutes(5)))
struct CommandTests {
    /// Starts the command.
    private func start(_ arguments: [String]) throws -> CommandRun {
        try CommandRun("daybook-replicate", arguments)
    }

    @Test func `a store becomes a log, is followed, and is taken over`() async throws {
        try await TestServer.with { server in
            let connection = try await server.connect()
            try await TestDirectory.with { directory in
                let place = ["--stream", "NOTES", "--server", server.url]
                let path = directory.file("a")
                let store = try await Store(directoryPath: path, entities: Note.self)
                try await store.box(for: Note.self).put([Note("one"), Note("two")])
                try await store.close()
                #expect(try start(["create", "--copies", "1"] + place).end().code == 0)
                let missing = try start(["status"] + place).end()
                #expect(missing.code == 1 && missing.errors.contains("streamNotFound"))
                let first = try start(["takeover", path] + place).end()
                #expect(first.code == 0 && first.output.contains(#""term":1"#), "\(first)")

                let copy = directory.file("b")
                let follow = try start(["follow", copy, "--interval", "0.1"] + place)
                let log = ReplicatedLog(try JetStream(connection), stream: "NOTES")
                let writer = try await ReplicatedStore.open(path, log.frames)
                try await writer.store.box(for: Note.self).put(Note("three"))
                let last = try writer.store.sequence
                var options = StoreOptions()
                options.isReadOnly = true
                try await eventually { () async throws -> Bool? in
                    let reader = try? await Store(
                        directoryPath: copy, entities: Note.self, options: options)
                    guard let reader else { return nil }
                    let sequence = try reader.sequence
                    try await reader.close()
                    return sequence == last ? true : nil
                }
                follow.process.terminate()
                let followed = follow.end()
                #expect(followed.code == 130 && followed.errors == "")
                #expect(followed.output.contains(#""sequence":\#(last)"#), "\(followed)")

                let status = try start(["status"] + place).end()
                #expect(status.code == 0 && status.output.contains(#""sequence":\#(last)"#))
                let second = try start(["takeover", copy] + place).end()
                #expect(second.code == 0 && second.output.contains(#""term":3"#), "\(second)")
                #expect(
                    await code { try await writer.store.box(for: Note.self).put(Note("four")) }
                        == .fenced)
                try await writer.close()
            }
            await connection.close()
        }
    }

    @Test func `a log is archived, and followed from the archive`() async throws {
        try await TestServer.with { server in
            let connection = try await server.connect()
            try await TestDirectory.with { directory in
                let place = ["--stream", "NOTES", "--server", server.url]
                let location = "file://" + directory.file("archive")
                let log = ReplicatedLog(try JetStream(connection), stream: "NOTES")
                try await log.create(replicaCount: 1)
                let writer = try await ReplicatedStore.open(directory.file("a"), log.frames)
                let notes = writer.store.box(for: Note.self)
                try await notes.put([Note("one"), Note("two")])
                let archiving = try start(
                    ["archive", directory.file("b"), location, "--interval", "0.05"]
                        + ["--keep-hours", "1"] + place)
                try await notes.put(Note("three"))
                let last = try writer.store.sequence
                let storage = DirectoryStorage(path: directory.file("archive"))
                let archive = try await eventually { () async throws -> Archive? in
                    guard let archive = try? await Archive.open(storage),
                        try await archive.status().sequences?.upperBound == last
                    else { return nil }
                    return archive
                }
                archiving.process.interrupt()
                let archived = archiving.end()
                #expect(archived.code == 130 && archived.errors == "", "\(archived)")
                #expect(archived.output.contains(#""archived":\#(last)"#), "\(archived)")

                // The command keeps the messages of an hour; the library removes them now.
                let bounds = try await log.frames.bounds()
                #expect(bounds.after == 0)
                let archivedPlace = try #require(try await archive.place(before: .distantFuture))
                #expect(try await archive.place(before: .distantPast) == nil)
                #expect(try await log.purge(before: archivedPlace) > 0)
                let other = ReplicatedLog(try JetStream(connection), stream: "OTHER")
                #expect(
                    await code { try await other.purge(before: archivedPlace) } == .streamReplaced)
                #expect(await code { try await log.purge(before: [1]) } == .invalidArgument)
                let copy = ["follow", directory.file("c"), "--interval", "0.05"] + place
                let truncated = try start(copy).end()
                #expect(truncated.code == 1 && truncated.errors.contains("streamTruncated"))
                let following = try start(copy + ["--archive", location])
                try await notes.put(Note("four"))
                let end = try writer.store.sequence
                var options = StoreOptions()
                options.isReadOnly = true
                try await eventually { () async throws -> Bool? in
                    let reader = try? await Store(
                        directoryPath: directory.file("c"), entities: Note.self, options: options)
                    guard let reader else { return nil }
                    let sequence = try reader.sequence
                    try await reader.close()
                    return sequence == end ? true : nil
                }
                following.process.terminate()
                #expect(following.end().code == 130)
                try await writer.close()
            }
            await connection.close()
        }
    }

    @Test func `a wrong command line is refused`() throws {
        for arguments in [
            ["follow", "--stream", "A"], ["status"],
            ["follow", "x", "--stream", "A"]
                + ["--interval", "0"], ["status", "--stream", "A", "--user", "u"],
            ["status", "--stream", "A", "--token-file", "/missing"],
            ["archive", "x", "--stream", "A"],
            ["archive", "x", "file:///x", "--stream", "A", "--keep-hours", "0.5"],
            ["archive", "x", "file:///x", "--stream", "A", "--base-hours", "0"],
        ] {
            let run = try start(arguments).end()
            #expect(run.code == 2 && !run.errors.isEmpty && run.output == "", "\(arguments)")
        }
        #expect(try start(["--help"]).end().code == 0)
        let unreachable = try start(
            ["status", "--stream", "A", "--server", "nats://127.0.0.1:1"]).end()
        #expect(unreachable.code == 1 && unreachable.errors.contains("connectionFailed"))
    }
}
