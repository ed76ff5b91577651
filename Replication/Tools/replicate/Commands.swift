import ArgumentParser
import CommandSupport
import Daybook
import DaybookReplication

struct CreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Creates the stream of a log.")

    @OptionGroup var log: LogOptions
    @Option(help: "The number of servers with a copy: 1, 3 or 5.")
    var copies = 3

    func run() async throws {
        try await log.withLog { try await $0.create(replicaCount: copies) }
    }
}

struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Keeps a directory equal to a log, until a signal.",
        discussion: """
            Other programs, and the command daybook, may read the directory meanwhile. Prints a \
            line when the directory has the log as of the start, and every --interval seconds.
            """)

    @Argument(help: "The directory of the store. A missing one is created.")
    var directory: String
    @OptionGroup var log: LogOptions
    @OptionGroup var archive: ArchiveOption
    @Option(help: "The time between two lines, in seconds.")
    var interval = 10.0

    func validate() throws {
        guard interval > 0, interval <= 86_400 else {
            throw ValidationError("--interval must be above 0 and at most 86400.")
        }
    }

    func run() async throws {
        try await log.withLog { log in
            let signals = Signals()
            let follower = try await Follower.open(
                directoryPath: directory, log: log, options: archive.replicationOptions())
            while !signals.isRaised {
                let status = follower.status
                Output.print(ReplicaLine(status, removed: follower.removedSequences))
                if let error = status.stopped {
                    try? await follower.close()
                    throw error
                }
                await signals.wait(seconds: interval)
            }
            Output.print(ReplicaLine(follower.status, removed: follower.removedSequences))
            try await follower.close()
            throw CancellationError()
        }
    }
}

struct TakeoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "takeover",
        abstract: "Takes over a log, and adds the commits of a directory that it lacks.",
        discussion: """
            The writer of the log gets an error with its next commit. For a store whose program \
            has ended, or one that was never replicated: its history becomes the log of an empty \
            stream.
            """)

    @Argument(help: "The directory of the store.")
    var directory: String
    @OptionGroup var log: LogOptions
    @OptionGroup var archive: ArchiveOption

    func run() async throws {
        try await log.withLog { log in
            let writer = try await ReplicatedStore.open(
                directoryPath: directory, log: log, options: archive.replicationOptions())
            let line = ReplicaLine(writer.status, removed: writer.removedSequences)
            try await writer.close()
            Output.print(line)
        }
    }
}

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Prints the state of a log.")

    @OptionGroup var log: LogOptions

    func run() async throws {
        try await log.withLog { Output.print(LogLine(try await $0.status())) }
    }
}
