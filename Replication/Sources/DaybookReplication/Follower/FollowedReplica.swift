import Daybook
import DaybookNATS
import DaybookReplica
import ReplicationSupport

/// A replica that follows its log, before a store uses it.
struct FollowedReplica {
    let stream: any FrameStream
    let options: ReplicationOptions
    private(set) var replica: Replica
    /// The log up to the last message that the replica has read.
    var chain: ReplicationChain
    /// The place that the replica saved in its last run.
    private let lastPlace: ReplicaPlace?
    /// The writers of claims that may be in the log, and whose outcome is unknown.
    private var claimingWriters: [UInt64]
    /// The transactions that were removed from the replica.
    private(set) var cuts: [ReplicaCut] = []

    /// The length of the messages of one read.
    static let readSizeBytesMax = 8 << 20
    /// A read of fewer messages reached the end of the log, as its server knows it.
    private static let shortReadCountMax = 512

    /// Opens a replica at its place in the log, or at the beginning. Reads only the beginning of
    /// the log, and the archive if the stream does not have the messages after the place.
    /// `needsLog` is true for a replica that cannot begin a log.
    static func open(
        directoryPath: String, stream: any FrameStream, options: ReplicationOptions,
        needsLog: Bool = false
    ) async throws -> FollowedReplica {
        do {
            return try await openAtPlace(directoryPath, stream, options, needsLog)
        } catch let error as DaybookError where error.code == .streamTruncated {
            guard let archive = options.archive else { throw error }
            let store = try await archive.storeIdentity()
            if let expected = try await LogBeginning(stream).store, expected != store {
                throw DaybookError.replaced(
                    stream: stream.name,
                    "it belongs to the store \(expected), and the archive to \(store)")
            }
            let cuts = try await catchUp(directoryPath, archive)
            var followed = try await openAtPlace(directoryPath, stream, options, needsLog)
            followed.cuts = cuts
            return followed
        }
    }

    /// Adds the archived transactions to a closed replica, and saves their place. Returns the
    /// transactions that were removed.
    private static func catchUp(
        _ path: String, _ archive: any LogArchive
    ) async throws -> [ReplicaCut] {
        let old = try await Blocking.run {
            try Replica.place(directoryPath: path).flatMap { ReplicaPlace(decoding: $0) }
        }
        let end = try await archive.catchUp(directoryPath: path, after: old?.lastSequence ?? 0)
        // Without a place, the next opening throws `.streamTruncated`.
        guard var place = ReplicaPlace(decoding: end.place) else { return end.cuts }
        if let old, old.mayShipTail(afterClaimOf: place.writer, place.term) {
            place.isWriter = true
            place.claimingWriters = old.claimingWriters
        }
        let mayHaveTail = old?.isWriter ?? true
        return try await Blocking.run { [place] in
            var cuts = end.cuts
            if mayHaveTail, !place.isWriter,
                let cut = try Replica.cut(directoryPath: path, after: end.sequence)
            {
                cuts.append(cut)
            }
            try Replica.save(place: place.encoded(), directoryPath: path)
            return cuts
        }
    }

    private static func openAtPlace(
        _ directoryPath: String, _ stream: any FrameStream, _ options: ReplicationOptions,
        _ needsLog: Bool
    ) async throws -> FollowedReplica {
        let beginning = try await LogBeginning(stream)
        try beginning.check(
            isNew: try !Replica.isReplica(directoryPath: directoryPath), needsLog)
        var replicaOptions = ReplicaOptions()
        replicaOptions.store = options.store
        replicaOptions.waitsForShipping = options.acknowledgement == .replicated
        replicaOptions.newStoreIdentity = beginning.store
        let opened = replicaOptions
        let replica: Replica
        do {
            replica = try await Blocking.run {
                try Replica.open(directoryPath: directoryPath, options: opened)
            }
        } catch let error as DaybookError where error.code == .historyOfAnotherStore {
            throw DaybookError.replaced(
                stream: stream.name, "it belongs to another store than the directory")
        }
        do {
            let place = try ReplicaPlace(decoding: replica.place())
            let chain = try await beginning.chain(of: replica, at: place)
            return FollowedReplica(
                stream: stream, options: options, replica: replica, chain: chain, place: place)
        } catch {
            try? await Blocking.run { try replica.close() }
            throw error
        }
    }

    private init(
        stream: any FrameStream, options: ReplicationOptions, replica: Replica,
        chain: ReplicationChain, place: ReplicaPlace?
    ) {
        self.stream = stream
        self.options = options
        self.replica = replica
        self.chain = chain
        lastPlace = place
        claimingWriters = place?.claimingWriters ?? []
    }

    /// Reads the messages that a server has now, and adds their transactions to the replica.
    ///
    /// Transactions of the replica that contradict the log are cut off; they were never
    /// acknowledged as replicated. The server may have an old copy: only an accepted append proves
    /// that the replica has the whole log. Throws the errors of the stream and of the replica.
    mutating func catchUp() async throws {
        while true {
            let messages = try await stream.messages(
                after: chain.streamSequence, sizeBytesMax: Self.readSizeBytesMax)
            var sizeBytes = 0
            for message in messages {
                sizeBytes += message.bytes.readableBytes
                try await read(message)
            }
            // A writer may add messages as fast as they are read, so a short part ends the call.
            let isShort =
                messages.count < Self.shortReadCountMax && sizeBytes < Self.readSizeBytesMax / 2
            if isShort { return }
        }
    }

    /// Reads the log up to the last message that the leader of the stream has now. Throws as
    /// ``catchUp()``, `.streamTruncated`, and `.replicationTimedOut` if no server has the message
    /// for a time.
    mutating func catchUpToLeader() async throws {
        let bounds = try await stream.bounds()
        var delay = RetryDelay()
        var start = ContinuousClock.now
        while chain.streamSequence < bounds.last {
            let before = chain.streamSequence
            try await catchUp()
            if chain.streamSequence > before {
                start = .now
                continue
            }
            guard bounds.after <= before else {
                throw DaybookError.truncated(
                    stream: stream.name, from: bounds.after + 1, after: before)
            }
            guard start.duration(to: .now) < options.timeout else {
                throw DaybookError.timedOut(options.timeout, stream: stream.name, nil)
            }
            await delay.wait()
            try Task.checkCancellation()
        }
    }

    /// Whether the transactions that are not in the log may still be shipped: nobody has claimed
    /// the log, or the replica itself was the last one. Otherwise their commits threw `.fenced`, or
    /// would have.
    var mayShipTail: Bool {
        guard chain.term > 0 else { return true }
        return lastPlace?.mayShipTail(afterClaimOf: chain.writer, chain.term) ?? false
    }

    /// Saves the claim that the replica is about to append, if the replica has transactions that
    /// may be shipped after it.
    mutating func saveClaim(of maker: FrameMaker) async throws {
        guard replica.lastSequence > chain.lastSequence else { return }
        // An earlier claim may still arrive.
        claimingWriters.append(maker.writer)
        var place = ReplicaPlace(chain, stream: stream.name, isWriter: true)
        place.claimingWriters = claimingWriters
        try await replica.save(place)
    }

    /// Whether the replica may have transactions that never were in the log. A replica that only
    /// followed has none, so an old read of the log removes nothing.
    var mayHaveTail: Bool { lastPlace.map(\.isWriter) ?? true }

    /// Cuts the transactions off that are not in the log.
    mutating func cutUnshipped() async throws {
        guard replica.lastSequence > chain.lastSequence else { return }
        try await cut(after: chain.lastSequence)
    }

    private mutating func read(_ message: StreamMessage) async throws {
        let step = try chain.next(message, of: stream.name)
        guard case .transactions(let bytes, let afterSequence) = step else { return }
        let transactions = Array(bytes.readableBytesView)
        do {
            try await append(transactions, after: afterSequence)
        } catch let error as DaybookError where error.code == .historyOfAnotherStore {
            let common = error.details["commonSequence"].flatMap { UInt64($0) } ?? afterSequence
            try await cut(after: common)
            try await append(transactions, after: afterSequence)
        }
    }

    private func append(_ bytes: [UInt8], after sequence: UInt64) async throws {
        let replica = replica
        _ = try await Blocking.run { try replica.append(bytes, after: sequence) }
    }

    private mutating func cut(after sequence: UInt64) async throws {
        let (old, options) = (replica, options)
        let store = old.identity
        let (cut, reopened) = try await Blocking.run {
            try old.close()
            let cut = try Replica.cut(directoryPath: old.directoryPath, after: sequence)
            var replicaOptions = ReplicaOptions()
            replicaOptions.store = options.store
            replicaOptions.waitsForShipping = options.acknowledgement == .replicated
            replicaOptions.newStoreIdentity = store
            return (
                cut, try Replica.open(directoryPath: old.directoryPath, options: replicaOptions)
            )
        }
        replica = reopened
        if let cut { cuts.append(cut) }
    }
}

extension ReplicationChain {
    /// Reads the next message of a stream. Throws `.streamTruncated` if messages before it are
    /// missing.
    mutating func next(_ message: StreamMessage, of stream: String) throws(DaybookError) -> Step {
        try requireNext(message, of: stream)
        return accept(message.bytes, at: message.sequence)
    }

    /// Throws `.streamTruncated` unless a message is the one after the last message.
    func requireNext(_ message: StreamMessage, of stream: String) throws(DaybookError) {
        guard message.predecessor == streamSequence else {
            throw .truncated(stream: stream, from: message.sequence, after: streamSequence)
        }
    }
}
