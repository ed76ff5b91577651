public import Daybook
public import DaybookReplica
import ReplicationSupport
import Synchronization

/// Adds the commits of a store to its archive.
///
/// The store may be a writer, or a read-only store of a directory to which another process writes.
/// Several archivers of the same store, also on different machines, add each part of the log once.
public final class Archiver: Sendable {
    /// The archive.
    public let archive: Archive
    let store: Store
    private let options: ArchiverOptions
    let position: @Sendable () throws -> ReplicaPosition
    /// Whether the archive may have commits that the store does not have yet.
    private let mayLag: Bool
    /// Held during an addition to the log, so that there is one at a time.
    let turn = Turn()
    /// Held during the addition of a base, while additions to the log continue.
    let baseTurn = Turn()
    private let state = Mutex(State())

    private struct State {
        var status = ArchiverStatus()
        /// The end of the archive, as far as it is known.
        var end: ArchiveEnd?
    }

    /// The encoded transactions of one read.
    private static let readSizeBytesMax = 1 << 20

    /// Opens the archive of a store in a storage, and creates it if there is none.
    ///
    /// Throws `.invalidArgument` for options outside their ranges, and for a replica: its commits
    /// may still be removed from the replicated log, so use the archiver of a `ReplicatedStore` or
    /// `Follower`. Throws the errors of ``Archive/open(_:of:)``.
    public convenience init(
        _ store: Store, in storage: any ObjectStorage, options: ArchiverOptions = ArchiverOptions()
    ) async throws {
        if try Replica.isReplica(directoryPath: store.directoryPath) {
            throw DaybookError(
                .invalidArgument,
                "The store at \(store.directoryPath) is a replica. Archive it with"
                    + " 'daybook-replicate archive'.", details: ["path": store.directoryPath])
        }
        try await self.init(store, in: storage, options, mayLag: false) {
            try store.durablePosition()
        }
    }

    /// Opens the archive of a replica, and creates it if there is none.
    ///
    /// `position` returns the end of the transactions that the replicated log has, all of which are
    /// durable in the store. The replica may be behind the archive: it adds nothing then. Throws
    /// `.invalidArgument` for options outside their ranges, and the errors of
    /// ``Archive/open(_:of:)``.
    public convenience init(
        _ store: Store, in storage: any ObjectStorage, options: ArchiverOptions = ArchiverOptions(),
        position: @escaping @Sendable () throws -> ReplicaPosition
    ) async throws {
        try await self.init(store, in: storage, options, mayLag: true, position)
    }

    private init(
        _ store: Store, in storage: any ObjectStorage, _ options: ArchiverOptions, mayLag: Bool,
        _ position: @escaping @Sendable () throws -> ReplicaPosition
    ) async throws {
        try options.check()
        archive = try await Archive.open(storage, of: store)
        self.store = store
        self.options = options
        self.position = position
        self.mayLag = mayLag
    }

    /// The state of the archiver.
    public var status: ArchiverStatus { state.withLock { $0.status } }

    /// Adds the commits that the archive lacks. Returns the last sequence in the archive.
    ///
    /// Throws `.historyOfAnotherStore` if the archive contradicts the store, `.historyTruncated` if
    /// a compaction dropped history before it was archived (add a base then), the errors of the
    /// store and of the storage, and `CancellationError`. The archive is valid after any error.
    @discardableResult
    public func push() async throws -> UInt64 {
        try await turn.take { try await self.pushAll() }
    }

    /// Adds new commits at the interval of the options, until the task is cancelled; then throws
    /// `CancellationError`.
    ///
    /// Continues after errors that may pass; ``status`` has the last one. Throws the other errors
    /// of ``push()``.
    public func run() async throws {
        while true {
            do {
                try await push()
            } catch let error as DaybookError where error.mayPass {
                state.withLock { $0.status.failure = error }
            }
            try await Task.sleep(for: options.interval)
        }
    }

    /// Adds the commits that the archive lacks, up to a sequence or all of them. The caller has the
    /// turn.
    func pushAll(through limit: UInt64 = .max) async throws -> UInt64 {
        let isKnown = state.withLock { $0.end != nil }
        do {
            return try await pushOnce(through: limit)
        } catch let error as DaybookError where error.code == .historyTruncated && isKnown {
            // Another archiver may have added the dropped history.
            forgetEnd()
            return try await pushOnce(through: limit)
        }
    }

    private func pushOnce(through limit: UInt64) async throws -> UInt64 {
        var target = try await currentPosition()
        if limit < target.sequence {
            target.sequence = limit
            target.place = []
        }
        var end = try await end(target)
        note(end, target)
        while end.sequence < target.sequence {
            try Task.checkCancellation()
            end = try await add(try await nextSegment(after: end, until: target), target)
            note(end, target)
        }
        return end.sequence
    }

    /// The end of the commits that may be archived.
    func currentPosition() async throws -> ReplicaPosition {
        let position = position
        return try await Blocking.run { try position() }
    }

    /// Adds a gap from the end of the archive to a sequence, because the store has no history
    /// before it. Returns the end, which is another one if another archiver was faster. The caller
    /// has the turn.
    func addGap(through sequence: UInt64, timeMicroseconds: Int64) async throws -> UInt64 {
        forgetEnd()
        let target = try await currentPosition()
        let end = try await end(target)
        guard end.sequence < sequence else { return end.sequence }
        var gap = ArchiveSegment(
            store: archive.store, firstSequence: end.sequence + 1, lastSequence: sequence,
            timesMicroseconds: end.timeMicroseconds...max(end.timeMicroseconds, timeMicroseconds),
            predecessor: end.hash, place: [], parts: [])
        gap.isGap = true
        let added = try await add(gap, target)
        note(added, target)
        return added.sequence
    }

    private func note(_ end: ArchiveEnd, _ target: ReplicaPosition) {
        state.withLock { state in
            state.status.archivedSequence = end.sequence
            state.status.failure = nil
            // The store cannot be compared with later segments yet.
            state.end = end.sequence <= target.sequence ? end : nil
        }
    }

    /// Makes the next addition find the end of the archive again.
    func forgetEnd() { state.withLock { $0.end = nil } }

    /// The end of the archive. Reads the last segment first if this is the first addition, and
    /// checks that the store has its transactions.
    private func end(_ target: ReplicaPosition) async throws -> ArchiveEnd {
        if let end = state.withLock({ $0.end }) { return end }
        let first = try await archive.lastSegmentSequence()
        var last: SegmentReadAhead.Found?
        if let first { last = try await archive.segment(first) }
        // Read after the segment: a mark is there before a late archiver can add a segment.
        let beginning = try await archive.beginning()
        guard let last, last.segment.firstSequence >= beginning else {
            // A base has all commits before.
            try await requireReached(beginning - 1, target)
            return ArchiveEnd(sequence: beginning - 1, hash: .none, timeMicroseconds: 0)
        }
        try await check(last.segment, target)
        return ArchiveEnd(last.segment, last.hash)
    }

    /// Throws `.historyOfAnotherStore` unless the store has the transactions of a segment. A
    /// replica that may lag is checked as far as it is.
    private func check(_ segment: ArchiveSegment, _ target: ReplicaPosition) async throws {
        let reached = try await requireReached(segment.lastSequence, target)
        let store = store
        let archive = archive
        try await Blocking.run {
            var sequence = segment.firstSequence - 1
            for part in segment.parts where part.lastSequence <= reached {
                guard try store.contains(part.bytes, after: sequence) else {
                    throw DaybookError.diverged(archive.name, at: sequence + 1)
                }
                sequence = part.lastSequence
            }
        }
    }

    /// Throws `.historyOfAnotherStore` if the store does not have a commit of the archive, unless
    /// it is a replica that may lag. Returns the end of its commits.
    ///
    /// Another archiver of the store may have seen later commits than this one.
    @discardableResult
    private func requireReached(
        _ sequence: UInt64, _ target: ReplicaPosition
    ) async throws -> UInt64 {
        var reached = target.sequence
        var attempts = 0
        while !mayLag, reached < sequence {
            guard attempts < Self.positionAttemptCountMax else {
                throw DaybookError.diverged(archive.name, at: reached + 1)
            }
            if attempts > 0 { try await Task.sleep(for: .milliseconds(50)) }
            attempts += 1
            reached = max(reached, try await currentPosition().sequence)
        }
        return reached
    }

    private static let positionAttemptCountMax = 20

    private func nextSegment(
        after end: ArchiveEnd, until target: ReplicaPosition
    ) async throws -> ArchiveSegment {
        let (store, options) = (store, options)
        return try await Blocking.run {
            var segment: ArchiveSegment?
            var sizeBytes = 0
            var sequence = end.sequence
            while sequence < target.sequence, sizeBytes < options.segmentSizeBytesMax,
                let next = try store.transactions(
                    after: sequence, through: target.sequence,
                    sizeBytesMax: min(Self.readSizeBytesMax, options.segmentSizeBytesMax))
            {
                // A long transaction begins a segment of its own.
                let isTooLong = sizeBytes + next.bytes.count > options.segmentSizeBytesMax
                if segment != nil, isTooLong { break }
                let part = ArchiveSegment.Part(lastSequence: next.lastSequence, bytes: next.bytes)
                var built = segment ?? ArchiveSegment(store, next, after: end)
                built.add(part, until: next.timesMicroseconds.upperBound)
                sequence = next.lastSequence
                sizeBytes += next.bytes.count
                segment = built
            }
            guard var segment else {
                throw DaybookError.diverged(self.archive.name, at: sequence + 1)
            }
            // Only there, the place in the replicated log is known.
            if sequence == target.sequence { segment.place = target.place }
            return segment
        }
    }

    /// Adds a segment, or accepts the one that another archiver added at the same place. Returns
    /// the new end.
    private func add(
        _ segment: ArchiveSegment, _ target: ReplicaPosition
    ) async throws -> ArchiveEnd {
        let (bytes, hash) = segment.encoded()
        let key = ArchiveKey.segment(segment.firstSequence)
        let isNew = try await archive.storage.create(key, bytes)
        guard try await archive.beginning() <= segment.firstSequence else {
            // A purge had removed the segment that was there, and a base replaces it. The object is
            // that of this archiver, or of another one that was late, too.
            try await archive.storage.remove(key)
            forgetEnd()
            return try await end(target)
        }
        if isNew {
            state.withLock { state in
                state.status.segmentCount += 1
                state.status.sizeBytes += bytes.count
            }
            return ArchiveEnd(segment, hash)
        }
        guard let found = try await archive.segment(segment.firstSequence) else {
            // A purge removed it meanwhile.
            forgetEnd()
            return try await end(target)
        }
        if found.hash != hash { try await check(found.segment, target) }
        return ArchiveEnd(found.segment, found.hash)
    }
}

extension DaybookError {
    /// Whether an archiver continues after the error, because it may pass: `.storageUnavailable`,
    /// `.permissionDenied`, `.outOfSpace`, `.inputOutput`.
    public var mayPass: Bool {
        [.storageUnavailable, .permissionDenied, .outOfSpace, .inputOutput].contains(code)
    }
}
