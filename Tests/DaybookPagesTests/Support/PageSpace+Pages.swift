@testable import DaybookPages

/// Counts of a space's pages; for the writer's thread.
extension PageSpace {
    /// The number of pages that the newest state reaches.
    var usedPageCount: Int {
        writer.withWriter { writer in
            writer.allocator.liveMasks.reduce(0) { $0 + $1.nonzeroBitCount }
        }
    }

    /// The number of pages that the newest state does not reach, but older versions do or recently
    /// did.
    var retiredPageCount: Int { writer.withWriter { writer in writer.retired.count } }

    /// The number of groups of 16 pages, in memory or not.
    var groupCount: Int { writer.withWriter { writer in writer.allocator.groupCount } }

    /// The number of groups in memory.
    var residentGroupCount: Int {
        (0..<groupCount).count { group in table.isResident(group: group) }
    }
}

/// Snapshots and evictions; for the writer's thread.
extension PageSpace {
    /// Writes a snapshot and adopts it.
    @discardableResult
    func save() throws -> CountingFile {
        let file = CountingFile()
        let capture = capture()
        _ = try capture.write(to: file, metadata: [])
        capture.adopt(try capture.reopen(file))
        return file
    }

    /// Evicts pages beyond a budget, publishes, and frees the memory that no reader uses.
    func trim(to groupCount: Int, keeping kept: [TreeID] = []) {
        let budget = groupCount * GroupMemory.length
        publish(evict(sequence: working.sequence + 1, budgetBytes: budget, keeping: kept))
        freeEvicted(budgetBytes: budget)
    }

    /// The number of groups in memory, including evicted ones that are not freed yet.
    var memoryGroupCount: Int { residentByteCount / GroupMemory.length }
}
