internal import DaybookBytes

/// Where a table gets the groups of pages that are not in its memory yet: a snapshot, or the space
/// that it is a fork of.
final class GroupSource: Sendable {
    /// What reads them from a snapshot.
    let loader: GroupLoader?
    /// The version that was forked: its groups are shared and belong to its space alone.
    private let base: PagePin?
    /// What the allocator begins with: the pages of each group that are in use.
    let storedMasks: [UInt16]

    init(_ loader: GroupLoader) {
        self.loader = loader
        base = nil
        storedMasks = loader.liveMasks
    }

    init(sharing base: PagePin) {
        loader = nil
        self.base = base
        // Nobody knows which pages of a group the version reaches, and its writer goes on with the
        // others: so all are in use, and those that the fork gives up stay in use.
        storedMasks = Array(repeating: .max, count: base.reader.table.groupCount)
    }

    /// Groups below this number belong to another space.
    var sharedGroupCount: Int { base == nil ? 0 : storedMasks.count }

    /// The table of the space that a page belongs to; nil where it is that of whoever asks.
    func home(of page: UInt32) -> PageTable? {
        guard let base, Int(page >> 4) < storedMasks.count else { return nil }
        return base.reader.table.home(of: page)
    }

    /// A group's memory; nil where there is no such group. Throws `.corruption` where a snapshot
    /// does not give it.
    func load(_ group: Int) throws(DaybookError) -> UnsafeMutableRawPointer? {
        if let base {
            guard group < storedMasks.count else { return nil }
            // SAFETY: the first page of a group stands where its memory begins, which the base
            // keeps as long as it is pinned.
            return unsafe try base.reader.table.page(UInt32(group) << 4).base
        }
        // SAFETY: whoever takes the memory owns it.
        return unsafe try loader?.load(group)
    }

    /// Notes that a group was put in the table.
    func noteLoaded(_ group: Int) { loader?.noteLoaded(group) }

    /// The groups that were loaded since the last call, whose free pages may be used.
    func takeLoadedGroups() -> [Int] { loader?.takeLoadedGroups() ?? [] }
}
