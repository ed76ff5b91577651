internal import DaybookBytes

// The memory of a space, and its limit. ``GroupSource`` explains how groups are evicted.
extension PageSpace {
    /// The number of bytes in pages that are in memory, including evicted ones that are not freed
    /// yet.
    package var residentByteCount: Int { source.counts.memory * GroupMemory.length }

    /// Whether more pages are in memory than at the last limit.
    package var exceedsLimit: Bool { source.exceedsLimit }

    /// Calls a function when the pages in memory exceed `byteCount` bytes, again and again until
    /// ``evict(sequence:budgetBytes:keeping:)`` and ``freeEvicted(budgetBytes:)`` set a higher
    /// limit or free memory. It is called on any thread, inside of reads and changes, and must be
    /// fast.
    package func callWhenExceeding(_ byteCount: Int, _ call: @escaping @Sendable () -> Void) {
        source.callWhenExceeding(Self.groupCount(byteCount), call)
    }

    /// Makes a snapshot of the state after a transaction the one that pages are read from.
    func adopt(_ loader: GroupLoader, at sequence: UInt64) {
        writer.withWriter { writer in
            source.adopt(loader)
            writer.captured = sequence
        }
    }

    /// Evicts pages that the last snapshot contains, so that about three quarters of a budget are
    /// in use. Counts as a transaction: `sequence` must be above that of the last one, and the
    /// caller publishes the returned version, which equals the last one. Then
    /// ``freeEvicted(budgetBytes:)`` frees the memory.
    ///
    /// Takes some ns per group, and some 100 ns per evicted one. Reads no file. Cursors of
    /// ``working`` become invalid.
    ///
    /// - Parameter kept: trees of fixed-size entries that stay in memory. They should be small,
    ///   because all of their pages are looked at.
    package func evict(
        sequence: UInt64, budgetBytes: Int, keeping kept: [TreeID]
    ) -> PageVersion {
        writer.withWriter { writer in
            writer.begin(sequence, readers)
            let (memory, waiting) = source.counts
            let budget = Self.groupCount(budgetBytes)
            writer.evict(memory - waiting - (budget - budget / 4), keeping: kept, readers)
            return writer.end()
        }
    }

    /// Frees the memory of evicted pages beyond a budget, as far as no reader entered before the
    /// eviction. The rest of it is freed later, or used again. On any thread.
    package func freeEvicted(budgetBytes: Int) {
        let budget = Self.groupCount(budgetBytes)
        source.free(beyond: budget - budget / 16, readers)
        // If memory cannot be freed now, the next attempt is due after some more loads.
        source.setLimit(max(budget, source.counts.memory + budget / 16))
    }

    /// The number of bytes that a snapshot of the newest state would allow to evict. For the
    /// writer's thread.
    package var unsavedByteCount: Int {
        writer.withWriter { $0.unsavedGroupCount } * GroupMemory.length
    }

    /// The number of bytes in pages that the next snapshot has to write, before compression. For
    /// the writer's thread.
    package var changedByteCount: Int {
        writer.withWriter { $0.allocator.changedGroupCount(since: $0.captured) }
            * GroupMemory.length
    }

    private static func groupCount(_ byteCount: Int) -> Int {
        max(byteCount / GroupMemory.length, 1)
    }
}
