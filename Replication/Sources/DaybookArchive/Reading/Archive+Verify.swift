import Daybook

/// The result of a verification: ``Archive/verify(progress:)``.
public struct ArchiveVerification: Sendable, Equatable {
    /// The number of segments that were read.
    public var segmentCount = 0
    /// The number of files of bases that were read.
    public var fileCount = 0
    /// The number of bytes that were read.
    public var sizeBytes = 0
    /// The ranges of sequences that the log lacks before a base. A compaction dropped their history
    /// before it was archived.
    public var gaps: [ClosedRange<UInt64>] = []
    /// The damage, a sentence for each object.
    public var damage: [String] = []

    /// Whether every object is intact.
    public var isIntact: Bool { damage.isEmpty }
}

extension Archive {
    /// Reads every object of the archive and checks the hashes, and that each segment follows the
    /// one before. Damaged objects are in the result. `progress` receives the completed part, 0 to
    /// 1. Throws the errors of the storage, and `CancellationError`.
    public func verify(
        progress: (Double) -> Void = { _ in }
    ) async throws -> ArchiveVerification {
        var result = ArchiveVerification()
        let beginning = try await beginning()
        let sequences = try await allSegmentSequences()
        let names = try await baseNames()
        let total = Double(max(1, sequences.count + names.count))
        var baseSequences: Set<UInt64> = []
        for (index, name) in names.enumerated() {
            if let base = try await verify(base: name, &result) {
                baseSequences.insert(base.sequence)
            }
            progress(Double(index + 1) / total)
        }
        var last: End? = (beginning - 1, nil)
        for sequence in sequences {
            try Task.checkCancellation()
            last = try await verify(sequence, after: last, &result)
            progress(Double(names.count + result.segmentCount) / total)
        }
        // The base of a purge, and one after each gap.
        let needed = result.gaps.map(\.upperBound) + (beginning > 1 ? [beginning - 1] : [])
        for sequence in needed where !baseSequences.contains(where: { $0 >= sequence }) {
            result.damage.append(DaybookError.missing(name, after: sequence - 1).message)
        }
        return result
    }

    /// The end of a segment; without a hash for the beginning of the log after a purge.
    private typealias End = (sequence: UInt64, hash: ArchiveHash?)

    /// Checks a segment. Returns its end; nil if it is damaged.
    private func verify(
        _ sequence: UInt64, after last: End?, _ result: inout ArchiveVerification
    ) async throws -> End? {
        result.segmentCount += 1
        do {
            guard let found = try await segment(sequence) else {
                throw DaybookError.missing(name, after: sequence - 1)
            }
            result.sizeBytes += found.lengthBytes
            let segment = found.segment
            if let last {
                guard segment.firstSequence == last.sequence + 1 else {
                    throw DaybookError.missing(name, after: last.sequence)
                }
                guard last.hash == nil || segment.predecessor == last.hash else {
                    throw DaybookError.damaged(
                        ArchiveKey.segment(sequence), in: name,
                        "it does not follow the segment before")
                }
            }
            if segment.isGap { result.gaps.append(segment.firstSequence...segment.lastSequence) }
            return (segment.lastSequence, found.hash)
        } catch let error as DaybookError where error.isDamage {
            result.damage.append(error.message)
            return nil
        }
    }

    /// Checks the files of a base. Returns its description; nil if it is damaged or was removed.
    private func verify(
        base name: String, _ result: inout ArchiveVerification
    ) async throws -> ArchiveBase? {
        var found: ArchiveBase?
        do {
            found = try await base(name)
        } catch let error as DaybookError where error.isDamage {
            result.damage.append(error.message)
        }
        for file in found?.files ?? [] {
            result.fileCount += 1
            do {
                try await read(file, of: name) { result.sizeBytes += $0.count }
            } catch let error as DaybookError where error.isDamage {
                result.damage.append(error.message)
            }
        }
        return found
    }
}

extension DaybookError {
    /// Whether an object of an archive is damaged, missing, or of a newer release.
    var isDamage: Bool {
        [.corruption, .formatTooNew, .archiveIncomplete].contains(code)
    }
}
