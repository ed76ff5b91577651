import Daybook
@testable import DaybookS3
import Foundation
import ReplicationTestSupport
import Testing

/// The command `daybook-archive`, run as a process.
@Suite(.timeLimit(.minutes(5))) struct ArchiveCommandTests {
    /// Runs the command to its end, without credentials unless they are in the environment.
    private func run(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> CommandRun.Result {
        try CommandRun(
            "daybook-archive", arguments,
            environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        ).end()
    }

    @Test(arguments: StorageProgram.installed)
    func `the command archives beside a running program, and restores`(
        program: StorageProgram
    ) async throws {
        try await TestDirectory.with { directory in
            let server = try await ObjectStorageServer.shared(program)
            let location =
                "s3://examples/command/\(UUID().uuidString)?endpoint=\(server.url)&region=us-east-1"
            let environment = [
                "AWS_ACCESS_KEY_ID": TestBucket.credentials.accessKey,
                "AWS_SECRET_ACCESS_KEY": TestBucket.credentials.secretKey,
            ]
            let path = directory.file("store")
            let store = try await Store(path: path, entities: [Note.self])
            let notes = store.box(for: Note.self)
            try await notes.put([Note("one"), Note("two")])
            let sequence = try store.sequence
            let push = try run(["push", path, location], environment: environment)
            #expect(push.code == 0 && push.output.contains(#""archived":\#(sequence),"#), "\(push)")
            try await notes.put(Note("three"))
            let base = try run(["base", path, location], environment: environment)
            #expect(base.code == 0 && base.output == "{\"base\":\(sequence + 1)}\n", "\(base)")
            for (until, count) in [(sequence, 2), (sequence + 1, 3)] {
                let copy = directory.file("restored-\(until)")
                let restore = try run(
                    ["restore", location, copy, "--until", "\(until)"], environment: environment)
                #expect(restore.code == 0, "\(restore)")
                let restored = try await Store(path: copy, entities: [Note.self])
                #expect(try await restored.box(for: Note.self).count() == count)
                try await restored.close()
            }
            let status = try run(["status", location], environment: environment)
            #expect(status.output.contains(#""lastSequence":\#(sequence + 1),"#), "\(status)")
            #expect(try run(["verify", location], environment: environment).code == 0)
            let purge = try run(
                ["purge", location, "--before", "\(sequence + 1)"], environment: environment)
            #expect(purge.output.contains(#""base":\#(sequence + 1),"#), "\(purge)")
            try await store.close()
        }
    }

    @Test func `wrong use and missing things are explained`() async throws {
        try await TestDirectory.with { directory in
            let archive = "file://" + directory.file("archive")
            let cases: [(arguments: [String], code: Int32, text: String)] = [
                (["status", archive], 1, "archiveNotFound"),
                (["status", "ftp://x"], 1, "s3://BUCKET/PREFIX"),
                (["status", "s3://bucket/x"], 1, "AWS_ACCESS_KEY_ID"),
                (["push", directory.file("none"), archive], 1, "fileNotFound"),
                (["push", directory.file("none"), archive, "--interval", "0"], 2, "--interval"),
                (["restore", archive, directory.file("x"), "--until", "soon"], 2, "no moment"),
                (["purge", archive], 2, "--before"),
            ]
            for (arguments, code, text) in cases {
                let result = try run(arguments)
                #expect(result.code == code, "\(arguments) \(result)")
                #expect(result.errors.contains(text), "\(arguments) \(result)")
            }
            #expect(!FileManager.default.fileExists(atPath: directory.file("archive")))
            let store = try await Store(path: directory.file("store"), entities: [Note.self])
            try await store.box(for: Note.self).put(Note("one"))
            #expect(try run(["push", directory.file("store"), archive]).code == 0)
            for entry in try FileManager.default.contentsOfDirectory(
                atPath: directory.file("archive/log"))
            {
                try Data("rubbish".utf8).write(
                    to: URL(filePath: directory.file("archive/log/" + entry)))
            }
            let verify = try run(["verify", archive])
            #expect(verify.code == 1 && verify.output.contains("is damaged"), "\(verify)")
            try await store.close()
        }
    }
}
