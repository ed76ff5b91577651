import ArgumentParser
import CommandSupport
import Daybook
import DaybookArchive
import DaybookNATS
import DaybookReplication
import DaybookS3
import Foundation

/// The archive of a log, from which a replica reads if the stream no longer has its messages.
struct ArchiveOption: ParsableArguments {
    @Option(help: "The archive of the log: s3://BUCKET/PREFIX, or file:///DIRECTORY.")
    var archive: String?

    /// The options of a replica. Throws the errors of the location.
    func replicationOptions() throws -> ReplicationOptions {
        var options = ReplicationOptions()
        options.archive = try archive.map { DeferredArchive(try StorageLocation.open($0)) }
        return options
    }
}

struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Follows a log and adds it to an archive, until a signal.",
        discussion: """
            Prints a line every --interval seconds. With --base-hours it also adds the files of \
            the store from time to time, and with --keep-hours it removes archived messages from \
            the stream. Errors of the storage that may pass are in the lines.
            """)

    @Argument(help: "The directory of the follower. A missing one is created.")
    var directory: String
    @Argument(help: "The archive: s3://BUCKET/PREFIX, or file:///DIRECTORY.")
    var location: String
    @OptionGroup var log: LogOptions
    @Option(help: "The time between two additions, in seconds.")
    var interval = 10.0
    @Option(help: "The time between two bases, in hours.")
    var baseHours: Double?
    @Option(help: "How long archived messages stay in the stream, in hours; at least 1.")
    var keepHours: Double?

    func validate() throws {
        guard interval > 0, interval <= 86_400 else {
            throw ValidationError("--interval must be above 0 and at most 86400.")
        }
        guard baseHours.map({ $0 > 0 && $0 < 100_000 }) ?? true else {
            throw ValidationError("--base-hours must be above 0.")
        }
        guard keepHours.map({ $0 >= 1 && $0 < 1_000_000 }) ?? true else {
            throw ValidationError("--keep-hours must be at least 1.")
        }
    }

    func run() async throws {
        let storage = try StorageLocation.open(location)
        try await log.withLog { log in
            let signals = Signals()
            var options = ReplicationOptions()
            options.archive = DeferredArchive(storage)
            let follower = try await Follower.open(
                directoryPath: directory, log: log, options: options)
            do {
                let archiver = try await Archiver(follower.store, in: storage) {
                    try follower.durablePosition()
                }
                try await archive(log, follower, archiver, until: signals)
            } catch {
                try? await follower.close()
                throw error
            }
            try await follower.close()
            throw CancellationError()
        }
    }

    /// The time between two looks for a base or a purge that is due, which list the archive.
    private static let pause = Duration.seconds(600)

    /// Adds the log to the archive at the interval.
    private func archive(
        _ log: ReplicatedLog, _ follower: Follower, _ archiver: Archiver, until signals: Signals
    ) async throws {
        var nextBase = ContinuousClock.now
        var nextPurge = ContinuousClock.now
        while true {
            var failure: (any Error)?
            do {
                try await archiver.push()
                if let baseHours, nextBase <= .now {
                    nextBase = .now + Self.pause
                    let date = try await archiver.archive.lastBaseDate() ?? .distantPast
                    if -date.timeIntervalSinceNow > baseHours * 3600 {
                        do {
                            try await archiver.addBase()
                        } catch let error as DaybookError where error.code == .archiveIncomplete {
                            failure = error
                        }
                    }
                }
                if let keepHours, nextPurge <= .now {
                    nextPurge = .now + Self.pause
                    let date = Date.now.addingTimeInterval(-keepHours * 3600)
                    let place = try await archiver.archive.place(before: date)
                    if let place { try await log.purge(before: place) }
                }
            } catch let error as DaybookError where error.mayPass {
                failure = error
            } catch let error as NATSError {
                failure = error
            }
            if let error = follower.status.stopped { throw error }
            Output.print(ArchiveLine(archiver.status, follower.status, failure))
            if signals.isRaised { return }
            await signals.wait(seconds: interval)
        }
    }
}

/// The state of an archiver.
private struct ArchiveLine: Encodable {
    var archived: UInt64
    var sequence: UInt64
    var segments: Int
    var bytes: Int
    var failure: String?

    init(
        _ status: ArchiverStatus, _ replication: ReplicationStatus, _ failure: (any Error)?
    ) {
        archived = status.archivedSequence
        sequence = replication.localSequence
        segments = status.segmentCount
        bytes = status.sizeBytes
        self.failure = (failure ?? replication.failure).map { "\($0)" }
    }
}
