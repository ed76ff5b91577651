/// Figures about a page space.
package struct PageStatistics: Sendable, Hashable {
    /// Pages that the newest state reaches.
    package let usedPages: Int
    /// Pages that nothing reaches, to be used next.
    package let freePages: Int
    /// Pages that the newest state reaches no longer, but older versions do or did not long ago.
    package let retiredPages: Int
    /// Groups of 16 pages, in memory or not.
    package let groups: Int
    /// Groups that are in memory.
    package let residentGroups: Int
    /// The memory of those groups, in bytes.
    package var residentBytes: Int { residentGroups * PageTable.groupLength }
}
