import ArgumentParser
import DaybookNATS
import DaybookReplication
import Foundation

/// The stream of a log, and the way to its servers.
struct LogOptions: ParsableArguments {
    @Option(help: "The name of the stream.")
    var stream: String
    @Option(help: "The name of the log, if the stream is shared by the logs of several stores.")
    var log: String?
    @Option(help: "The URL of a server, such as nats://n1:4222 or tls://n1:4222. Repeat it.")
    var server: [String] = ["nats://127.0.0.1:4222"]
    @Option(help: "A file with the seed of an nkey.")
    var nkeyFile: String?
    @Option(help: "A file with a token.")
    var tokenFile: String?
    @Option(help: "A user, whose password is in the file of --password-file.")
    var user: String?
    @Option(help: "A file with a password.")
    var passwordFile: String?
    @Option(help: "A PEM file with the authorities of the servers' certificates.")
    var authorityFile: String?

    /// Connects, and calls `body` with the log. Closes the connection afterwards.
    func withLog(_ body: (ReplicatedLog) async throws -> Void) async throws {
        var options = try NATSOptions(servers: server)
        options.name = "daybook-replicate"
        options.authentication = try authentication()
        if let authorityFile { options.tls.trustRoots = .file(path: authorityFile) }
        let connection = try await NATSConnection.connect(options)
        do {
            let jetStream = try JetStream(connection)
            let shared = SharedStream(jetStream, name: stream)
            try await body(
                try log.map { try shared.log($0) } ?? ReplicatedLog(jetStream, stream: stream))
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }

    private func authentication() throws -> NATSAuthentication {
        if let nkeyFile { return .nkey(seed: try Self.secret(nkeyFile)) }
        if let tokenFile { return .token(try Self.secret(tokenFile)) }
        guard let user else { return .none }
        guard let passwordFile else {
            throw ValidationError("--user needs --password-file.")
        }
        return .userAndPassword(user: user, password: try Self.secret(passwordFile))
    }

    /// Reads a secret from a file, so that it is not in the list of processes.
    private static func secret(_ path: String) throws -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            throw ValidationError("The file \(path) cannot be read: \(error.localizedDescription)")
        }
    }
}
