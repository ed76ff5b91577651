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
        let work =
            (path.hasSuffix("/") ? String(path.dropLast()) : path) + "-restore-"
            + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: work) }
        try requireEmpty(path)
        let base = try await begin(at: work, until: point)
        var replay = try await ArchiveReplay(self, directoryPath: work, base: base)
        do {
            try await replay.run(after: replay.lastSequence, until: point)
            try await replay.close()
        } catch {
            try? await replay.close()
            throw error
        }
        if case .sequence(let wanted)? = point, replay.lastSequence < wanted {
            throw DaybookError.missing(name, after: replay.lastSequence)
        }
        let report = try await Store.restore(
            from: URL(filePath: work, directoryHint: .isDirectory), to: directory, until: moment)
        return ArchiveRestoration(
            store: report, baseSequence: base?.sequence, segmentCount: replay.segmentCount,
            sizeBytes: replay.sizeBytes)
    }

    /// Brings a replica up to the end of the archive; see `LogArchive`.
    public func catchUp(
        directoryPath: String, after sequence: UInt64
    ) async throws -> LogArchiveEnd {
        var base: ArchiveBase?
        if try isEmpty(directoryPath) { base = try await begin(at: directoryPath, until: nil) }
        var replay = try await ArchiveReplay(self, directoryPath: directoryPath, base: base)
        do {
            try await replay.run(after: base?.sequence ?? sequence)
        } catch {
            try? await replay.close()
            throw error
        }
        try await replay.close()
        return replay.end
    }

    /// Copies the base with which a replay up to a point begins. Returns nil if the archive has the
    /// log from its first transaction, and no such base.
    private func begin(at path: String, until point: ArchivePoint?) async throws -> ArchiveBase? {
        let bases = try await bases()
        // A base after the point may have the history before it.
        var chosen = bases.last { point?.includes($0.base) ?? true }
        if chosen == nil, try await segmentSequences(countMax: 1) != [1] { chosen = bases.first }
        guard let chosen else { return nil }
        try await download(chosen.name, chosen.base, to: path)
        return chosen.base
    }

    private func requireEmpty(_ path: String) throws {
        guard try isEmpty(path) else {
            throw DaybookError(
                .fileExists,
                "\(path) contains files. Use an empty directory, or one that does not exist.",
                details: ["path": path])
        }
    }

    private func isEmpty(_ path: String) throws -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return true }
        return try FileManager.default.contentsOfDirectory(atPath: path)
            .allSatisfy { $0 == "lost+found" }
    }
}
