public import Daybook
import Foundation

/// The result of ``Archive/purge(before:)``.
public struct ArchivePurge: Sendable, Equatable {
    /// The last sequence of the base with which the archive begins now; nil if nothing was removed.
    public var baseSequence: UInt64?
    /// The sequence with which the log begins now. It is lower than the one after the base if a
    /// segment contains commits before and after the base; another base and purge remove it.
    public var firstSequence: UInt64?
    /// The number of removed segments.
    public var segmentCount = 0
    /// The number of removed bases.
    public var baseCount = 0
    /// The number of removed objects.
    public var objectCount = 0
}

extension Archive {
    /// Removes the history before a moment. The newest base up to the moment remains, and the log
    /// after it; so every later moment can still be restored.
    ///
    /// This is the only operation that removes objects. Removes nothing if there is no such base:
    /// add one with ``Archiver/addBase(staging:)``. To erase history, drop it in the store by a
    /// compaction, add a base, and purge the archive before `.sequence` of that base. A storage
    /// with versions of objects keeps removed ones until its own rules expire them. After an error
    /// or a crash, a part is removed, and the archive is valid; another call removes the rest.
    /// Throws `.corruption` or `.formatTooNew` if no base remains because the description of one is
    /// damaged or newer, the errors of the storage, and `CancellationError`.
    @discardableResult
    public func purge(before moment: HistoryMoment) async throws -> ArchivePurge {
        let point = try ArchivePoint(moment)
        let bases = try await bases()
        guard let kept = try await newestWhole(bases.readable, before: point) else {
            if let failure = bases.failures.first { throw failure }
            return ArchivePurge()
        }
        let sequence = kept.base.sequence
        let beginning = try await beginning()
        var first = max(beginning, sequence + 1)
        if let spanning = try await lastSegmentSequence(through: sequence), spanning >= beginning,
            let header = try await header(spanning), header.lastSequence > sequence
        {
            first = spanning
        }
        // An archiver that creates a segment before this sequence notices the mark.
        _ = try await storage.create(ArchiveKey.beginning(first), [])
        var result = ArchivePurge(baseSequence: sequence, firstSequence: first)
        // An older base at the same sequence may have history that a compaction dropped since. Its
        // name is enough, so that damaged descriptions and their files are removed, too.
        let names = try await baseNames().filter { name in
            name != kept.name && ArchiveKey.sequence(ofBase: name).map { $0 <= sequence } ?? false
        }
        for name in names {
            try await remove(ArchiveKey.base(name), &result)
            result.baseCount += 1
        }
        for key in try await allKeys(ArchiveKey.segments) {
            guard let begin = ArchiveKey.firstSequence(ofSegment: key) else { continue }
            if begin >= first { break }
            try await remove(key, &result)
            result.segmentCount += 1
        }
        try await removeFiles(
            through: sequence, except: kept.name, removed: Set(names), &result)
        for key in try await allKeys(ArchiveKey.beginnings) {
            let old = ArchiveKey.sequence(in: key, after: ArchiveKey.beginnings)
            if let old, old < first { try await remove(key, &result) }
        }
        return result
    }

    /// The newest base up to a point that has all its files.
    private func newestWhole(
        _ bases: [(name: String, base: ArchiveBase)], before point: ArchivePoint
    ) async throws -> (name: String, base: ArchiveBase)? {
        for found in bases.reversed() where point.includes(found.base) {
            if try await hasFiles(of: found.name, found.base) { return found }
        }
        return nil
    }

    /// Removes the files of removed bases up to a sequence, and of bases that were abandoned before
    /// they were complete.
    private func removeFiles(
        through sequence: UInt64, except kept: String, removed: Set<String>,
        _ result: inout ArchivePurge
    ) async throws {
        let limit = Date.now.timeIntervalSince1970 - Self.unfinishedSecondsMax
        for key in try await allKeys(ArchiveKey.files) {
            let name = String(key.dropFirst(ArchiveKey.files.count).prefix { $0 != "/" })
            guard let base = ArchiveKey.sequence(ofBase: name), base <= sequence, name != kept,
                let time = ArchiveKey.time(ofBase: name)
            else { continue }
            if removed.contains(name) || Double(time) / 1e6 < limit {
                try await remove(key, &result)
            }
        }
    }

    /// A base whose description is missing may still be written for this time: a week.
    private static let unfinishedSecondsMax = 7.0 * 86_400

    private func remove(_ key: String, _ result: inout ArchivePurge) async throws {
        try Task.checkCancellation()
        try await storage.remove(key)
        result.objectCount += 1
    }
}
