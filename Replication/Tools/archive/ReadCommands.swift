import ArgumentParser
import CommandSupport
import Daybook
import DaybookArchive
import DaybookS3
import Foundation

/// The archive of a command.
struct ArchiveLocation: ParsableArguments {
    @Argument(help: "The location of the archive.")
    var location: String

    /// Opens the archive.
    func open() async throws -> Archive { try await Archive.open(StorageLocation.open(location)) }
}

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Prints the content of an archive.")

    @OptionGroup var archive: ArchiveLocation

    func run() async throws {
        Output.print(StatusLine(try await archive.open().status()))
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Creates a store from an archive.",
        discussion: """
            The store has the state of a moment, or of the end of the archive, and all history \
            that the archive has. Needs as much space again beside the directory while it works.
            """)

    @OptionGroup var archive: ArchiveLocation
    @Argument(help: "An empty directory, or one that does not exist.")
    var directory: String
    @Option(
        help: "The last commit: a sequence, or a time in ISO 8601.",
        transform: HistoryMoment.parse(argument:))
    var until: HistoryMoment?

    func run() async throws {
        let report = try await archive.open().restore(
            to: URL(filePath: directory, directoryHint: .isDirectory), until: until)
        Output.print(
            RestoreLine(
                sequence: report.store.sequence, base: report.baseSequence,
                segments: report.segmentCount, bytes: report.sizeBytes))
    }
}

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Reads a whole archive and checks its hashes.",
        discussion: "The exit code is 1 if an object is damaged or missing.")

    @OptionGroup var archive: ArchiveLocation

    func run() async throws {
        let result = try await archive.open().verify()
        Output.print(
            VerifyLine(
                segments: result.segmentCount, files: result.fileCount, bytes: result.sizeBytes,
                gaps: result.gaps.map { [$0.lowerBound, $0.upperBound] }, damage: result.damage))
        guard result.isIntact else { throw ExitCode(1) }
    }
}

struct PurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Removes the history before a moment from an archive.",
        discussion: """
            Keeps the newest base up to the moment, and everything after it. Removes nothing if \
            there is no such base: add one with 'base'.
            """)

    @OptionGroup var archive: ArchiveLocation
    @Option(
        help: "The moment: a sequence, or a time in ISO 8601.",
        transform: HistoryMoment.parse(argument:))
    var before: HistoryMoment

    func run() async throws {
        let result = try await archive.open().purge(before: before)
        Output.print(
            PurgeLine(
                base: result.baseSequence, first: result.firstSequence,
                segments: result.segmentCount, bases: result.baseCount,
                objects: result.objectCount))
    }
}

private struct StatusLine: Encodable {
    struct Base: Encodable {
        var sequence: UInt64
        var time: String
        var bytes: Int
    }

    var store: String
    var firstSequence: UInt64?
    var lastSequence: UInt64?
    var firstTime: String?
    var lastTime: String?
    var segments: Int
    var bytes: Int
    var bases: [Base]
    var damagedBases: [String]

    init(_ status: ArchiveStatus) {
        store = status.store
        firstSequence = status.sequences?.lowerBound
        lastSequence = status.sequences?.upperBound
        firstTime = status.timesMicroseconds.map { timeText(microseconds: $0.lowerBound) }
        lastTime = status.timesMicroseconds.map { timeText(microseconds: $0.upperBound) }
        segments = status.segmentCount
        bytes = status.segmentsSizeBytes
        bases = status.bases.map { base in
            Base(
                sequence: base.sequence,
                time: timeText(microseconds: Int64(clamping: base.timeMicroseconds)),
                bytes: base.sizeBytes)
        }
        damagedBases = status.damagedBases
    }
}

private struct RestoreLine: Encodable {
    var sequence: UInt64
    var base: UInt64?
    var segments: Int
    var bytes: Int
}

private struct VerifyLine: Encodable {
    var segments: Int
    var files: Int
    var bytes: Int
    var gaps: [[UInt64]]
    var damage: [String]
}

private struct PurgeLine: Encodable {
    var base: UInt64?
    var first: UInt64?
    var segments: Int
    var bases: Int
    var objects: Int
}
