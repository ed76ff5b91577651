import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// Runs `body` as one write transaction and commits its changes.
    ///
    /// Inside another write transaction of this thread, `body` joins that transaction: its metadata
    /// is added to the outer transaction's metadata, and if it throws, the outer transaction is
    /// rolled back at its end. Throws the errors of `body`, with nothing changed;
    /// `.invalidArgument` for metadata that is too long; `.cannotWriteWhileReading` inside a read
    /// transaction; `.readOnly`, `.closed`, `.outOfSpace`; and `.durabilityUnknown` if the sync
    /// fails.
    @discardableResult
    @specialized(where Result == UInt64)
    package func write<Result>(
        metadata: [String: String] = [:], _ body: (WriteTransaction) throws -> Result
    ) throws -> Result {
        switch try TransactionContext.role(of: self) {
        case .write(let transaction): return try join(transaction, metadata, body)
        case .read: throw Self.cannotWriteWhileReading
        case nil: break
        }
        let noted = try PendingMetadata(ambient: options.ambientMetadata(), metadata)
        var result: Result?
        var watch = CommitWatch(events)
        let sequence = try commit(&watch) { transaction in
            transaction.noted = noted
            result = try body(transaction)
        }
        try awaitVisibility(of: sequence)
        watch.becameVisible()
        guard let result else { preconditionFailure("commit runs its body") }
        return result
    }

    /// Runs `body` as one operation: in a write transaction of its own, or as part of this thread's
    /// transaction. If `body` throws in a running transaction, only its own changes are rolled
    /// back, and the transaction stays usable; an error of a block inside ``write(metadata:_:)``
    /// aborts the whole transaction. Throws as `write` does.
    @discardableResult
    @specialized(where Result == UInt64)
    package func operate<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
        guard case .write(let transaction)? = try TransactionContext.role(of: self) else {
            return try write(body)
        }
        if let abortError = transaction.changes.abortError { throw abortError }
        let savepoint = transaction.savepoint()
        do {
            return try body(transaction)
        } catch {
            transaction.roll(backTo: savepoint)
            throw error
        }
    }

    /// This thread's write transaction, if it has changed anything. Values that are read in it may
    /// never be committed.
    package var changingTransaction: WriteTransaction? {
        guard case .write(let transaction)? = try? TransactionContext.role(of: self) else {
            return nil
        }
        return transaction.isEmpty ? nil : transaction
    }

    /// The sequence of the commit that the running write transaction makes.
    package var nextSequence: UInt64 { log.lastSequence + 1 }

    /// Whether a read on this thread sees the commit with this sequence: the commit is visible, and
    /// the thread does not read an older version. True in a write transaction, which sees all
    /// commits, and in a closed store, where a read throws.
    package func readsInclude(_ sequence: UInt64) -> Bool {
        if case .write? = try? TransactionContext.role(of: self) { return true }
        return (try? visibleSequence).map { $0 >= sequence } ?? true
    }

    /// The commit path, in the order durable → visible → notified. Returns the sequence to wait
    /// for.
    func commit(
        _ watch: inout CommitWatch, _ body: (WriteTransaction) throws -> Void
    ) throws -> UInt64 {
        let signpost = Signpost("commit")
        defer { signpost.end() }
        return try writer.withLock { _ in
            watch.locked()
            try requireWritable()
            try options.shipping?.requireWriting()
            let transaction = WriteTransaction(self)
            var isSettled = false
            defer {
                transaction.changes.isOver = true
                if !isSettled { transaction.abandon() }
                transaction.changes.giveBackIds()
            }
            try TransactionContext.run(self, .write(transaction)) { try body(transaction) }
            if let abortError = transaction.changes.abortError { throw abortError }
            try transaction.changes.removeOrphans()
            watch.ran()

            // 1. Encode. Each record gets the sequence of the version that it replaces.
            guard let batch = try encode(transaction) else {
                isSettled = true
                return log.lastSequence
            }
            // 2. Append to the log, all or nothing. After this, the commit will happen.
            let frames = try log.append(batch.payloads, timeMicroseconds: batch.timeMicroseconds)
            isSettled = true
            options.shipping?.didAppend()
            // 3. Apply to the indexes, not visible yet.
            let version = try apply(batch, frames)
            // 4. Publish: visible and notified when durable, or immediately if the options say so.
            publish(version, batch)
            watch.wrote(batch, frames)
            expirePastVersions(after: batch.sequence, isLarge: batch.payloads.count > 1)
            maintainIfDue(rolled: frames.isFirstOfSegment)
            compressWhenIdle()
            if !batch.indexes.layouts.isEmpty { buildIndexesIfDue() }
            return batch.sequence
        }
    }

    /// Waits until a commit is as durable as the options require, and syncs if no other thread
    /// does. The commit is visible afterwards.
    func awaitVisibility(of sequence: UInt64) throws(DaybookError) {
        // A new segment syncs the previous one, whatever the durability.
        defer { publication.tell() }
        if options.durability == .always { try log.durability?.wait(for: sequence) }
        try options.shipping?.wait(for: sequence)
    }

    private func encode(_ transaction: WriteTransaction) throws(DaybookError) -> CommitBatch? {
        guard !transaction.isEmpty else { return nil }
        let now = UInt64(clamping: WallClock.microsecondsSinceEpoch())
        let (sequence, time) = trees.withLock { state in
            (state.applied.sequence + 1, max(now, state.lastTimeMicroseconds))
        }
        // A log with an invalid sequence could never be opened again.
        guard sequence <= RecordFormat.sequenceMax else { throw Self.sequencesUsedUp }
        let commit = CommitRecord(
            sequence: sequence, timeMicroseconds: Int64(clamping: time),
            metadata: transaction.noted.pairs)
        var encoder = TransactionEncoder(
            sequence: sequence, payloadBytes: options.framePayloadBytes)
        try encoder.encode(&transaction.changes)
        guard !transaction.isEmpty else { return nil }
        let batch = CommitBatch(
            sequence: sequence, timeMicroseconds: time, operations: transaction.changes.operations,
            payloads: encoder.finish(commit), bytes: transaction.changes.bytes,
            indexes: try transaction.changes.indexUpdates(encoder.keys))
        // A log with contradictory schemas could never be opened again.
        try schemas.check(try batch.layouts())
        return batch
    }

    private static var sequencesUsedUp: DaybookError {
        DaybookError(
            .outOfSpace,
            "The store has no sequences left, because a loaded dump contained one of the last"
                + " sequences. Load the dump with a lower sequence.")
    }

    private func apply(
        _ batch: CommitBatch, _ frames: AppendedFrames
    ) throws(DaybookError) -> PageVersion? {
        let space = slot.current
        do throws(DaybookError) {
            let changes = batch.changes(in: frames)
            try schemas.add(try batch.layouts())
            return try trees.withLock { state throws(DaybookError) in
                state.note(batch, changeCount: changes.count, frames)
                space.begin(sequence: state.stamp)
                try state.applied.apply(changes, sequence: batch.sequence, to: space)
                if !batch.indexes.isEmpty {
                    try state.applied.apply(batch.indexes, to: space)
                    // An opening rebuilds them until a snapshot contains them.
                    state.changesSinceSnapshot += try batch.indexes.freshEntryCount()
                }
                return space.end()
            }
        } catch {
            // The commit is already in the log, so the indexes can be rebuilt from it.
            try rebuildOrStop(replacing: space)
            return nil
        }
    }

    private func publish(_ version: PageVersion?, _ batch: CommitBatch) {
        if let version {
            publication.enqueue(version, of: batch.sequence)
        } else {
            // The rebuilt trees contain the commit, but it may have to wait until it is shipped.
            publication.becameVisible(min(batch.sequence, publication.visibleLimit))
        }
    }

    private func join<Result>(
        _ transaction: WriteTransaction, _ metadata: [String: String],
        _ body: (WriteTransaction) throws -> Result
    ) throws -> Result {
        if let abortError = transaction.changes.abortError { throw abortError }
        do {
            try transaction.noted.add(ambient: options.ambientMetadata(), metadata)
            return try body(transaction)
        } catch {
            transaction.changes.abort(because: error)
            throw error
        }
    }

    func requireWritable() throws(DaybookError) {
        try requireOpen()
        if log.isReadOnly { throw Self.readOnly }
        if let failure = log.durability?.failure { throw failure }
    }

    private static var readOnly: DaybookError {
        DaybookError(.readOnly, "The store was opened read-only. Open it for writing to change it.")
    }

    private static var cannotWriteWhileReading: DaybookError {
        DaybookError(
            .cannotWriteWhileReading,
            "A read transaction cannot write. Use a write transaction for the whole block.")
    }
}

extension TreeState {
    /// Records an appended commit.
    fileprivate mutating func note(
        _ batch: CommitBatch, changeCount: Int, _ frames: AppendedFrames
    ) {
        stamp += 1
        lastTimeMicroseconds = batch.timeMicroseconds
        changesSinceSnapshot += changeCount
        let byteCount = frames.end.offset - (frames.offsets.first ?? frames.end.offset)
        bytesSinceSnapshot += byteCount
        written.commits += byteCount
        position = frames.end
    }
}
