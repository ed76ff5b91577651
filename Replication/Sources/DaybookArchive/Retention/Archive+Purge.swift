public import Daybook

/// The result of ``Archive/purge(before:)``.
public struct ArchivePurge: Sendable, Equatable {
    /// The last sequence of the base with which the archive begins now; nil if nothing was removed.
    public var baseSequence: UInt64?
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
    /// Throws the errors of the storage, and `CancellationError`.
    @discardableResult
    public func purge(before moment: HistoryMoment) async throws -> ArchivePurge {
        let point = try ArchivePoint(moment)
        let bases = try await bases()
        guard let kept = bases.last(where: { point.includes($0.base) }) else {
            return ArchivePurge()
        }
        var result = ArchivePurge(baseSequence: kept.base.sequence)
        // An older base at the same sequence may have history that a compaction dropped since.
        for (name, base) in bases where base.sequence <= kept.base.sequence && name != kept.name {
            try await remove(ArchiveKey.base(name), &result)
            result.baseCount += 1
        }
        try await removeSegments(through: kept.base.sequence, &result)
        try await removeFiles(through: kept.base.sequence, except: kept.name, &result)
        return result
    }

    /// Removes the segments whose last sequence is not after a sequence, the oldest first.
    private func removeSegments(
        through sequence: UInt64, _ result: inout ArchivePurge
    ) async throws {
        let sequences = try await allSegmentSequences()
        // A segment ends where the next one begins, or at a gap before that.
        var ended = zip(sequences, sequences.dropFirst()).filter { $1 <= sequence + 1 }.map(\.0)
        if let last = sequences.last, let header = try await header(last),
            header.lastSequence <= sequence
        {
            ended.append(last)
        }
        for first in ended {
            try await remove(ArchiveKey.segment(first), &result)
            result.segmentCount += 1
        }
    }

    /// Removes the files of other bases up to a sequence: removed ones, and interrupted ones.
    private func removeFiles(
        through sequence: UInt64, except kept: String, _ result: inout ArchivePurge
    ) async throws {
        for key in try await allKeys(ArchiveKey.files) {
            let name = key.dropFirst(ArchiveKey.files.count).prefix { $0 != "/" }
            guard let base = ArchiveKey.sequence(ofBase: name), base <= sequence, name != kept
            else { continue }
            try await remove(key, &result)
        }
    }

    private func remove(_ key: String, _ result: inout ArchivePurge) async throws {
        try Task.checkCancellation()
        try await storage.remove(key)
        result.objectCount += 1
    }
}
