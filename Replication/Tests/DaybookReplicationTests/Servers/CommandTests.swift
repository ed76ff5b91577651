import Daybook
import DaybookNATS
@testable import DaybookReplication
import Foundation
import ReplicationTestSupport
import Testing

/// The command `daybook-replicate`, run as a process.
@Suite(.serialized, .enabled(if: ServerProgram.isInstalled), .timeLimit(.minutes(5)))
struct CommandTests {
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("daybook-replicate")

    /// A running command.
    private final class Run {
        let process = Process()
        private let output = Pipe()
        private let errors = Pipe()

        init(_ arguments: [String]) throws {
            process.executableURL = CommandTests.program
            process.arguments = arguments
            process.standardOutput = output
            process.standardError = errors
            process.standardInput = FileHandle.nullDevice
            try process.run()
        }

        /// Waits for the end. Returns the exit code and the texts.
        func end() -> (code: Int32, output: String, errors: String) {
            let text = String(
                decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let message = String(
                decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text, message)
        }
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
                #expect(try Run(["create", "--copies", "1"] + place).end().code == 0)
                let missing = try Run(["status"] + place).end()
                #expect(missing.code == 1 && missing.errors.contains("streamNotFound"))
                let first = try Run(["takeover", path] + place).end()
                #expect(first.code == 0 && first.output.contains(#""term":1"#), "\(first)")

                let copy = directory.file("b")
                let follow = try Run(["follow", copy, "--interval", "0.1"] + place)
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

                let status = try Run(["status"] + place).end()
                #expect(status.code == 0 && status.output.contains(#""sequence":\#(last)"#))
                let second = try Run(["takeover", copy] + place).end()
                #expect(second.code == 0 && second.output.contains(#""term":3"#), "\(second)")
                #expect(
                    await code { try await writer.store.box(for: Note.self).put(Note("four")) }
                        == .fenced)
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
        ] {
            let run = try Run(arguments).end()
            #expect(run.code == 2 && !run.errors.isEmpty && run.output == "", "\(arguments)")
        }
        #expect(try Run(["--help"]).end().code == 0)
        let unreachable = try Run(
            ["status", "--stream", "A", "--server", "nats://127.0.0.1:1"]).end()
        #expect(unreachable.code == 1 && unreachable.errors.contains("connectionFailed"))
    }
}
