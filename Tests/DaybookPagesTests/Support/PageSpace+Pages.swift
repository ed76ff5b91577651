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
