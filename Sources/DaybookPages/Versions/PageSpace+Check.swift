package import DaybookBytes

extension PageSpace {
    /// Walks all trees of a pinned version, or of the writer's version between transactions, and
    /// checks order, bounds, counts and levels. For the writer's newest version, it also checks
    /// that the used pages are exactly the reachable ones. Loads missing pages and visits every
    /// page.
    ///
    /// - Throws: `.corruption` at the first contradiction.
    package func checkStructure(_ version: PageVersion) throws(DaybookError) {
        var check = StructureCheck(table: table)
        try check.check(version)
        let (newest, liveMasks) = writer.withWriter { writer in
            (writer.isOpen ? nil : writer.version, writer.allocator.liveMasks)
        }
        guard newest == version else { return }
        // The used pages among shared pages are unknown.
        for group in sharedGroupCount..<max(liveMasks.count, check.reachedMasks.count) {
            let live = group < liveMasks.count ? liveMasks[group] : 0
            let reached = group < check.reachedMasks.count ? check.reachedMasks[group] : 0
            guard live == reached else {
                throw DaybookError(
                    .corruption,
                    "The indexes are damaged: of the pages of group \(group), "
                        + "\((live & ~reached).nonzeroBitCount) are in use but unreachable, "
                        + "\((reached & ~live).nonzeroBitCount) are reachable but not in use.",
                    details: ["snapshot": DamagedPages.part, "group": "\(group)"])
            }
        }
    }
}
