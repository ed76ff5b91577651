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
    /// Held during an addition, so that there is one at a time.
    let turn = Turn()
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
    /// Continues after errors that may pass; ``status`` has the last one. Throws the other errors of
    /// ``push()``.
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

    /// Adds the commits that the archive lacks. The caller has the turn.
    func pushAll() async throws -> UInt64 {
        let position = position
        let target = try await Blocking.run { try position() }
        var end = try await end(target)
        note(end, target)
        while end.sequence < target.sequence {
            try Task.checkCancellation()
            end = try await add(try await nextSegment(after: end, until: target), target)
            note(end, target)
        }
        return end.sequence
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
        // After a purge, or for a store without its first transactions, the log begins with a base.
        let base = try await archive.baseNames().last.flatMap { ArchiveKey.sequence(ofBase: $0) }
        guard let first = try await archive.lastSegmentSequence(),
            let last = try await archive.segment(first)
        else { return ArchiveEnd(sequence: base ?? 0, hash: .none) }
        try await check(last.segment, target)
        if let base, base > last.segment.lastSequence {
            return ArchiveEnd(sequence: base, hash: .none)
        }
        return ArchiveEnd(sequence: last.segment.lastSequence, hash: last.hash)
    }

    /// Throws `.historyOfAnotherStore` unless the store has the transactions of a segment. A
    /// replica that may lag is checked as far as it is.
    private func check(_ segment: ArchiveSegment, _ target: ReplicaPosition) async throws {
        guard mayLag || segment.lastSequence <= target.sequence else {
            throw DaybookError.diverged(archive.name, at: target.sequence + 1)
        }
        let store = store
        let archive = archive
        try await Blocking.run {
            var sequence = segment.firstSequence - 1
            for part in segment.parts where part.lastSequence <= target.sequence {
                guard try store.contains(part.bytes, after: sequence) else {
                    throw DaybookError.diverged(archive.name, at: sequence + 1)
                }
                sequence = part.lastSequence
            }
        }
    }

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
        if try await archive.storage.create(key, bytes) {
            state.withLock { state in
                state.status.segmentCount += 1
                state.status.sizeBytes += bytes.count
            }
            return ArchiveEnd(sequence: segment.lastSequence, hash: hash)
        }
        guard let found = try await archive.segment(segment.firstSequence) else {
            throw DaybookError.missing(archive.name, after: segment.firstSequence - 1)
        }
        if found.hash != hash { try await check(found.segment, target) }
        return ArchiveEnd(sequence: found.segment.lastSequence, hash: found.hash)
    }
}

/// The end of the log in an archive.
struct ArchiveEnd: Sendable {
    /// The last sequence.
    var sequence: UInt64
    /// The hash of the last segment.
    var hash: ArchiveHash
}

extension ArchiveSegment {
    /// A segment without parts that begins with transactions of a store.
    init(_ store: Store, _ transactions: ReplicaTransactions, after end: ArchiveEnd) {
        self.init(
            store: store.identity, firstSequence: transactions.firstSequence,
            lastSequence: transactions.firstSequence,
            timesMicroseconds: transactions.timesMicroseconds, predecessor: end.hash, place: [],
            parts: [])
    }

    /// Adds transactions whose last commit was made at a time.
    mutating func add(_ part: Part, until timeMicroseconds: Int64) {
        parts.append(part)
        lastSequence = part.lastSequence
        timesMicroseconds =
            timesMicroseconds.lowerBound...max(timesMicroseconds.upperBound, timeMicroseconds)
    }
}

extension DaybookError {
    /// Whether an archiver continues after the error, because it may pass: `.storageUnavailable`,
    /// `.permissionDenied`, `.outOfSpace`, `.inputOutput`.
    public var mayPass: Bool {
        [.storageUnavailable, .permissionDenied, .outOfSpace, .inputOutput].contains(code)
    }
}
