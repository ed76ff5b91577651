import DaybookNATS
import Foundation
import Synchronization

/// A NATS server on the loopback address, as a process that ends with the test.
package final class TestServer: Sendable {
    private struct Running {
        var shell: Process
        var input: Pipe
        var serverId: pid_t
    }

    package let port: Int
    private let configuration: String
    private let log: String
    private let running = Mutex<Running?>(nil)

    /// Creates a server that is not running. `lines` are added to its configuration.
    package init(
        name: String, port: Int, directory: TestDirectory, domain: String? = nil, lines: [String]
    ) throws {
        self.port = port
        log = directory.file(name + ".log")
        let store = directory.file(name)
        configuration = try directory.write(
            """
            server_name: \(name)
            listen: 127.0.0.1:\(port)
            jetstream { store_dir: "\(store)", sync_interval: always, max_mem: 256MB, \
            max_file: 4GB\(domain.map { ", domain: \($0)" } ?? "") }
            \(lines.joined(separator: "\n"))

            """, to: name + ".conf")
    }

    package var url: String { "nats://127.0.0.1:\(port)" }

    /// Starts the process. The shell ends the server when the test process ends for any reason,
    /// because its input ends then.
    package func start() throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c",
            """
            "$0" -c "$1" >>"$2" 2>&1 </dev/null &
            echo $!
            exec 1>&-
            cat >/dev/null
            kill -9 $! 2>/dev/null
            wait
            """, ServerProgram.path ?? "", configuration, log,
        ]
        let input = Pipe()
        let output = Pipe()
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        guard let id = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Program.Failure(description: "The server did not start: \(logText)")
        }
        running.withLock { $0 = Running(shell: shell, input: input, serverId: id) }
    }

    /// Ends the process at once, as a crash would.
    package func kill() {
        let ended = running.withLock { running in
            defer { running = nil }
            return running
        }
        guard let ended else { return }
        Foundation.kill(ended.serverId, SIGKILL)
        try? ended.input.fileHandleForWriting.close()
        ended.shell.waitUntilExit()
    }

    /// Stops the process without ending it.
    package func pause() { signal(SIGSTOP) }

    /// Continues a paused process.
    package func resume() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        running.withLock { running in
            if let running { Foundation.kill(running.serverId, number) }
        }
    }

    /// The physical memory of the process; 0 if it is not known.
    package var residentSizeBytes: Int {
        guard let id = running.withLock({ $0?.serverId }),
            let text = try? String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8)
        else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    package var logText: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
}
