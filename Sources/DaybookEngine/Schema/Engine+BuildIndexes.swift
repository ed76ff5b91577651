package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

// Builds indexes over existing objects, concurrently with writers or, in a read-only store, with
// readers.
extension Engine {
    /// Starts the building of incomplete indexes in the background. If `retriesUnread` is true,
    /// also retries objects that could not be read.
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
                let start = events?.now
                let hasBuilt = try buildIndexes()
                if hasBuilt { events?.post(.indexesBuilt(duration: .since(start))) }
                events?.postFailure(nil, of: .indexes)
                guard hasBuilt, !log.isReadOnly else { return }
                // With a snapshot, the next opening need not build the indexes again.
                try writeSnapshotAndPrune { !self.isOpen }
            } catch  where error.code == .interrupted {
            } catch {
                trees.withLock { $0.maintenanceFailure = error }
                events?.postFailure(error, of: .indexes)
            }
        }
    }

    /// Builds the incomplete indexes. Returns whether anything was added. Returns early if the
    /// store is closed.
    private func buildIndexes() throws(DaybookError) -> Bool {
        let listener = indexListener.withLock { $0 }
        var before = indexProgress
        var hasChanged = try retryUnread()
        var goesOn = true
        while isOpen, goesOn {
            goesOn = try buildIndexSlice(limit: sliceLength)
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

    /// The number of ids to examine while commits wait. A vector takes some hundred times as long
    /// as another key.
    private var sliceLength: Int {
        let entities = trees.withLock { state in
            Set(state.applied.indexes.values.filter { !$0.isBuilt }.map(\.entity))
        }
        let hasVectors = entities.contains { entity in
            let indexes = schemas.traits(of: entity).plan?.indexes ?? []
            return indexes.contains { $0.definition.kind == .vector }
        }
        return hasVectors ? 64 : 2048
    }

    /// Builds the next part of the unbuilt indexes. Returns false if all are built. Holds the
    /// writer lock. Commits update only the entries of objects that an index has already reached,
    /// so no object is missed or added twice.
    @discardableResult
    package func buildIndexSlice(limit: Int = 2048) throws(DaybookError) -> Bool {
        try changeIndexes { space throws(DaybookError) in try nextSlices(limit, space) }
    }

    /// Reads the rows again that could not be read. Returns whether any was readable this time.
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
                // No object was read, because the trees need a rebuild.
                if rest.count == countBefore { return hasChanged }
            }
        }
        return hasChanged
    }

    /// The additions to indexes after reading some objects.
    private enum Addition {
        case slice(IndexBuilder.Slice, [IndexPlan.Index], IndexPlan)
        case keys(KeyChanges)
    }

    /// Applies the additions that `read` returns; it is called once and changes nothing. Returns
    /// whether there were any.
    private func changeIndexes(
        _ read: (PageSpace) throws(DaybookError) -> [Addition]
    ) throws(DaybookError) -> Bool {
        let sequence: UInt64?
        do throws(DaybookError) {
            sequence = try writer.withLock { _ throws(DaybookError) -> UInt64? in
                if !log.isReadOnly { try requireWritableForMaintenance() }
                // Outdated trees of a read-only store are rebuilt as a whole.
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
        // The version contains commits that may not be durable yet. They must become durable first.
        try log.durability?.wait(for: sequence)
        publication.becameDurable(sequence)
        publication.tell()
        return true
    }

    /// The next objects of unbuilt indexes, up to `limit` in total: a part of one entity, or all of
    /// many small entities.
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

    /// Changes the trees. Returns the sequence to wait for; nil if the trees were rebuilt. The
    /// caller holds the writer lock.
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
                        // An opening rebuilds it until a snapshot contains it.
                        state.changesSinceSnapshot += slice.objectCount
                        try state.applied.add(slice, to: indexes, of: plan, in: space)
                    case .keys(let keys): try state.applied.apply(keys, to: space)
                    }
                }
                return space.end()
            }
        } catch {
            // The trees are partly changed.
            guard !log.isReadOnly else {
                trees.withLock { $0.isOutdated = true }
                throw error
            }
            try rebuildOrStop(replacing: space)
            return nil
        }
        guard !log.isReadOnly else {
            // A read-only store never syncs, and a refresh also publishes immediately.
            space.publish(version)
            return log.lastSequence
        }
        publication.enqueue(version, afterSequence: log.lastSequence)
        return log.lastSequence
    }
}
