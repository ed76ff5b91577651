package import DaybookBytes
package import DaybookIndex
import DaybookLog
import DaybookPages

/// How far an index is built.
package struct IndexProgress: Sendable, Equatable {
    package var entity: String
    /// The names of its properties, with commas between.
    package var properties: String
    /// 0 to 1.
    package var fraction: Double

    func isSameIndex(_ other: IndexProgress) -> Bool {
        entity == other.entity && properties == other.properties
    }
}

extension Engine {
    /// The object that has a key in a unique index, as this thread sees it, or nil. Throws
    /// `.schemaMismatch` for an index that the store does not keep, or that is not unique. Cost: a
    /// tree walk.
    package func find(_ entity: UInt32, index: UInt32, _ key: IndexKey) throws -> UInt64? {
        if case .write(let transaction)? = try TransactionContext.role(of: self) {
            return try transaction.find(entity, index: index, key)
        }
        let indexes = schemas.traits(of: entity).plan?.uniqueIndexes ?? []
        guard indexes.contains(where: { $0.indexID == index }) else { throw Self.indexMissing }
        if case .read(let view)? = try TransactionContext.role(of: self) {
            return try view.find(index: index, key)
        }
        try requireOpen()
        return try healing { try slot.withPinned { try $0.find(index, key) } }
    }

    private static var indexMissing: DaybookError {
        DaybookError(
            .schemaMismatch,
            "The store keeps no index of that key, or no longer. Open it for writing with a program"
                + " that declares it.")
    }

    /// The indexes that are not complete yet. Those of existing objects are built in the
    /// background, beside the writers.
    package var indexProgress: [IndexProgress] {
        let (incomplete, counts) = trees.withLock { ($0.fold.incompleteIndexes, $0.fold.counts) }
        return incomplete.sorted { $0.key < $1.key }.compactMap { number, state in
            guard let plan = schemas.traits(of: state.entity).plan,
                let index = plan.indexes.first(where: { $0.indexID == number })
            else { return nil }
            let nextId = Double(max(1, counts[state.entity]?.nextId ?? 1))
            return IndexProgress(
                entity: plan.layout.layout.entityName, properties: plan.columnNames(index),
                // 1 is for those that are complete, and these are not.
                fraction: min(0.999, Double(state.nextId) / nextId))
        }
    }

    /// From now on `listener` hears of indexes that are built in the background: after each slice,
    /// and with the fraction 1 when one is complete.
    package func onIndexProgress(_ listener: @escaping @Sendable (IndexProgress) -> Void) {
        indexListener.withLock { $0 = listener }
    }

    /// Builds the indexes that are not complete. Returns early when the store is closed.
    private func buildIndexes() throws(DaybookError) {
        let listener = indexListener.withLock { $0 }
        var before = indexProgress
        var goesOn = true
        while isOpen, goesOn {
            goesOn = try buildIndexSlice()
            guard let listener else { continue }
            let now = indexProgress
            for var progress in before where !now.contains(where: progress.isSameIndex) {
                progress.fraction = 1
                listener(progress)
            }
            for progress in now { listener(progress) }
            before = now
        }
    }

    /// Starts the building of indexes in the background where that is due.
    func buildIndexesIfDue() {
        guard options.isMaintenanceAutomatic else { return }
        let isDue = trees.withLock { !$0.fold.incompleteIndexes.isEmpty }
        guard isDue else { return }
        maintenance.async { [weak self] in
            guard let self else { return }
            do throws(DaybookError) {
                try buildIndexes()
                // So that no opening has to build them again.
                try writeSnapshotAndPrune { !self.isOpen }
            } catch  where error.code == .interrupted {
            } catch {
                trees.withLock { $0.maintenanceFailure = error }
            }
        }
    }

    /// Builds some more of the indexes that are not complete; false when all are. Writers wait
    /// meanwhile. Commits change those objects only that an index has got to, so that nothing is
    /// missed, and nothing counted twice.
    @discardableResult
    package func buildIndexSlice(limit: Int = 2048) throws(DaybookError) -> Bool {
        let sequence: UInt64?
        do throws(DaybookError) {
            sequence = try writer.withLock { _ throws(DaybookError) in
                try requireWritableForMaintenance()
                return try addIndexSlice(limit)
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

    /// Returns the sequence to wait for; nil where all indexes are complete. The caller holds the
    /// writer lock.
    private func addIndexSlice(_ limit: Int) throws(DaybookError) -> UInt64? {
        let space = slot.current
        let fold = trees.withLock { $0.fold }
        for entity in Set(fold.incompleteIndexes.values.map(\.entity)).sorted() {
            guard let plan = schemas.traits(of: entity).plan,
                let (indexes, nextId) = fold.nextIncomplete(of: plan.indexes)
            else { continue }
            // What can fail is read before the trees change.
            var builder = IndexBuilder(plan, log, layouts: schemas.rowLayout)
            let slice = try builder.slice(indexes, from: nextId, limit: limit, in: space.working)
            let version: PageVersion
            do throws(DaybookError) {
                version = try trees.withLock { state throws(DaybookError) in
                    state.stamp += 1
                    // Until a snapshot has it, an opening would build it anew.
                    state.changesSinceSnapshot += slice.objectCount
                    space.begin(sequence: state.stamp)
                    try state.fold.add(slice, to: indexes, of: plan, in: space)
                    return space.end()
                }
            } catch {
                // The trees are half changed.
                try rebuildOrStop(replacing: space)
                return nil
            }
            publication.enqueue(version, afterSequence: log.lastSequence)
            return log.lastSequence
        }
        return nil
    }
}

extension ReadView {
    /// The object that has a key in a unique index; nil where this version does not keep it. Cost:
    /// a tree walk.
    package func find(index: UInt32, _ key: IndexKey) throws(DaybookError) -> UInt64? {
        try reading { reader throws(DaybookError) in try reader.find(index, key) }
    }
}

extension PageReader {
    fileprivate func find(_ index: UInt32, _ key: IndexKey) throws(DaybookError) -> UInt64? {
        key.hasNull ? nil : try get(IndexTree.index(index), bytes: key.bytes.span)
    }
}
