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
/// touched parts. A page is found with one load and no lock. An entry changes once, from nil to the
/// address of a group, with a releasing store. A reader that loads the address with acquire sees
/// all earlier writes to the group.
@safe
struct PageTable: @unchecked Sendable {
    // SENDABLE: all entries are atomics; the memory follows the rules of PageSpace.

    /// 2^22 groups of 64 KiB: 256 GiB.
    static let groupCountMax = 1 << 22
    static let groupLength = 1 << 16
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
    init(source: GroupSource?) {
        // SAFETY: calloc's zeros are valid atomics with nil. Running out of memory is fatal. The
        // front has room for two addresses and a number.
        let entriesLength = unsafe Self.groupCountMax * MemoryLayout<Entry>.stride
        let memory = unsafe calloc(1, Self.frontLength + entriesLength)
        guard let memory = unsafe memory else { fatalError("no memory for the table of pages") }
        let address = unsafe source.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
        unsafe memory.storeBytes(of: address, as: UnsafeMutableRawPointer?.self)
        unsafe entries = memory.advanced(by: Self.frontLength)
            .bindMemory(to: Entry.self, capacity: Self.groupCountMax)
        // SAFETY: as in `count`.
        unsafe count.initialize(to: Atomic(source?.storedMasks.count ?? 0))
    }

    private var front: UnsafeMutableRawPointer {
        // SAFETY: the entries start at that offset of their memory.
        unsafe UnsafeMutableRawPointer(entries).advanced(by: -Self.frontLength)
    }

    private var source: Unmanaged<GroupSource>? {
        // SAFETY: `init` stored the address of a source or nil there.
        let address = unsafe front.load(as: UnsafeMutableRawPointer?.self)
        return unsafe address.map { address in unsafe Unmanaged.fromOpaque(address) }
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
        for group in groups {
            // SAFETY: these groups were added, and their entries own the memory.
            if let memory = unsafe entries[group].load(ordering: .acquiring) {
                unsafe memory.deallocate()
            }
        }
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
        guard let source = unsafe source else { return self }
        // SAFETY: the owner of the table keeps the source alive.
        return unsafe source.takeUnretainedValue().home(of: number) ?? self
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

    func isResident(group: Int) -> Bool {
        // SAFETY: callers pass groups below the number of added groups.
        unsafe entries[group].load(ordering: .acquiring) != nil
    }

    /// Adds a group of zeros to the table.
    func addGroup(_ group: Int) {
        precondition(group < Self.groupCountMax)
        let memory = unsafe Self.allocateGroup()
        // SAFETY: the entry is in the table, by the precondition. Only the writer adds groups, and
        // only groups outside the snapshot, so no other thread stores to this entry.
        unsafe entries[group].store(memory, ordering: .releasing)
        // SAFETY: `init` initialised it; only the writer stores to it.
        unsafe count.pointee.store(max(groupCount, group + 1), ordering: .releasing)
    }

    /// Allocates a group of zeros. It is page-aligned, so no cache line contains parts of two
    /// pages.
    static func allocateGroup() -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: groupLength, alignment: Page.size)
        // SAFETY: the memory has that many bytes.
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: groupLength)
        return unsafe memory
    }

    @inline(never)
    private func loadPage(_ number: UInt32) throws(DaybookError) -> Page {
        let group = Int(number >> 4)
        guard let source = unsafe source else { throw DamagedPages.missingPage(number) }
        // SAFETY: the owner of the table keeps the source alive.
        let memory = unsafe try source.takeUnretainedValue().load(group)
        guard let memory = unsafe memory else { throw DamagedPages.missingPage(number) }
        // SAFETY: the entry is in the table, as in `residentPage`. If several threads load the same
        // group, one wins, and the memory of the others was never visible.
        let (won, other) = unsafe entries[group].compareExchange(
            expected: nil, desired: memory, ordering: .acquiringAndReleasing)
        // SAFETY: the memory in the table has room for 16 pages, and the source is kept alive.
        // Shared memory is the same for all threads.
        guard won else {
            guard let other = unsafe other else { throw DamagedPages.missingPage(number) }
            if unsafe other != memory { unsafe memory.deallocate() }
            return unsafe Page(other.advanced(by: Int(number & 15) * Page.size))
        }
        unsafe source.takeUnretainedValue().noteLoaded(group)
        return unsafe Page(memory.advanced(by: Int(number & 15) * Page.size))
    }
}
