import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// Replaces the segments of a step with their blocks: entries moved → snapshot → manifest,
    /// which is the commit point → old files unlinked.
    func install(
        _ blocks: SealedSegmentWriter, in inputs: [SegmentEntry], _ forgotten: [Forgotten],
        historyFloor: UInt64, _ space: PageSpace
    ) throws(DaybookError) {
        let old = inputs.map(\.number)
        for (_, segment) in blocks.finished { log.admit(segment) }
        var snapshot: String?
        do throws(DaybookError) {
            try relocate(blocks.moves, forgotten, in: space)
            log.markReplaced(old)
            // Writes a snapshot with the new locations first. So whichever manifest a crash leaves,
            // one of the kept snapshots matches it.
            snapshot = try? writeNamedSnapshot().name
            try writer.withLock { _ throws(DaybookError) in
                guard slot.current === space else { throw Self.rebuiltMeanwhile }
                try log.replace(
                    old, with: blocks.finished.map(\.entry), historyFloor: historyFloor)
            }
        } catch {
            if let snapshot, log.durability?.failure == nil {
                // The snapshot points into the new segments, which no manifest will name.
                snapshots.withLock { _ in try? snapshotStore.remove(snapshot) }
            }
            try pointBack(to: old, from: blocks.finished.map(\.entry.number), space)
            throw error
        }
        dropPastVersions()
        log.discard(old)
        // The older ones point into segments that no longer exist.
        if let snapshot { try? pruneSnapshots(keeping: snapshot, olderCount: 0) }
        trees.withLock { $0.replaced.append(ReplacedSegments(stamp: $0.stamp, numbers: old)) }
        releaseReplacedSegments()
    }

    /// Restores the indexes after a failed compaction. Their entries point into segments that no
    /// manifest names, and the next compaction would treat the records in the named segments as
    /// superseded. So the method rebuilds the indexes from the named segments. If that fails, the
    /// store accepts no more writes.
    ///
    /// The method then discards the new segments: they may fill a full disk, and a snapshot that
    /// names them would be unusable. After a failed sync, their files remain until the store is
    /// opened again, because the disk may contain the manifest that names them.
    private func pointBack(
        to old: [UInt64], from new: [UInt64], _ space: PageSpace
    ) throws(DaybookError) {
        log.unmarkReplaced(old)
        try writer.withLock { _ throws(DaybookError) in
            try rebuildOrStop(replacing: slot.current)
            // Must precede any capture of the new trees, because a snapshot that names these is
            // unusable.
            log.markReplaced(new)
        }
        // Unlinked files remain readable while they are open. Readers of the replaced trees need
        // them, because the entries of those trees point into them.
        if log.durability?.failure == nil { log.discard(new) }
        trees.withLock { state in
            state.replaced.append(
                ReplacedSegments(stamp: state.stamp, numbers: new, abandoned: space))
        }
        releaseReplacedSegments()
    }

    /// Closes replaced segments that no reader can need any more, which frees their disk space.
    func releaseReplacedSegments() {
        let oldest = slot.oldestPinnedSequence
        let due = trees.withLock { state in
            let split = state.replaced.partition { $0.isDue(oldest: oldest) }
            defer { state.replaced.removeSubrange(split...) }
            return state.replaced[split...].flatMap(\.numbers)
        }
        log.release(due)
    }

    /// Moves index entries to the new locations of their records, and removes the entries of
    /// dropped tombstones. Entries that were changed meanwhile remain unchanged.
    private func relocate(
        _ moves: RecordMoves, _ forgotten: [Forgotten], in space: PageSpace
    ) throws(DaybookError) {
        for batch in moves.batches {
            try changeTrees(of: space, forEach: try batch.moves()) {
                move, space throws(DaybookError) in
                let tree = IndexTree.objects(of: move.entity)
                guard let value = try space.working.get(tree, move.id) else { return }
                var entry = ObjectEntry(value)
                guard entry.location == move.old else { return }
                entry.location = move.new
                _ = try space.put(tree, move.id, entry.value)
            }
        }
        try changeTrees(of: space, forEach: forgotten) { gone, space throws(DaybookError) in
            let tree = IndexTree.objects(of: gone.entity)
            guard let value = try space.working.get(tree, gone.id) else { return }
            if ObjectEntry(value).location == gone.location { _ = try space.remove(tree, gone.id) }
        }
    }

    /// Changes the trees without a commit: only the locations of records change, not the state. The
    /// changes are made in batches, so that a writer waits only for one of them.
    private func changeTrees<Element>(
        of space: PageSpace, forEach elements: [Element],
        _ change: (Element, PageSpace) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        var start = 0
        while start < elements.count {
            let end = min(start + options.relocationBatchCount, elements.count)
            try changeTrees(of: space) { space, _ throws(DaybookError) in
                for element in elements[start..<end] { try change(element, space) }
            }
            start = end
        }
    }

    /// Changes the trees without a commit. Waits until readers see the change.
    func changeTrees(
        of space: PageSpace,
        _ change: (PageSpace, inout TreeState) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        let sequence = try writer.withLock { _ throws(DaybookError) -> UInt64 in
            guard slot.current === space else { throw Self.rebuiltMeanwhile }
            let version: PageVersion
            do throws(DaybookError) {
                version = try trees.withLock { state throws(DaybookError) in
                    state.stamp += 1
                    space.begin(sequence: state.stamp)
                    try change(space, &state)
                    return space.end()
                }
            } catch {
                // The trees are partly changed.
                try rebuildOrStop(replacing: space)
                throw Self.rebuiltMeanwhile
            }
            publication.enqueue(version, afterSequence: log.lastSequence)
            return log.lastSequence
        }
        // The new version contains commits that readers may not see before a sync. The writers of
        // these commits wait for that sync, too. Without the wait, the versions of many batches
        // would need memory at the same time.
        guard !publication.showsUnsynced else { return }
        try log.durability?.wait(for: sequence)
        publication.becameDurable(sequence)
        publication.tell()
    }

    /// Rebuilds damaged indexes. Always throws `.interrupted`, or the error of the rebuild.
    func rebuildAndBeginAnew(_ damaged: PageSpace) throws(DaybookError) {
        try writer.withLock { _ throws(DaybookError) in try rebuild(replacing: damaged) }
        throw Self.rebuiltMeanwhile
    }

    private static var rebuiltMeanwhile: DaybookError {
        DaybookError(
            .interrupted,
            "The indexes had to be rebuilt during the compaction, so it was not completed. Run it"
                + " again.",
            details: ["rebuilt": "true"])
    }
}

extension DaybookError {
    /// Whether a compaction failed because the indexes were rebuilt.
    var isRebuilt: Bool { details["rebuilt"] != nil }
}
