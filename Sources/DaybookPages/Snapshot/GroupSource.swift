internal import DaybookBytes

/// Provides groups of pages that are not in a table yet: from a snapshot, or from the base of a
/// fork.
final class GroupSource: Sendable {
    /// Reads the groups from a snapshot.
    let loader: GroupLoader?
    /// The forked version. Its groups are shared and still belong to its space.
    private let base: PagePin?
    /// The initial state of the allocator: the used pages of each group.
    let storedMasks: [UInt16]

    init(_ loader: GroupLoader) {
        self.loader = loader
        base = nil
        storedMasks = loader.liveMasks
    }

    init(sharing base: PagePin) {
        loader = nil
        self.base = base
        // The pages that the forked version reaches are not known, and the base's writer uses the
        // others. So all pages count as used, and pages that the fork retires stay used.
        storedMasks = Array(repeating: .max, count: base.reader.table.groupCount)
    }

    /// Groups below this number belong to another space.
    var sharedGroupCount: Int { base == nil ? 0 : storedMasks.count }

    /// The table that owns a shared page; nil if the page is not shared.
    func home(of page: UInt32) -> PageTable? {
        guard let base, Int(page >> 4) < storedMasks.count else { return nil }
        return base.reader.table.home(of: page)
    }

    /// The memory of a group; nil if there is no such group. Throws `.corruption` if a snapshot is
    /// damaged.
    func load(_ group: Int) throws(DaybookError) -> UnsafeMutableRawPointer? {
        if let base {
            guard group < storedMasks.count else { return nil }
            // SAFETY: a group's memory starts with its first page. The pinned base keeps it.
            return unsafe try base.reader.table.page(UInt32(group) << 4).base
        }
        // SAFETY: the caller owns the memory.
        return unsafe try loader?.load(group)
    }

    /// Records that a group was put in the table.
    func noteLoaded(_ group: Int) { loader?.noteLoaded(group) }

    /// The groups loaded since the last call, whose free pages can be used.
    func takeLoadedGroups() -> [Int] { loader?.takeLoadedGroups() ?? [] }
}
