import Daybook

/// Reads segments in order, some of them ahead of the caller.
struct SegmentReadAhead {
    /// A segment, its hash, and its encoded length.
    typealias Found = (segment: ArchiveSegment, hash: ArchiveHash, lengthBytes: Int)

    private let archive: Archive
    private let countMax: Int
    private var rest: ArraySlice<UInt64>
    private var reads: [(sequence: UInt64, task: Task<Found?, any Error>)] = []

    /// Begins to read the segments that begin with the sequences. Call ``cancel()`` at the end.
    init(_ archive: Archive, _ sequences: ArraySlice<UInt64>, countMax: Int = 4) {
        self.archive = archive
        self.countMax = countMax
        rest = sequences
    }

    /// Returns the next segment; nil after the last one. Throws `.archiveIncomplete` for a segment
    /// that was removed meanwhile, and the errors of the archive.
    mutating func next() async throws -> Found? {
        while reads.count < countMax, let sequence = rest.popFirst() {
            let archive = archive
            reads.append((sequence, Task { try await archive.segment(sequence) }))
        }
        guard !reads.isEmpty else { return nil }
        let (sequence, task) = reads.removeFirst()
        let found = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        guard let found else { throw DaybookError.missing(archive.name, after: sequence - 1) }
        return found
    }

    /// Ends the reads.
    func cancel() {
        for (_, task) in reads { task.cancel() }
    }
}
