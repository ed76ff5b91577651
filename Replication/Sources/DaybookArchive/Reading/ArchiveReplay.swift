import Daybook
import DaybookReplica
import ReplicationSupport

/// Adds the segments of an archive to a replica.
struct ArchiveReplay {
    private let archive: Archive
    private let path: String
    private var replica: Replica
    /// The number of segments that were read.
    private(set) var segmentCount = 0
    /// The encoded length of these segments.
    private(set) var sizeBytes = 0
    /// The end of the segments that were read, and of the base before them.
    private(set) var end: LogArchiveEnd

    /// Opens the replica in a directory, which may begin with a base, or creates it.
    init(_ archive: Archive, directoryPath path: String, base: ArchiveBase?) async throws {
        end = LogArchiveEnd(
            sequence: base?.sequence ?? 0, place: base?.place ?? [], cuts: [])
        self.archive = archive
        self.path = path
        replica = try await Self.open(path, archive)
    }

    private static func open(_ path: String, _ archive: Archive) async throws -> Replica {
        try await Blocking.run {
            var options = ReplicaOptions()
            // The replay syncs at its end.
            options.store.durability = .manual
            options.newStoreIdentity = archive.store
            return try Replica.open(directoryPath: path, options: options)
        }
    }

    /// The last sequence of the replica.
    var lastSequence: UInt64 { replica.lastSequence }

    /// Adds the segments after a sequence, up to a point or all of them. They are durable on
    /// return.
    ///
    /// Transactions of the replica after the sequence are compared, and cut off at the first
    /// difference. Throws `.archiveIncomplete` if a segment is missing; `.corruption` for a damaged
    /// one, or one that does not follow the segment before it.
    mutating func run(after sequence: UInt64, until point: ArchivePoint? = nil) async throws {
        let start = min(sequence, replica.lastSequence)
        // A segment before the beginning is about to be removed.
        let beginning = try await archive.beginning()
        let covering = try await archive.lastSegmentSequence(through: start + 1) ?? beginning
        var segments = SegmentReadAhead(archive, from: max(covering, beginning))
        defer { segments.cancel() }
        var last: (sequence: UInt64, hash: ArchiveHash)?
        var isReached = false
        while let next = try await segments.next() {
            if next.segment.lastSequence <= start {
                // The place after it may be later than that of the replica.
                if next.segment.lastSequence == start { note(next.segment) }
                continue
            }
            if let point, point.isBefore(next.segment) { break }
            try check(next, after: last, start)
            try await add(next.segment, after: start)
            last = (next.segment.lastSequence, next.hash)
            segmentCount += 1
            sizeBytes += next.lengthBytes
            if let point, point.isReached(by: next.segment) {
                isReached = true
                break
            }
        }
        // Otherwise a purge removed segments before they were read.
        let reached = max(end.sequence, start)
        if !isReached, try await archive.beginning() > reached + 1 {
            throw DaybookError.missing(archive.name, after: reached)
        }
        try await Blocking.run { [replica] in try replica.sync() }
    }

    /// Closes the replica.
    func close() async throws {
        let replica = replica
        try await Blocking.run { try replica.close() }
    }

    private func check(
        _ next: SegmentReadAhead.Found, after last: (sequence: UInt64, hash: ArchiveHash)?,
        _ start: UInt64
    ) throws(DaybookError) {
        guard let last else {
            guard next.segment.firstSequence <= start + 1, !next.segment.isGap else {
                throw .missing(archive.name, after: start)
            }
            return
        }
        guard next.segment.firstSequence == last.sequence + 1, !next.segment.isGap else {
            throw .missing(archive.name, after: last.sequence)
        }
        guard next.segment.predecessor == last.hash else {
            throw .damaged(
                ArchiveKey.segment(next.segment.firstSequence), in: archive.name,
                "it does not follow the segment before")
        }
    }

    private mutating func add(_ segment: ArchiveSegment, after start: UInt64) async throws {
        var sequence = segment.firstSequence - 1
        for part in segment.parts {
            if part.lastSequence > start {
                try Task.checkCancellation()
                try await append(part.bytes, after: sequence)
            }
            sequence = part.lastSequence
        }
        note(segment)
    }

    private mutating func note(_ segment: ArchiveSegment) {
        end.sequence = segment.lastSequence
        if !segment.place.isEmpty { end.place = segment.place }
    }

    private mutating func append(_ bytes: [UInt8], after sequence: UInt64) async throws {
        do {
            _ = try await Blocking.run { [replica] in try replica.append(bytes, after: sequence) }
        } catch let error as DaybookError where error.code == .historyOfAnotherStore {
            let common = error.details["commonSequence"].flatMap { UInt64($0) } ?? sequence
            try await close()
            if let cut = try await Blocking.run({ [path] in
                try Replica.cut(directoryPath: path, after: common)
            }) {
                end.cuts.append(cut)
            }
            replica = try await Self.open(path, archive)
            _ = try await Blocking.run { [replica] in try replica.append(bytes, after: sequence) }
        }
    }
}
