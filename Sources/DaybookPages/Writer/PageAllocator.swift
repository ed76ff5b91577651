/// The free and used pages. Part of the writer's state.
///
/// A page is *live* while the writer's newest state reaches it, and *allocated* while any version
/// can reach it. Only pages in memory are allocated, so allocation never reads a file. The free
/// pages of a group in a snapshot become available when a read loads the group, and unavailable
/// when the group is evicted.
struct PageAllocator {
    private let table: PageTable
    /// One bit per live page of each group. A snapshot's capture copies it, lazily at the next
    /// change.
    private(set) var liveMasks: [UInt16] = []
    private var allocatedMasks: [UInt16] = []
    /// The transaction that last allocated a page of each group. Captures copy it like the masks.
    private(set) var lastAllocations: [UInt64] = []
    /// The transaction that allocates pages.
    var sequence: UInt64 = 0
    /// Whether the group's free pages are in `free`.
    private var isAdopted: [Bool] = []
    /// The free pages. The most recently freed one is allocated first, because it is likely to be
    /// in the cache.
    private var free: [UInt32] = []
    /// Groups that are neither in memory nor in the snapshot.
    private var vacantGroups: [Int] = []

    /// - Parameter stored: the live pages of each group of a snapshot.
    init(table: PageTable, stored: [UInt16]) {
        self.table = table
        liveMasks = stored
        allocatedMasks = stored
        lastAllocations = Array(repeating: 0, count: stored.count)
        isAdopted = Array(repeating: false, count: stored.count)
        vacantGroups = stored.indices.filter { group in stored[group] == 0 }
        vacantGroups.reverse()
    }

    var groupCount: Int { liveMasks.count }
    /// The number of pages that can be allocated before the table is full.
    var roomCount: Int {
        free.count + vacantGroups.count * 16 + (PageTable.groupCountMax - groupCount) * 16
    }

    func isLive(_ page: UInt32) -> Bool {
        let group = Int(page >> 4)
        return group < groupCount && liveMasks[group] & Self.bit(page) != 0
    }

    /// Allocates a free page; it is live from now on.
    @inline(__always)
    mutating func take() -> UInt32 {
        if free.isEmpty { addGroup() }
        let page = free.removeLast()
        let group = Int(page >> 4)
        liveMasks[group] |= Self.bit(page)
        allocatedMasks[group] |= Self.bit(page)
        lastAllocations[group] = sequence
        return page
    }

    /// Retires a page: the newest state no longer reaches it, but older versions may.
    ///
    /// - Returns: whether the page was live. Damaged pages may refer to one page twice. Freeing it
    ///   twice would allocate it twice.
    @inline(__always)
    mutating func retire(_ page: UInt32) -> Bool {
        guard isLive(page) else { return false }
        liveMasks[Int(page >> 4)] &= ~Self.bit(page)
        return true
    }

    /// Frees a retired page that no version reaches.
    @inline(__always)
    mutating func reclaim(_ page: UInt32) {
        let group = Int(page >> 4)
        allocatedMasks[group] &= ~Self.bit(page)
        if isAdopted[group] { free.append(page) }
    }

    /// Adds the free pages of a group that was linked, unless it was evicted meanwhile. Only
    /// damaged pages lead to a group without used pages.
    mutating func adopt(_ group: Int) {
        guard !isAdopted[group], allocatedMasks[group] != 0, table.isResident(group: group)
        else { return }
        isAdopted[group] = true
        appendFreePages(of: group)
    }

    /// Whether a snapshot of the state after transaction `captured` contains all pages of a group
    /// that any version can reach: no page was allocated since, and none is retired.
    func isContained(_ group: Int, inSnapshotOf captured: UInt64) -> Bool {
        let live = liveMasks[group]
        return live != 0 && allocatedMasks[group] == live && lastAllocations[group] <= captured
    }

    /// The number of groups with live pages that a snapshot of the state after transaction
    /// `captured` does not contain as they are; nil for no snapshot.
    func changedGroupCount(since captured: UInt64?) -> Int {
        liveMasks.indices.count { group in
            liveMasks[group] != 0 && (captured.map { lastAllocations[group] > $0 } ?? true)
        }
    }

    /// Whether no version reaches any page of a group in memory.
    func isEmpty(_ group: Int) -> Bool { allocatedMasks[group] == 0 && isAdopted[group] }

    /// Records that empty groups are no longer in memory.
    mutating func abandon(_ groups: [Int]) {
        withdraw(groups)
        vacantGroups.append(contentsOf: groups)
    }

    /// Withdraws the free pages of groups that are being evicted.
    mutating func withdraw(_ groups: [Int]) {
        var hasFreePages = false
        for group in groups {
            hasFreePages = hasFreePages || (isAdopted[group] && allocatedMasks[group] != .max)
            isAdopted[group] = false
        }
        if hasFreePages { free.removeAll { page in !isAdopted[Int(page >> 4)] } }
    }

    private mutating func addGroup() {
        let group: Int
        if let vacant = vacantGroups.popLast() {
            group = vacant
        } else {
            group = groupCount
            liveMasks.append(0)
            allocatedMasks.append(0)
            lastAllocations.append(0)
            isAdopted.append(true)
        }
        table.addGroup(group)
        isAdopted[group] = true
        appendFreePages(of: group)
    }

    private mutating func appendFreePages(of group: Int) {
        // Page 0 means "none" and is never used.
        for page in (UInt32(group * 16)..<UInt32(group * 16 + 16)).reversed()
        where page != 0 && allocatedMasks[group] & Self.bit(page) == 0 {
            free.append(page)
        }
    }

    @inline(__always)
    private static func bit(_ page: UInt32) -> UInt16 {
        1 &<< UInt16(truncatingIfNeeded: page & 15)
    }
}
