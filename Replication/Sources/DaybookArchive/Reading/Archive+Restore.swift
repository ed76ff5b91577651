public import Daybook
public import DaybookReplica
public import Foundation
import ReplicationSupport

/// The result of a restoration: ``Archive/restore(to:until:)``.
public struct ArchiveRestoration: Sendable {
    /// The new store.
    public var store: RestoreReport
    /// The last sequence of the base with which the restoration began; nil if it read the log only.
    public var baseSequence: UInt64?
    /// The number of segments that were read.
    public var segmentCount: Int
    /// The encoded length of these segments.
    public var sizeBytes: Int
}

extension Archive: LogArchive {
    /// Creates a store from the archive, with the state of a moment or of the archive's end.
    ///
    /// The new store has the same commits, with their sequences, times and metadata, as far as the
    /// archive has them. It has an identity of its own, like any restored store. Uses a directory
    /// beside the new one for its work, which needs as much space again.
    ///
    /// - Parameters:
    ///   - directory: a file URL: an empty directory, or a directory that does not exist yet.
    ///   - moment: the last commit of the new store; nil for all commits.
    /// - Throws: `.archiveIncomplete` if the archive does not reach the moment, or begins after it;
    ///   `.corruption` for a damaged object; `CancellationError`; the errors of the storage, and of
    ///   `Store.restore(from:to:until:)`. After an error no files of the new store remain.
    /// - Complexity: a read of the newest base up to the moment, and of the log after it; then as
    ///   `Store.restore`.
    @discardableResult
    public func restore(
        to directory: URL, until moment: HistoryMoment? = nil
    ) async throws -> ArchiveRestoration {
        let point = try moment.map { moment throws(DaybookError) in try ArchivePoint(moment) }
        let path = directory.path(percentEncoded: false)
        guard try await FileOperations.isEmpty(path) else { throw DaybookError.notEmpty(path) }
        return try await WorkDirectory(beside: path, "restore").use { work in
            try await restore(to: directory, until: moment, point, work)
        }
    }

    private func restore(
        to directory: URL, until moment: HistoryMoment?, _ point: ArchivePoint?, _ work: String
    ) async throws -> ArchiveRestoration {
        let (replay, base) = try await fill(work, until: point)
        if case .sequence(let wanted)? = point, replay.lastSequence < wanted {
            throw DaybookError.missing(name, after: replay.lastSequence)
        }
        let report = try await Store.restore(
            from: URL(filePath: work, directoryHint: .isDirectory), to: directory, until: moment)
        return ArchiveRestoration(
            store: report, baseSequence: base?.sequence, segmentCount: replay.segmentCount,
            sizeBytes: replay.sizeBytes)
    }

    /// The identity of the store.
    public func storeIdentity() async throws -> String { store }

    /// Brings a replica up to the end of the archive; see `LogArchive`.
    ///
    /// A new replica appears in the directory when it is complete.
    public func catchUp(
        directoryPath: String, after sequence: UInt64
    ) async throws -> LogArchiveEnd {
        guard try await FileOperations.isEmpty(directoryPath) else {
            do {
                return try await replay(directoryPath, base: nil, after: sequence).end
            } catch let error as DaybookError where error.code == .archiveIncomplete {
                throw DaybookError(
                    .archiveIncomplete,
                    "The replica in \(directoryPath) needs transaction \(sequence + 1), which"
                        + " \(name) does not have. Use an empty directory, which begins with a"
                        + " base.",
                    cause: error, details: error.details)
            }
        }
        return try await WorkDirectory(beside: directoryPath, "replica").use { work in
            let (replay, _) = try await fill(work, until: nil)
            try await Blocking.run {
                try Replica.save(place: replay.end.place, directoryPath: work)
            }
            try await FileOperations.move(work, to: directoryPath)
            return replay.end
        }
    }

    /// Fills a new directory with a base and the log after it, up to a point or all of it.
    private func fill(
        _ path: String, until point: ArchivePoint?
    ) async throws -> (ArchiveReplay, ArchiveBase?) {
        let chosen = try await base(before: point)
        if let chosen { try await download(chosen.name, chosen.base, to: path) }
        let replay = try await replay(
            path, base: chosen?.base, after: chosen?.base.sequence ?? 0, until: point)
        return (replay, chosen?.base)
    }

    /// Adds the log after a sequence to the replica in a directory.
    private func replay(
        _ path: String, base: ArchiveBase?, after sequence: UInt64,
        until point: ArchivePoint? = nil
    ) async throws -> ArchiveReplay {
        var replay = try await ArchiveReplay(self, directoryPath: path, base: base)
        do {
            try await replay.run(after: sequence, until: point)
            try await replay.close()
        } catch {
            try? await replay.close()
            throw error
        }
        return replay
    }

    /// The base with which a replay up to a point begins; nil if the archive has the log from its
    /// first transaction, and no such base. A base whose files are missing is left out, and so is
    /// one with a damaged description: an older base and more of the log give the same store.
    private func base(
        before point: ArchivePoint?
    ) async throws -> (name: String, base: ArchiveBase)? {
        let bases = try await bases()
        for found in bases.readable.reversed() where point?.includes(found.base) ?? true {
            if try await hasFiles(of: found.name, found.base) { return found }
        }
        // A base after the point may have the history before it.
        if try await beginning() == 1, let first = try await header(1), !first.isGap { return nil }
        if let later = bases.readable.first { return later }
        if let failure = bases.failures.first { throw failure }
        return nil
    }
}
