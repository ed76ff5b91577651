import Daybook
import DaybookReplica
import Foundation
import ReplicationSupport

extension Archiver {
    /// Adds a base: all files of the store. A restoration begins with the newest base before its
    /// moment and reads only the later part of the log, and ``Archive/purge(before:)`` removes the
    /// log before a base. Returns the last sequence in the base.
    ///
    /// Writes a backup into a new directory first, and removes it afterwards. `staging` is the path
    /// of that directory; nil for a hidden one beside the store, where the backup shares the files
    /// of sealed segments. History that a compaction dropped before it was archived becomes a gap:
    /// moments in it cannot be restored. Additions to the log wait for the backup, and continue
    /// during the upload. Throws the errors
    /// of ``push()`` and of a backup; `.archiveIncomplete` if the replicated log does not contain
    /// the last commits of a writer in time, or if the files were removed meanwhile.
    @discardableResult
    public func addBase(staging: String? = nil) async throws -> UInt64 {
        try await baseTurn.take {
            let work: WorkDirectory
            if let staging {
                try FileOperations.requireMissing(staging)
                work = WorkDirectory(path: staging)
            } else {
                work = try WorkDirectory(beside: self.store.directoryPath, "base")
            }
            return try await work.use { try await self.addBase(in: $0) }
        }
    }

    private func addBase(in path: String) async throws -> UInt64 {
        // No addition comes between, so that a segment ends with the base.
        let (report, isWhole) = try await turn.take {
            let report = try await self.store.backup(
                to: URL(filePath: path, directoryHint: .isDirectory))
            return (report, try await self.archiveLog(through: report.sequence))
        }
        let time = try await Blocking.run {
            var options = StoreOptions()
            options.isReadOnly = true
            let backup = try Store(path: path, entities: [], options: options)
            defer { try? backup.close() }
            return try backup.durablePosition().timeMicroseconds
        }
        let target = try await currentPosition()
        var base = ArchiveBase(
            store: archive.store, sequence: report.sequence, timeMicroseconds: time,
            // The next segment has a later place if there are commits by now.
            place: target.sequence == report.sequence ? target.place : [], files: [])
        let now = max(0, Date.now.timeIntervalSince1970 * 1e6)
        let name = ArchiveKey.baseName(
            report.sequence, timeMicroseconds: UInt64(exactly: now.rounded()) ?? 0)
        for file in try await FileOperations.run(path, { try FileOperations.files(in: path) }) {
            try Task.checkCancellation()
            let whole = path + "/" + file
            base.files.append(
                try await FileOperations.run(whole) {
                    try FileOperations.describe(file, at: whole)
                })
            // The name is random, so an existing object is this one, after a lost answer.
            _ = try await archive.storage.create(
                ArchiveKey.file(file, of: name), fromFile: whole)
        }
        if !isWhole {
            try await turn.take {
                try await self.addGap(
                    before: report.sequence, timeMicroseconds: Int64(clamping: time))
            }
        }
        let document = try ArchiveDocument.encode(base)
        // The base exists from here on.
        _ = try await archive.storage.create(ArchiveKey.base(name), document)
        guard try await archive.hasFiles(of: name, base) else {
            // A purge took the unfinished base for an abandoned one.
            try await archive.storage.remove(ArchiveKey.base(name))
            throw DaybookError(
                .archiveIncomplete,
                "The files of a new base in \(archive.name) were removed meanwhile. Add it again.",
                details: ["archive": archive.name, "base": name])
        }
        return report.sequence
    }

    /// Adds the log up to the end of a base. Returns false if the store does not have that history.
    /// The caller has the turn.
    private func archiveLog(through sequence: UInt64) async throws -> Bool {
        let start = ContinuousClock.now
        while try await currentPosition().sequence < sequence {
            // A writer has commits that are not in the replicated log yet.
            guard start.duration(to: .now) < .seconds(30) else {
                throw DaybookError(
                    .archiveIncomplete,
                    "The replicated log does not contain commit \(sequence) of"
                        + " \(store.directoryPath) yet. Try again when it is shipped.",
                    details: ["sequence": String(sequence)])
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        do {
            _ = try await pushAll(through: sequence)
            return true
        } catch let error as DaybookError where error.code == .historyTruncated {
            return false
        }
    }

    /// Adds a gap up to the end of a base, after the history that other archivers may have. The
    /// caller has the turn.
    private func addGap(before sequence: UInt64, timeMicroseconds: Int64) async throws {
        while true {
            let end = try await addGap(through: sequence, timeMicroseconds: timeMicroseconds)
            if end >= sequence { return }
            try Task.checkCancellation()
        }
    }
}
