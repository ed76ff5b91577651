@testable import DaybookPages

/// What pages a space has; for the thread that writes to it.
extension PageSpace {
    /// Pages that the newest state reaches.
    var usedPageCount: Int {
        writer.withWriter { writer in
            writer.allocator.liveMasks.reduce(0) { $0 + $1.nonzeroBitCount }
        }
    }

    /// Pages that the newest state reaches no longer, but older versions do or did not long ago.
    var retiredPageCount: Int { writer.withWriter { writer in writer.retired.count } }

    /// Groups of 16 pages, in memory or not.
    var groupCount: Int { writer.withWriter { writer in writer.allocator.groupCount } }

    /// Groups that are in memory.
    var residentGroupCount: Int {
        (0..<groupCount).count { group in table.isResident(group: group) }
    }
}
