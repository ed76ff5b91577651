package import DaybookBytes

extension PageSpace {
    /// Walks all trees of a version that is pinned, or the writer's between its transactions, and
    /// checks order, bounds, counts and levels; of the writer's newest state also that the pages it
    /// reaches are just the ones that are in use. Loads what is not in memory; costs a visit to
    /// every page.
    ///
    /// - Throws: `.corruption` at the first contradiction.
    package func checkStructure(_ version: PageVersion) throws(DaybookError) {
        var check = StructureCheck(table: table)
        try check.check(version)
        let (newest, liveMasks) = writer.withWriter { writer in
            (writer.isOpen ? nil : writer.version, writer.allocator.liveMasks)
        }
        guard newest == version else { return }
        // Of shared pages nobody knows which are in use.
        for group in sharedGroupCount..<max(liveMasks.count, check.reachedMasks.count) {
            let live = group < liveMasks.count ? liveMasks[group] : 0
            let reached = group < check.reachedMasks.count ? check.reachedMasks[group] : 0
            guard live == reached else {
                throw DaybookError(
                    .corruption,
                    "The indexes are damaged: of the pages of group \(group), "
                        + "\((live & ~reached).nonzeroBitCount) are in use and not reached, "
                        + "\((reached & ~live).nonzeroBitCount) are reached and not in use.",
                    details: ["snapshot": DamagedPages.part, "group": "\(group)"])
            }
        }
    }
}
