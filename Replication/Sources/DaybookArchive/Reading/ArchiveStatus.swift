import Daybook

/// The content of an archive.
public struct ArchiveStatus: Sendable, Equatable {
    /// A base.
    public struct Base: Sendable, Equatable {
        /// The last sequence in the files.
        public var sequence: UInt64
        /// The time of that commit, or of a later one, in microseconds since 1970.
        public var timeMicroseconds: UInt64
        /// The length of the files.
        public var sizeBytes: Int
    }

    /// The identity of the store, a UUID.
    public var store: String
    /// The sequences of the log in the archive; nil if it has none.
    public var sequences: ClosedRange<UInt64>?
    /// The times of the first and the last commit of the log, in microseconds since 1970.
    public var timesMicroseconds: ClosedRange<Int64>?
    /// The number of segments of the log.
    public var segmentCount: Int
    /// The length of these segments.
    public var segmentsSizeBytes: Int
    /// The bases, in ascending order of their sequences.
    public var bases: [Base]
    /// The bases that cannot be used, a sentence for each: their descriptions are damaged, or of a
    /// newer release.
    public var damagedBases: [String]
}

extension Archive {
    /// Returns the content of the archive. Throws `.corruption` for a damaged first or last
    /// segment, and the errors of the storage. Cost: a list of all segments and bases, and some
    /// small reads.
    public func status() async throws -> ArchiveStatus {
        let beginning = try await beginning()
        let entries = try await allEntries(
            ArchiveKey.segments, after: ArchiveKey.segment(beginning - 1))
        let bases = try await bases()
        var status = ArchiveStatus(
            store: store, sequences: nil, timesMicroseconds: nil, segmentCount: entries.count,
            segmentsSizeBytes: entries.reduce(0) { $0 + $1.sizeBytes },
            bases: bases.readable.map { _, base in
                ArchiveStatus.Base(
                    sequence: base.sequence, timeMicroseconds: base.timeMicroseconds,
                    sizeBytes: base.files.reduce(0) { $0 + $1.sizeBytes })
            }, damagedBases: bases.failures.map(\.message))
        let sequences = entries.compactMap { ArchiveKey.firstSequence(ofSegment: $0.key) }
        guard let first = sequences.first, let last = sequences.last,
            let begin = try await header(first),
            let end = try await header(last)
        else { return status }
        guard first <= end.lastSequence,
            begin.timesMicroseconds.lowerBound <= end.timesMicroseconds.upperBound
        else {
            throw DaybookError.damaged(
                ArchiveKey.segment(last), in: name, "its sequences or times do not ascend")
        }
        status.sequences = first...end.lastSequence
        status.timesMicroseconds =
            begin.timesMicroseconds.lowerBound...end.timesMicroseconds.upperBound
        return status
    }
}
