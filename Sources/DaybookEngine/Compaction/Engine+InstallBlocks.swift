import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// Puts compacted blocks in the place of the segments that they were made of: entries moved →
    /// snapshot → manifest, the commit point → old files unlinked.
    func install(
        _ blocks: SealedSegmentWriter, in inputs: [SegmentEntry], _ sifted: Sifted,
        _ space: PageSpace
    ) throws(DaybookError) {
        let old = inputs.map(\.number)
        for (_, segment) in blocks.finished { log.admit(segment) }
        var snapshot: UInt64?
        do throws(DaybookError) {
            try relocate(blocks.moves, sifted.forgotten, in: space)
            log.markReplaced(old)
            // A snapshot of the new places first: whichever manifest a crash leaves, one of the
            // kept snapshots fits it. (Where no commit came since the last snapshot this one takes
            // its place, and the old manifest is left with the one before that, or a full replay.)
            snapshot = try? writeSnapshot()
            try writer.withLock { _ throws(DaybookError) in
                guard slot.current === space else { throw Self.rebuiltMeanwhile }
                try log.replace(
                    old, with: blocks.finished.map(\.entry), historyFloor: sifted.historyFloor)
            }
        } catch {
            if let snapshot, log.durability?.failure == nil {
                // It points into the new segments, which no manifest will name.
                snapshots.withLock { _ in try? snapshotStore.remove(snapshot) }
            }
            try pointBack(to: old, from: blocks.finished.map(\.entry.number), space)
            throw error
        }
        log.discard(old)
        if let snapshot {
            try? snapshots.withLock { _ throws(DaybookError) in
                try snapshotStore.prune(before: snapshot)
            }
        }
        trees.withLock { $0.replaced.append(ReplacedSegments(stamp: $0.stamp, numbers: old)) }
        releaseReplacedSegments()
    }

    /// After a compaction that came to nothing its entries point into segments that no manifest
    /// names, and the next one would take the records in the named ones for superseded: the indexes
    /// are built anew from those. Where even that fails the store takes no more.
    ///
    /// The new segments then go: on a full disk they may be what fills it, and a snapshot that
    /// named them would be lost. Only where a sync failed their files stay until the next opening,
    /// for the disk may have kept the manifest that names them.
    private func pointBack(
        to old: [UInt32], from new: [UInt32], _ space: PageSpace
    ) throws(DaybookError) {
        log.unmarkReplaced(old)
        try writer.withLock { _ throws(DaybookError) in
            try rebuildOrStop(replacing: slot.current)
            // Before anyone captures the new trees, for a snapshot that names these is lost.
            log.markReplaced(new)
        }
        // Files that are gone stay readable while they are open: for readers of the trees that were
        // just replaced, whose entries point into them.
        if log.durability?.failure == nil { log.discard(new) }
        trees.withLock { state in
            state.replaced.append(
                ReplacedSegments(stamp: state.stamp, numbers: new, abandoned: space))
        }
        releaseReplacedSegments()
    }

    /// Closes replaced segments that no reader can need any more, which gives their space back.
    func releaseReplacedSegments() {
        let oldest = slot.oldestPinnedSequence
        let due = trees.withLock { state in
            let split = state.replaced.partition { $0.isDue(oldest: oldest) }
            defer { state.replaced.removeSubrange(split...) }
            return state.replaced[split...].flatMap(\.numbers)
        }
        log.release(due)
    }

    /// Lets index entries follow their records, some thousands at a time so that writers wait only
    /// briefly. An entry that was changed meanwhile stays as it is.
    private func relocate(
        _ moves: [SealedSegmentWriter.Move], _ forgotten: [Forgotten], in space: PageSpace
    ) throws(DaybookError) {
        let batch = 8192
        var start = 0
        while start < moves.count {
            let part = moves[start..<min(start + batch, moves.count)]
            try changeTrees(of: space) { space throws(DaybookError) in
                for move in part {
                    let tree = IndexTree.objects(of: move.entity)
                    guard let value = try space.working.get(tree, move.id) else { continue }
                    var entry = ObjectEntry(value)
                    guard entry.location == move.old else { continue }
                    entry.location = move.new
                    _ = try space.put(tree, move.id, entry.value)
                }
            }
            start += batch
        }
        guard !forgotten.isEmpty else { return }
        try changeTrees(of: space) { space throws(DaybookError) in
            for (entity, id, location) in forgotten {
                let tree = IndexTree.objects(of: entity)
                guard let value = try space.working.get(tree, id) else { continue }
                if ObjectEntry(value).location == location { _ = try space.remove(tree, id) }
            }
        }
    }

    /// Changes the trees without a commit: what they say stays, only where it stands is new.
    private func changeTrees(
        of space: PageSpace, _ change: (PageSpace) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        let sequence = try writer.withLock { _ throws(DaybookError) -> UInt64 in
            guard slot.current === space else { throw Self.rebuiltMeanwhile }
            let version: PageVersion
            do throws(DaybookError) {
                version = try trees.withLock { state throws(DaybookError) in
                    state.stamp += 1
                    space.begin(sequence: state.stamp)
                    try change(space)
                    return space.end()
                }
            } catch {
                // The trees are half changed.
                try rebuildOrStop(replacing: space)
                throw Self.rebuiltMeanwhile
            }
            publication.enqueue(version, afterSequence: log.lastSequence)
            return log.lastSequence
        }
        // It contains commits that may not be durable yet: they come first.
        try log.durability?.wait(for: sequence)
        publication.becameDurable(sequence)
        publication.tell()
    }

    /// Builds the indexes anew in the place of damaged ones, and says so.
    func rebuildAndBeginAnew(_ damaged: PageSpace) throws(DaybookError) {
        try writer.withLock { _ throws(DaybookError) in try rebuild(replacing: damaged) }
        throw Self.rebuiltMeanwhile
    }

    private static var rebuiltMeanwhile: DaybookError {
        DaybookError(
            .interrupted,
            "The indexes had to be built anew during the compaction, which did not come to its end."
                + " Run it again.",
            details: ["rebuilt": "true"])
    }
}

extension DaybookError {
    /// Whether a compaction gave up because the indexes were built anew.
    var isRebuilt: Bool { details["rebuilt"] != nil }
}
