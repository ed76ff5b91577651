package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

// The building of indexes over objects that are there, beside the writers and, in a read-only
// store, beside its readers.
extension Engine {
    /// Starts the building of indexes in the background where that is due; with `retriesUnread`
    /// also where only objects are left that could not be read.
    func buildIndexesIfDue(retriesUnread: Bool = true) {
        guard options.isMaintenanceAutomatic else { return }
        let isDue = trees.withLock { state in
            state.applied.indexes.contains {
                retriesUnread ? !$0.value.isComplete : !$0.value.isBuilt
            }
        }
        guard isDue else { return }
        maintenance.async { [weak self] in
            guard let self else { return }
            do throws(DaybookError) {
                guard try buildIndexes(), !log.isReadOnly else { return }
                // So that no opening has to build them again.
                try writeSnapshotAndPrune { !self.isOpen }
            } catch  where error.code == .interrupted {
            } catch {
                trees.withLock { $0.maintenanceFailure = error }
            }
        }
    }

    /// Builds the indexes that are not complete. Returns whether there was anything to add, and
    /// early when the store is closed.
    private func buildIndexes() throws(DaybookError) -> Bool {
        let listener = indexListener.withLock { $0 }
        var before = indexProgress
        var hasChanged = try retryUnread()
        var goesOn = true
        while isOpen, goesOn {
            goesOn = try buildIndexSlice()
            hasChanged = hasChanged || goesOn
            guard let listener else { continue }
            let now = indexProgress
            for var progress in before where !now.contains(where: progress.isSameIndex) {
                progress.fraction = 1
                listener(progress)
            }
            for progress in now { listener(progress) }
            before = now
        }
        return hasChanged
    }

    /// Builds some more of the indexes that are not built to their ends; false when all are.
    /// Writers wait meanwhile. Commits change those objects only that an index has got to, so that
    /// nothing is missed, and nothing counted twice.
    @discardableResult
    package func buildIndexSlice(limit: Int = 2048) throws(DaybookError) -> Bool {
        try changeIndexes { space throws(DaybookError) in try nextSlices(limit, space) }
    }

    /// Looks again at objects that could not be read. Returns whether any can be by now.
    private func retryUnread() throws(DaybookError) -> Bool {
        var hasChanged = false
        let states = trees.withLock { $0.applied.indexes.filter { !$0.value.unread.isEmpty } }
        for entity in Set(states.values.map(\.entity)).sorted() {
            guard let plan = schemas.traits(of: entity).plan else { continue }
            var rest = trees.withLock { $0.applied.unreadObjects(of: plan) }[...]
            while isOpen, !rest.isEmpty {
                let countBefore = rest.count
                let isChanged = try changeIndexes { space throws(DaybookError) in
                    var builder = IndexBuilder(plan, log, layouts: schemas.rowLayout)
                    let applied = trees.withLock { $0.applied }
                    let keys = try builder.retry(&rest, 2048, applied, in: space.working)
                    return keys.isEmpty ? [] : [.keys(keys)]
                }
                hasChanged = hasChanged || isChanged
                // Nobody looked, for the trees are to be built anew.
                if rest.count == countBefore { return hasChanged }
            }
        }
        return hasChanged
    }

    /// What a look at some objects adds to indexes.
    private enum Addition {
        case slice(IndexBuilder.Slice, [IndexPlan.Index], IndexPlan)
        case keys(KeyChanges)
    }

    /// Adds to the indexes what `read` finds, which is asked once for it and changes nothing.
    /// Returns whether there was anything.
    private func changeIndexes(
        _ read: (PageSpace) throws(DaybookError) -> [Addition]
    ) throws(DaybookError) -> Bool {
        let sequence: UInt64?
        do throws(DaybookError) {
            sequence = try writer.withLock { _ throws(DaybookError) -> UInt64? in
                if !log.isReadOnly { try requireWritableForMaintenance() }
                // A reader's trees that do not follow from the log are built anew, all of them.
                if trees.withLock({ $0.isOutdated }) { return nil }
                let additions = try read(slot.current)
                return additions.isEmpty ? nil : try add(additions)
            }
        } catch  where error.isDamagedSnapshot {
            let damaged = slot.current
            try writer.withLock { _ throws(DaybookError) in try rebuild(replacing: damaged) }
            return false
        }
        guard let sequence else { return false }
        // It contains commits that may not be durable yet: they come first.
        try log.durability?.wait(for: sequence)
        publication.becameDurable(sequence)
        publication.tell()
        return true
    }

    /// The next objects of indexes that are not built to their ends, up to `limit` altogether: some
    /// of one entity, or all of many small ones.
    private func nextSlices(
        _ limit: Int, _ space: PageSpace
    ) throws(DaybookError) -> [Addition] {
        var additions: [Addition] = []
        var countLeft = limit
        var bytesLeft = IndexBuilder.keyBytesMax
        let applied = trees.withLock { $0.applied }
        let unbuilt = applied.indexes.values.filter { !$0.isBuilt }
        for entity in Set(unbuilt.map(\.entity)).sorted() where countLeft > 0 && bytesLeft > 0 {
            guard let plan = schemas.traits(of: entity).plan,
                let (indexes, nextId) = applied.nextUnbuilt(of: plan.indexes)
            else { continue }
            var builder = IndexBuilder(plan, log, layouts: schemas.rowLayout)
            let slice = try builder.slice(
                indexes, from: nextId, limit: countLeft, in: space.working)
            countLeft -= max(1, slice.objectCount)
            bytesLeft -= slice.keys.byteCount
            additions.append(.slice(slice, indexes, plan))
        }
        return additions
    }

    /// Changes the trees. Returns the sequence to wait for; nil where they had to be built anew.
    /// The caller holds the writer lock.
    private func add(_ additions: [Addition]) throws(DaybookError) -> UInt64? {
        let space = slot.current
        let version: PageVersion
        do throws(DaybookError) {
            version = try trees.withLock { state throws(DaybookError) in
                state.stamp += 1
                space.begin(sequence: state.stamp)
                for addition in additions {
                    switch addition {
                    case .slice(let slice, let indexes, let plan):
                        // Until a snapshot has it, an opening would build it anew.
                        state.changesSinceSnapshot += slice.objectCount
                        try state.applied.add(slice, to: indexes, of: plan, in: space)
                    case .keys(let keys): try state.applied.apply(keys, to: space)
                    }
                }
                return space.end()
            }
        } catch {
            // The trees are half changed.
            guard !log.isReadOnly else {
                trees.withLock { $0.isOutdated = true }
                throw error
            }
            try rebuildOrStop(replacing: space)
            return nil
        }
        guard !log.isReadOnly else {
            // Nobody syncs here: what a refresh takes over is visible at once, too.
            space.publish(version)
            return log.lastSequence
        }
        publication.enqueue(version, afterSequence: log.lastSequence)
        return log.lastSequence
    }
}
