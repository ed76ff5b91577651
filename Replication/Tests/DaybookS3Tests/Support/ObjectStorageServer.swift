import Foundation
import Synchronization
import ReplicationTestSupport
import Testing

@testable import DaybookS3

/// An object storage on the loopback address, as a process that ends with the test process.
final class ObjectStorageServer: Sendable {
    /// The kind of server.
    let program: StorageProgram
    /// The address.
    let url: String

    private let log: String
    /// A file that exists after the end of the server.
    private let mark: String
    /// The shell ends the server when this pipe ends, which the end of this process ensures.
    private let input: Mutex<(shell: Process, pipe: Pipe)>

    /// Starts a server whose data are in a new directory.
    private init(_ program: StorageProgram) async throws {
        self.program = program
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-s3-\(program)-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path + "/data", withIntermediateDirectories: true)
        let directory = TestDirectory(path: path)
        log = directory.file("log")
        mark = directory.file("ended")
        let ports = try await FreePort.takePairs(4)
        url = "http://127.0.0.1:\(ports[3])"
        let arguments = try Self.arguments(program, directory, ports)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // The server has its own process group, which ends as a whole.
        shell.arguments =
            [
                "bash", "-c",
                """
                set -m
                directory="$1"
                shift
                exec 2>"$directory/shell.log"
                cd "$directory"
                { "$@" >>"$directory/log" 2>&1 </dev/null; touch "$directory/ended"; } &
                exec 1>&-
                cat >/dev/null
                kill -9 -- "-$!"
                wait
                cd /
                rm -rf "$directory"
                """, "bash", path, program.executable ?? "",
            ] + arguments
        let pipe = Pipe()
        shell.standardInput = pipe
        try shell.run()
        input = Mutex((shell, pipe))
    }

    private static func arguments(
        _ program: StorageProgram, _ directory: TestDirectory, _ ports: [Int]
    ) throws -> [String] {
        switch program {
        case .moto:
            // The condition of moto is not atomic: with several threads, two writers may win. One
            // thread makes it so.
            let start = """
                import sys, moto.server as server
                run = server.run_simple
                server.run_simple = lambda *a, **k: run(*a, **{**k, "threaded": False})
                server.main(sys.argv[1:])
                """
            return ["-c", start, "-H", "127.0.0.1", "-p", "\(ports[3])"]
        case .seaweedFS:
            let credentials = TestBucket.credentials
            let configuration = try directory.write(
                """
                {"identities": [{"name": "tests", "credentials": [{
                "accessKey": "\(credentials.accessKey)", "secretKey": "\(credentials.secretKey)"
                }], "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
                """, to: "s3.json")
            return [
                "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-dir=\(directory.file("data"))",
                "-master.port=\(ports[0])", "-volume.port=\(ports[1])", "-filer",
                "-filer.port=\(ports[2])", "-s3", "-s3.port=\(ports[3])",
                "-s3.config=\(configuration)", "-master.volumeSizeLimitMB=64", "-volume.max=20",
                "-master.telemetry=false",
            ]
        }
    }

    /// Starts a server and waits until it accepts requests. Starts another one with other ports if
    /// that fails, because another program may have taken a port.
    private static func start(_ program: StorageProgram) async throws -> ObjectStorageServer {
        do {
            return try await startOnce(program)
        } catch {
            print("Another server of \(program) starts after a failure: \(error)")
            return try await startOnce(program)
        }
    }

    private static func startOnce(_ program: StorageProgram) async throws -> ObjectStorageServer {
        let server = try await ObjectStorageServer(program)
        do {
            try await server.createBucket("examples")
            return server
        } catch {
            server.input.withLock { try? $0.pipe.fileHandleForWriting.close() }
            throw error
        }
    }

    /// Whether the server may accept requests, now or later.
    private var isRunning: Bool {
        input.withLock { $0.shell.isRunning } && !FileManager.default.fileExists(atPath: mark)
    }

    /// Creates a bucket as soon as the server accepts it. Throws if the server ends before.
    private func createBucket(_ name: String) async throws {
        var options = TestBucket.options()
        options.timeout = .seconds(10)
        let bucket = try TestBucket.open(url, bucket: name, options: options)
        let start = ContinuousClock.now
        while true {
            do {
                _ = try await bucket.sender.sendChecked(S3Request(.put, "create", key: nil))
                // The bucket of SeaweedFS may need volumes, which begin later.
                _ = try await bucket.create("started", [1])
                try await bucket.remove("started")
                return
            } catch {
                guard isRunning, start.duration(to: .now) < .seconds(120) else {
                    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                    throw Program.Failure(description: "\(error) \(text.suffix(4000))")
                }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

extension ObjectStorageServer {
    /// The servers of this process, each started by the first test that needs it.
    private static let running = Mutex<[StorageProgram: Task<ObjectStorageServer, any Error>]>([:])

    /// Returns the server of a kind, which all tests share.
    static func shared(_ program: StorageProgram) async throws -> ObjectStorageServer {
        let task = running.withLock { running in
            let task = running[program] ?? Task { try await start(program) }
            running[program] = task
            return task
        }
        return try await task.value
    }

    /// Returns a part of the shared bucket of a server that no other test uses.
    static func bucket(_ program: StorageProgram, options: S3Options = TestBucket.options())
        async throws -> S3Bucket
    {
        let server = try await shared(program)
        return try TestBucket.open(
            server.url, prefix: "tests/\(UUID().uuidString)", options: options)
    }
}
