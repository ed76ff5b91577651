internal import DaybookBytes
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Maps groups of pages to their memory.
///
/// The table reserves address space for the maximum number of groups; the system allocates the
/// touched parts. A page is found with one load and no lock. An entry is nil or the address of a
/// group, and is set with a releasing store. A reader that loads the address with acquire sees
/// all earlier writes to the group. ``GroupSource`` decides when a group is linked and unlinked.
@safe
struct PageTable: @unchecked Sendable {
    // SENDABLE: all entries are atomics; the memory follows the rules of PageSpace.

    /// 2^22 groups of 64 KiB: 256 GiB.
    static let groupCountMax = 1 << 22
    /// The number of possible pages.
    static let pageCountMax = groupCountMax << 4

    private typealias Entry = Atomic<UnsafeMutableRawPointer?>
    // The addresses of source and writer and the number of groups are stored before the entries, in
    // their own cache line. A table is then one pointer, and readers, which contain it, fit in
    // registers.
    private static let frontLength = 128
    private static let writerOffset = 8
    private static let groupCountOffset = 16
    private let entries: UnsafeMutablePointer<Entry>

    /// Does not retain the source; the owner of the table keeps it alive.
    init(source: GroupSource) {
        // SAFETY: calloc's zeros are valid atomics with nil. Running out of memory is fatal. The
        // front has room for two addresses and a number.
        let entriesLength = unsafe Self.groupCountMax * MemoryLayout<Entry>.stride
        let memory = unsafe calloc(1, Self.frontLength + entriesLength)
        guard let memory = unsafe memory else { fatalError("no memory for the table of pages") }
        let address = unsafe Unmanaged.passUnretained(source).toOpaque()
        unsafe memory.storeBytes(of: address, as: UnsafeMutableRawPointer.self)
        unsafe entries = memory.advanced(by: Self.frontLength)
            .bindMemory(to: Entry.self, capacity: Self.groupCountMax)
        // SAFETY: as in `count`.
        unsafe count.initialize(to: Atomic(source.storedMasks.count))
    }

    private var front: UnsafeMutableRawPointer {
        // SAFETY: the entries start at that offset of their memory.
        unsafe UnsafeMutableRawPointer(entries).advanced(by: -Self.frontLength)
    }

    private var source: Unmanaged<GroupSource> {
        // SAFETY: `init` stored the address of a source there.
        unsafe Unmanaged.fromOpaque(front.load(as: UnsafeMutableRawPointer.self))
    }

    /// The state of the one writer.
    var writer: UnsafeMutablePointer<PageWriter> {
        get {
            // SAFETY: the creator of the table set it before any reader existed.
            unsafe front.load(
                fromByteOffset: Self.writerOffset, as: UnsafeMutablePointer<PageWriter>.self)
        }
        nonmutating set {
            // SAFETY: the front has room for it.
            unsafe front.storeBytes(
                of: newValue, toByteOffset: Self.writerOffset,
                as: UnsafeMutablePointer<PageWriter>.self)
        }
    }

    private var count: UnsafeMutablePointer<Atomic<Int>> {
        // SAFETY: the front has room for it, at a multiple of its alignment.
        unsafe front.advanced(by: Self.groupCountOffset)
            .assumingMemoryBound(to: Atomic<Int>.self)
    }

    /// The number of groups, in memory or not. A reader of a version sees at least the groups that
    /// the version reaches.
    var groupCount: Int {
        // SAFETY: `init` initialised it.
        unsafe count.pointee.load(ordering: .acquiring)
    }

    /// Frees all memory, including the groups that the table owns. No reader or writer may use the
    /// table afterwards.
    func deallocate(groups: Range<Int>) {
        // The entries of these groups own the memory.
        for group in groups { memory(of: group)?.deallocate() }
        // SAFETY: the memory came from calloc.
        unsafe free(front)
    }

    /// Whether both are the same table.
    func isSame(as other: PageTable) -> Bool {
        // SAFETY: the addresses are compared, not read.
        unsafe entries == other.entries
    }

    /// The table that owns a page: for a page that a fork shares, the table of its base.
    func home(of number: UInt32) -> PageTable {
        // SAFETY: the owner of the table keeps the source alive.
        unsafe source.takeUnretainedValue().home(of: number) ?? self
    }

    /// The page of that number, loaded from the snapshot if necessary.
    ///
    /// - Throws: `.corruption` if its group cannot be read.
    @inline(__always)
    func page(_ number: UInt32) throws(DaybookError) -> Page {
        if let page = residentPage(number) { return page }
        return try loadPage(number)
    }

    /// The page of that number, if it is in memory.
    @inline(__always)
    func residentPage(_ number: UInt32) -> Page? {
        assert(number < UInt32(Self.pageCountMax), "page outside")
        // SAFETY: page numbers from files are checked, so the entry is in the table. A group has 16
        // pages, so the page is in the group.
        let memory = unsafe entries[Int(number >> 4)].load(ordering: .acquiring)
        guard let memory = unsafe memory else { return nil }
        return unsafe Page(memory.advanced(by: Int(number & 15) * Page.size))
    }

    /// A page that is in memory, because the writer created or visited it.
    @inline(__always)
    func knownPage(_ number: UInt32) -> Page {
        guard let page = residentPage(number) else {
            preconditionFailure("page \(number) is not in memory")
        }
        return page
    }

    // MARK: Groups

    /// The memory of a group; nil if it is not linked.
    @inline(__always)
    func memory(of group: Int) -> GroupMemory? {
        assert(group < Self.groupCountMax, "group outside")
        // SAFETY: callers pass groups of checked page numbers or below the number of added groups.
        let memory = unsafe entries[group].load(ordering: .acquiring)
        return unsafe memory.map { memory in unsafe GroupMemory(memory) }
    }

    func isResident(group: Int) -> Bool { memory(of: group) != nil }

    /// Sets the entry of a group. ``GroupSource`` serialises the calls for one group.
    func link(_ memory: GroupMemory, as group: Int) {
        // SAFETY: as in `memory(of:)`.
        unsafe entries[group].store(memory.base, ordering: .releasing)
    }

    /// Clears the entry of a group and returns its memory, which readers may still use.
    func unlink(_ group: Int) -> GroupMemory? {
        // SAFETY: as in `memory(of:)`. The exchange is ordered before the look at the readers that
        // decides about freeing the memory; see ``GroupSource``.
        let memory = unsafe entries[group].exchange(nil, ordering: .sequentiallyConsistent)
        return unsafe memory.map { memory in unsafe GroupMemory(memory) }
    }

    /// Adds a group of zeros to the table.
    func addGroup(_ group: Int) {
        precondition(group < Self.groupCountMax)
        // Only the writer adds groups, and only groups outside the snapshot, so no other thread
        // changes this entry.
        link(.allocate(), as: group)
        // SAFETY: the owner of the table keeps the source alive.
        unsafe source.takeUnretainedValue().noteAdded()
        // SAFETY: `init` initialised it; only the writer stores to it.
        unsafe count.pointee.store(max(groupCount, group + 1), ordering: .releasing)
    }

    @inline(never)
    private func loadPage(_ number: UInt32) throws(DaybookError) -> Page {
        // SAFETY: the owner of the table keeps the source alive.
        let source = unsafe source.takeUnretainedValue()
        guard let memory = try source.load(Int(number >> 4), into: self) else {
            throw DamagedPages.missingPage(number)
        }
        return memory.page(Int(number & 15))
    }
}
