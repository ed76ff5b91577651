import Crypto
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
    /// of that directory; nil for one beside the store, where the backup shares the files of sealed
    /// segments. A history that a compaction dropped before it was archived is missing in the
    /// archive; moments before the base then cannot be restored. Throws the errors of ``push()``
    /// and of a backup, and `.archiveIncomplete` if the replicated log does not contain the last
    /// commits of a writer in time.
    @discardableResult
    public func addBase(staging: String? = nil) async throws -> UInt64 {
        let path = staging ?? store.directoryPath + "-base-" + UUID().uuidString
        return try await turn.take {
            guard !FileManager.default.fileExists(atPath: path) else {
                throw DaybookError(
                    .fileExists, "\(path) exists. Use a path of a new directory.",
                    details: ["path": path])
            }
            defer { try? FileManager.default.removeItem(atPath: path) }
            return try await self.addBase(in: path)
        }
    }

    private func addBase(in path: String) async throws -> UInt64 {
        let report = try await store.backup(to: URL(filePath: path, directoryHint: .isDirectory))
        let logSequence = try await archiveLog(until: report.sequence)
        let time = try await Blocking.run {
            var options = StoreOptions()
            options.isReadOnly = true
            let backup = try Store(path: path, entities: [], options: options)
            defer { try? backup.close() }
            return try backup.durablePosition().timeMicroseconds
        }
        var base = ArchiveBase(
            store: archive.store, sequence: report.sequence, timeMicroseconds: time,
            logSequence: logSequence, place: try await place(at: report.sequence), files: [])
        let name = ArchiveKey.baseName(
            report.sequence, timeMicroseconds: UInt64(Date.now.timeIntervalSince1970 * 1e6))
        for file in try await Blocking.run({ try BaseFiles.paths(in: path) }) {
            try Task.checkCancellation()
            let whole = path + "/" + file
            base.files.append(try await Blocking.run { try BaseFiles.describe(file, at: whole) })
            // The name is random, so an existing object is this one, after a lost answer.
            _ = try await archive.storage.create(
                ArchiveKey.file(file, of: name), fromFile: whole)
        }
        // The base exists from here on.
        _ = try await archive.storage.create(
            ArchiveKey.base(name), try ArchiveDocument.encode(base))
        return report.sequence
    }

    /// The place in the replicated log after a sequence; empty if the log has more by now, because
    /// the next segment has a later place then.
    private func place(at sequence: UInt64) async throws -> [UInt8] {
        let position = position
        let target = try await Blocking.run { try position() }
        return target.sequence == sequence ? target.place : []
    }

    /// Adds the log up to the end of a base. Returns the end of the log in the archive, which is
    /// lower if a compaction dropped the history after it.
    private func archiveLog(until sequence: UInt64) async throws -> UInt64 {
        let start = ContinuousClock.now
        while true {
            do {
                let last = try await pushAll()
                if last >= sequence { return last }
            } catch let error as DaybookError where error.code == .historyTruncated {
                // The log continues after the base.
                forgetEnd()
                return status.archivedSequence
            }
            guard start.duration(to: .now) < .seconds(30) else {
                throw DaybookError(
                    .archiveIncomplete,
                    "The replicated log does not contain commit \(sequence) of"
                        + " \(store.directoryPath) yet. Try again when it is shipped.",
                    details: ["sequence": String(sequence)])
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}

/// The files of a backup.
private enum BaseFiles {
    /// The paths of the files, with CURRENT as the last one.
    static func paths(in directory: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory)
            .filter { path in
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: directory + "/" + path)
                return attributes[.type] as? FileAttributeType == .typeRegular && path != "LOCK"
            }
            .sorted { ($0 == "CURRENT" ? 1 : 0, $0) < ($1 == "CURRENT" ? 1 : 0, $1) }
    }

    /// Reads a file once.
    static func describe(_ path: String, at location: String) throws -> ArchiveBase.File {
        let file = try FileHandle(forReadingFrom: URL(filePath: location))
        defer { try? file.close() }
        var hash = SHA256()
        var sizeBytes = 0
        while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
            hash.update(data: part)
            sizeBytes += part.count
        }
        return ArchiveBase.File(
            path: path, sizeBytes: sizeBytes, hash: ArchiveHash(hash.finalize()).text)
    }
}
