import Daybook

/// Reads segments in order, some of them ahead of the caller.
struct SegmentReadAhead {
    /// A segment, its hash, and its encoded length.
    typealias Found = (segment: ArchiveSegment, hash: ArchiveHash, lengthBytes: Int)

    private let archive: Archive
    private let countMax: Int
    /// The next sequences.
    private var rest: ArraySlice<UInt64> = []
    /// The first sequence of the last segment that was listed.
    private var listedSequence: UInt64
    /// Whether no segment follows that one.
    private var isListed = false
    private var reads: [(sequence: UInt64, task: Task<Found?, any Error>)] = []

    private static let listCountMax = 1000

    /// Begins with the segment that begins with a sequence, or with the next one. Call ``cancel()``
    /// at the end.
    init(_ archive: Archive, from first: UInt64, countMax: Int = 4) {
        self.archive = archive
        self.countMax = countMax
        listedSequence = first - 1
    }

    /// Returns the next segment; nil after the last one. Throws `.archiveIncomplete` for a segment
    /// that was removed meanwhile, and the errors of the archive.
    mutating func next() async throws -> Found? {
        while reads.count < countMax, let sequence = try await nextSequence() {
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

    /// The first sequence of the next segment; nil after the last one.
    private mutating func nextSequence() async throws -> UInt64? {
        if rest.isEmpty, !isListed {
            let page = try await archive.segmentSequences(
                after: listedSequence, countMax: Self.listCountMax)
            isListed = page.count < Self.listCountMax
            listedSequence = page.last ?? listedSequence
            rest = page[...]
        }
        return rest.popFirst()
    }

    /// Ends the reads.
    func cancel() {
        for (_, task) in reads { task.cancel() }
    }
}
