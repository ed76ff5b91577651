import DaybookBytes
import DaybookLog
import DaybookPages
import DaybookRecords

// Keeps the index pages in memory within ``EngineOptions/indexBudgetBytes``.
extension Engine {
    /// The number of bytes of index pages in memory.
    package var indexByteCount: Int { slot.current.residentByteCount }

    /// Limits the memory of new trees, before other threads use them.
    func limitMemory(of space: PageSpace) {
        space.callWhenExceeding(options.indexBudgetBytes) { [weak self] in
            self?.scheduleEviction()
        }
        if space.exceedsLimit { scheduleEviction() }
    }

    /// Evicts pages in the background if there are too many.
    func evictIfDue() {
        if indexByteCount > options.indexBudgetBytes { scheduleEviction() }
    }

    private func scheduleEviction() {
        guard !isEvictionScheduled.exchange(true, ordering: .relaxed) else { return }
        evictions.async { [weak self] in
            guard let self else { return }
            isEvictionScheduled.store(false, ordering: .relaxed)
            // After a failed sync, no version is published any more, so no memory can be freed.
            try? evict()
        }
    }

    /// Evicts index pages beyond the budget. If too many pages are in no snapshot, begins to write
    /// one, after which they can be evicted.
    ///
    /// Waits for the writer. Throws `.durabilityUnknown` if the commits before it cannot be synced.
    func evict() throws(DaybookError) {
        let space = slot.current
        guard isOpen, space.residentByteCount > options.indexBudgetBytes else { return }
        let sequence = writer.withLock { _ -> UInt64? in
            // Outdated trees of a read-only store are rebuilt as a whole.
            guard isOpen, slot.current === space, !trees.withLock({ $0.isOutdated }) else {
                return nil
            }
            let version = trees.withLock { state in
                state.stamp += 1
                // Readers find these even if a snapshot proves to be damaged.
                return space.evict(
                    sequence: state.stamp, budgetBytes: options.indexBudgetBytes,
                    keeping: [IndexTree.entities, IndexTree.indexes, IndexTree.unread])
            }
            if log.isReadOnly {
                space.publish(version)
            } else {
                publication.enqueue(version, afterSequence: log.lastSequence)
            }
            saveIfDue(space)
            return log.lastSequence
        }
        guard let sequence else { return }
        if options.durability == .always, !log.isReadOnly {
            // The version contains commits that may not be durable yet.
            try log.durability?.wait(for: sequence)
            publication.becameDurable(sequence)
            publication.tell()
        }
        space.freeEvicted(budgetBytes: options.indexBudgetBytes)
        // The kept past versions read pages that were evicted since.
        if space.residentByteCount > options.indexBudgetBytes { dropPastVersions() }
    }

    /// Starts a snapshot if the pages that no snapshot contains take much of the budget, unless
    /// another maintenance task is waiting or running. The caller holds the writer lock.
    private func saveIfDue(_ space: PageSpace) {
        guard options.isMaintenanceAutomatic, !log.isReadOnly,
            space.unsavedByteCount > options.indexBudgetBytes / 2
        else { return }
        let isDue = trees.withLock { state in
            defer { state.isMaintenanceScheduled = true }
            return !state.isMaintenanceScheduled
        }
        guard isDue else { return }
        maintenance.async { [weak self] in
            guard let self else { return }
            finishMaintenance(writeMaintenanceSnapshot())
        }
    }
}
