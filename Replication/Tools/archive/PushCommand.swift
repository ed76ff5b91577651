import ArgumentParser
import CommandSupport
import Daybook
import DaybookArchive
import DaybookS3
import Foundation

/// The store and the archive of a command.
struct StoreOptionsGroup: ParsableArguments {
    @Argument(help: "The directory of the store.")
    var directory: String
    @Argument(help: "The location of the archive.")
    var location: String

    /// Opens the store for reading and its archive, and calls `body`.
    func withArchiver(
        _ options: ArchiverOptions = ArchiverOptions(), _ body: (Archiver) async throws -> Void
    ) async throws {
        let storage = try StorageLocation.open(location)
        var storeOptions = StoreOptions()
        storeOptions.isReadOnly = true
        let store = try await Store(path: directory, entities: [], options: storeOptions)
        do {
            try await body(try await Archiver(store, in: storage, options: options))
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
    }
}

struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Adds the commits that the archive of a store lacks.",
        discussion: """
            Creates the archive if there is none. The program of the store may run meanwhile. With \
            --interval it continues until a signal.
            """)

    @OptionGroup var store: StoreOptionsGroup
    @Option(help: "The time between two additions, in seconds. Without it, there is one.")
    var interval: Double?

    func validate() throws {
        guard interval.map({ $0 > 0 && $0 <= 86_400 }) ?? true else {
            throw ValidationError("--interval must be above 0 and at most 86400.")
        }
    }

    func run() async throws {
        try await store.withArchiver { archiver in
            guard let interval else {
                try await archiver.push()
                return Output.print(PushLine(archiver.status))
            }
            let signals = Signals()
            while true {
                var failure: DaybookError?
                do {
                    try await archiver.push()
                } catch let error as DaybookError where error.mayPass {
                    failure = error
                }
                Output.print(PushLine(archiver.status, failure))
                if signals.isRaised { throw CancellationError() }
                await signals.wait(seconds: interval)
            }
        }
    }
}

struct BaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "base",
        abstract: "Adds all files of a store to its archive.",
        discussion: """
            A restoration begins with a base, and a purge removes the log before one. Makes a \
            backup in a new directory first, beside the store or at --staging.
            """)

    @OptionGroup var store: StoreOptionsGroup
    @Option(help: "The path of a directory that does not exist.")
    var staging: String?

    func run() async throws {
        try await store.withArchiver { archiver in
            let sequence = try await archiver.addBase(staging: staging)
            Output.print(["base": sequence])
        }
    }
}

/// The state of an archiver.
private struct PushLine: Encodable {
    var archived: UInt64
    var segments: Int
    var bytes: Int
    var failure: String?

    init(_ status: ArchiverStatus, _ failure: DaybookError? = nil) {
        archived = status.archivedSequence
        segments = status.segmentCount
        bytes = status.sizeBytes
        self.failure = failure.map { "\($0)" }
    }
}
