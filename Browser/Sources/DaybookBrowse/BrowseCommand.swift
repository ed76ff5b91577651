import ArgumentParser
import Daybook
import DaybookBrowser
import Foundation

/// `daybook-browse`, which `daybook browse` runs.
@main
struct BrowseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daybook browse",
        abstract: "Shows a store, its history and its files in a web browser.",
        discussion: """
            The page is served on this machine only. The store is opened read-only, beside a \
            running program, and the page follows new commits. With --allow-writes, the page can \
            change objects and undo commits, each as a commit with an author, and no other program \
            can open the store for writing.

            Examples:
              daybook browse Packages.daybook --open
              daybook browse Packages.daybook --port 8080
            """)

    @Argument(help: "The directory of the store.", completion: .directory)
    var directory: String

    @Option(help: "The port on the loopback address; 0 for a free one.")
    var port = 0

    @Flag(help: "Open the page in the default web browser.")
    var open = false

    @Flag(name: .customLong("allow-writes"), help: "Let the page change the store.")
    var allowWrites = false

    @Option(
        name: .customLong("token-file"),
        help: "Write the token of the page to this file instead of the terminal.",
        completion: .file())
    var tokenFile: String?

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("'--port' must be between 0 and 65535.")
        }
        let kind = try? URL(filePath: directory).resourceValues(forKeys: [.isDirectoryKey])
        guard kind?.isDirectory == true else {
            throw ValidationError(
                "'\(directory)' is no directory. Give the directory of a store.")
        }
    }

    func run() async throws {
        let server = BrowserServer(path: directory, allowsWrites: allowWrites)
        let token = server.token
        let file = tokenFile.map { TokenFile(path: $0) }
        try file?.write(token)
        let launch = BrowserLaunch()
        defer {
            file?.remove()
            launch.remove()
        }
        let opens = open
        do {
            try await server.run(port: port) { port in
                let url = "http://127.0.0.1:\(port)/"
                Terminal.say(url)
                if opens, !launch.open(url, token: token) {
                    Terminal.say("No web browser can be started. Open the address yourself.")
                }
                if file == nil { Terminal.say("Token: \(token)") }
            }
        } catch {
            throw ServerFailure(port: port, cause: error)
        }
    }
}

/// The server could not listen, or could not close the store.
struct ServerFailure: Error, CustomStringConvertible {
    var port: Int
    var cause: any Error

    var description: String {
        port == 0
            ? "The server failed: \(cause). Choose a port with '--port'."
            : "The server failed: \(cause). If another program uses port \(port), choose a"
                + " different one with '--port'."
    }
}

/// Prints lines at once, also into a pipe.
enum Terminal {
    static func say(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }
}
