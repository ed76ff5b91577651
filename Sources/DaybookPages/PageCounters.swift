internal import Synchronization

/// The figures about a page space, written by the writer and read by anybody.
final class PageCounters: Sendable {
    private let used = Atomic<Int>(0)
    private let free = Atomic<Int>(0)
    private let retired = Atomic<Int>(0)
    private let groups = Atomic<Int>(0)
    private let addedGroups = Atomic<Int>(0)
    private let loadedGroups = Atomic<Int>(0)

    @inline(__always)
    func update(from writer: borrowing PageWriter) {
        let allocator = writer.allocator
        used.store(allocator.liveCount, ordering: .relaxed)
        free.store(allocator.pageCount - allocator.allocatedCount, ordering: .relaxed)
        retired.store(allocator.allocatedCount - allocator.liveCount, ordering: .relaxed)
        groups.store(allocator.groupCount, ordering: .relaxed)
        addedGroups.store(allocator.addedGroupCount, ordering: .relaxed)
        loadedGroups.store(writer.loader?.loadedGroupCount ?? 0, ordering: .relaxed)
    }

    var statistics: PageStatistics {
        PageStatistics(
            usedPages: used.load(ordering: .relaxed), freePages: free.load(ordering: .relaxed),
            retiredPages: retired.load(ordering: .relaxed), groups: groups.load(ordering: .relaxed),
            residentGroups: addedGroups.load(ordering: .relaxed)
                + loadedGroups.load(ordering: .relaxed))
    }
}
