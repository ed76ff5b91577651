package import DaybookBytes
import DaybookRecords
import DaybookPages

extension Engine {
    /// Reads the newest visible version. If a page of the snapshot is damaged, rebuilds the indexes
    /// from the log and runs `body` again: a damaged snapshot is not the caller's error.
    ///
    /// Throws the errors of `body`, and the error of the log if it is damaged, too.
    @inline(__always)
    func readingVisible<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            return try slot.withPinned(body)
        } catch  where error.isDamagedSnapshot {
            return try readingRebuilt(body)
        }
    }

    /// Reads the newest visible version after one of its pages proved to be damaged.
    ///
    /// A reader never waits for the writer lock: its own thread may hold it, or the thread that
    /// holds it may wait for this reader. If the reader's thread is in a write transaction, that
    /// transaction rebuilds the indexes. If the lock is free, the reader takes it and rebuilds
    /// them. Otherwise the reader replays the version that it needs from the log.
    @inline(never)
    func readingRebuilt<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        if TransactionContext.isWriting(self) { return try readingAsWriter(body) }
        // The rebuild made commits durable and visible.
        defer { publication.tell() }
        var result: Result?
        let isRebuilt: Void? = try writer.withLockIfAvailable { _ throws(DaybookError) in
            result = try readingAsWriter(body)
        }
        if isRebuilt != nil, let result { return result }
        return try replayedVersion().reading(body)
    }

    /// Reads the newest visible version, and rebuilds damaged indexes. The caller holds the writer
    /// lock.
    private func readingAsWriter<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            return try slot.withPinned(body)
        } catch  where error.isDamagedSnapshot {
            try rebuild(replacing: slot.current)
            return try slot.withPinned(body)
        }
    }

    /// The newest visible version for readers that may not rebuild the indexes now. They share one,
    /// so that the log is replayed once for each version and not once for each read.
    private func replayedVersion() throws(DaybookError) -> ReadView {
        let damaged = slot.current
        let view = ReadView(slot.pinVersion(), log)
        let sequence = try view.sequence
        return try standIn.withLock { standIn throws(DaybookError) in
            if let standIn, try standIn.sequence == sequence { return standIn }
            // A rebuild that ran meanwhile has released the stand-in, and nothing would release a
            // later one.
            if slot.current === damaged { standIn = view }
            return view
        }
    }

    /// Throws `.invalidArgument` inside a write transaction of this thread: an operation that needs
    /// the writer lock, or changes pages that the transaction reads, cannot run there.
    func requireNoWriteTransaction(for operation: String) throws(DaybookError) {
        guard TransactionContext.isWriting(self) else { return }
        throw DaybookError(
            .invalidArgument,
            "\(operation) cannot run inside a write transaction of the same store. Run it after the"
                + " transaction.")
    }

    /// Replays the whole log into new trees, which replace `damaged`. The caller holds the writer
    /// lock. Everything that was appended becomes durable first, so that no visible commit is lost.
    /// If `isDamaged` is true, the observers receive the damage.
    func rebuild(replacing damaged: PageSpace, isDamaged: Bool = true) throws(DaybookError) {
        guard slot.current === damaged else { return }
        let start = events?.now
        // Not cancelled with a task: other readers and the writer need the trees.
        try OperationCancellation.shielded { () throws(DaybookError) in try rebuildFromLog() }
        if isDamaged { events?.post(.indexesRebuilt(duration: .since(start))) }
    }

    private func rebuildFromLog() throws(DaybookError) {
        try log.durability?.wait(for: log.lastSequence)
        try trees.withLock { state throws(DaybookError) in
            let space = PageSpace()
            var replay = Replay(schema: schemas.schema)
            // In a writing store, a commit may wait for the rebuild, also during ``close()``.
            replay.leavesBuilding = log.isReadOnly && options.isMaintenanceAutomatic
            // Later commits wait until they are shipped.
            let limit = options.shipping?.isAwaited == true ? publication.visibleLimit : .max
            try replay.run(
                log, from: nil, after: 0, until: limit, into: space, stamp: &state.stamp,
                isCancelled: { log.isReadOnly && !isOpen })
            let visible = replay.applied.sequence
            var waiting: PageVersion?
            if limit < log.lastSequence {
                try replay.run(
                    try log.scan(fromSequence: limit + 1), of: log, after: limit, into: space,
                    stamp: &state.stamp, publish: { waiting = $0 })
            }
            try schemas.add(replay.schema.layouts)
            state.applied = replay.applied
            state.lastTimeMicroseconds = replay.lastTimeMicroseconds
            state.position = log.end
            // No snapshot contains these trees, so the next opening would replay the whole log.
            state.changesSinceSnapshot = replay.changeCount
            publication.forgetPending()
            limitMemory(of: space)
            slot.replace(with: space)
            state.isOutdated = false
            publication.becameVisible(visible)
            if let waiting { publication.enqueue(waiting, of: replay.applied.sequence) }
        }
        standIn.withLock { $0 = nil }
        if log.isReadOnly { buildIndexesIfDue(retriesUnread: false) }
    }
}

extension Engine {
    /// Runs ``rebuild(replacing:)`` after a change of the trees failed midway. If the rebuild
    /// fails, too, the trees are invalid, and the store accepts no more writes.
    func rebuildOrStop(replacing damaged: PageSpace) throws(DaybookError) {
        do throws(DaybookError) {
            try rebuild(replacing: damaged)
        } catch {
            let stopped = DaybookError(
                .durabilityUnknown,
                "The indexes could not be rebuilt from the log, so the store accepts no more"
                    + " writes. Close it and open it again: recovery reports the state of the log.",
                cause: error)
            log.durability?.poison(stopped)
            throw stopped
        }
    }
}

extension DaybookError {
    /// Whether a page could not be read from its snapshot. The log still has the content.
    package var isDamagedSnapshot: Bool { details["snapshot"] != nil }
}
