internal import DaybookBytes
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Where each group of pages is in memory.
///
/// The table has room for all groups that there can be; the system gives it memory where it is
/// touched. So a page is found with one load and no lock. An entry goes from nothing to a group's
/// memory once, with release, and is read with acquire: who sees the address sees what was put
/// there before.
@safe
struct PageTable: @unchecked Sendable {
    // SENDABLE: all entries are atomics; the memory behind them follows the rules of PageSpace.

    /// 2^22 groups of 64 KiB: 256 GiB.
    static let groupCountMax = 1 << 22
    static let groupLength = 1 << 16
    /// One more than the highest page number there can be.
    static let pageCountMax = groupCountMax << 4

    private typealias Entry = Atomic<UnsafeMutableRawPointer?>
    // The addresses of source and writer and the number of groups stand in front of the entries, on
    // a line of their own. So a table is one pointer, and readers, which carry it, stay small
    // enough for registers.
    private static let frontLength = 128
    private static let writerOffset = 8
    private static let groupCountOffset = 16
    private let entries: UnsafeMutablePointer<Entry>

    /// The source is not retained; whoever owns the table keeps it alive.
    init(source: GroupSource?) {
        // SAFETY: calloc's zeros are valid atomics that hold nil; no memory at all is fatal, as
        // ever. The front has room for two addresses
        // and a number.
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
        // SAFETY: the entries stand that far behind the beginning of their memory.
        unsafe UnsafeMutableRawPointer(entries).advanced(by: -Self.frontLength)
    }

    private var source: Unmanaged<GroupSource>? {
        // SAFETY: `init` stored the address of a source there, or nil.
        let address = unsafe front.load(as: UnsafeMutableRawPointer?.self)
        return unsafe address.map { address in unsafe Unmanaged.fromOpaque(address) }
    }

    /// The state of the one writer.
    var writer: UnsafeMutablePointer<PageWriter> {
        get {
            // SAFETY: whoever made the table set it before anybody could read.
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

    /// How many groups there are, in memory or not. Whoever reads a version is told of all that it
    /// reaches.
    var groupCount: Int {
        // SAFETY: `init` initialised it.
        unsafe count.pointee.load(ordering: .acquiring)
    }

    /// Gives all memory back, that of the groups that the table owns; nobody may use it any more.
    func deallocate(groups: Range<Int>) {
        for group in groups {
            // SAFETY: so many groups were added, and the entries of these own their memory.
            if let memory = unsafe entries[group].load(ordering: .acquiring) {
                unsafe memory.deallocate()
            }
        }
        // SAFETY: the memory came from calloc.
        unsafe free(front)
    }

    /// Whether both are the same table.
    func isSame(as other: PageTable) -> Bool {
        // SAFETY: the addresses are compared, nothing is read.
        unsafe entries == other.entries
    }

    /// The table of the space that a page belongs to: of a page that a fork shares, its base's.
    func home(of number: UInt32) -> PageTable {
        guard let source = unsafe source else { return self }
        // SAFETY: the owner of the table keeps the source alive.
        return unsafe source.takeUnretainedValue().home(of: number) ?? self
    }

    /// The page of that number, from the snapshot where it is not in memory yet.
    ///
    /// - Throws: `.corruption` where its group cannot be read.
    @inline(__always)
    func page(_ number: UInt32) throws(DaybookError) -> Page {
        if let page = residentPage(number) { return page }
        return try loadPage(number)
    }

    /// The page of that number, if it is in memory.
    @inline(__always)
    func residentPage(_ number: UInt32) -> Page? {
        assert(number < UInt32(Self.pageCountMax), "page outside")
        // SAFETY: page numbers are checked where they come from a file, so the entry is in the
        // table; a group has 16 pages, so the page is in the group.
        let memory = unsafe entries[Int(number >> 4)].load(ordering: .acquiring)
        guard let memory = unsafe memory else { return nil }
        return unsafe Page(memory.advanced(by: Int(number & 15) * Page.size))
    }

    /// A page that the writer knows to be in memory, for it made it or walked through it.
    @inline(__always)
    func knownPage(_ number: UInt32) -> Page {
        guard let page = residentPage(number) else {
            preconditionFailure("page \(number) is not here")
        }
        return page
    }

    func isResident(group: Int) -> Bool {
        // SAFETY: the callers count groups up to the number that were added.
        unsafe entries[group].load(ordering: .acquiring) != nil
    }

    /// Puts a new group of zeros in the table.
    func addGroup(_ group: Int) {
        precondition(group < Self.groupCountMax)
        let memory = unsafe Self.allocateGroup()
        // SAFETY: the entry is in the table, by the precondition; only the writer adds groups, and
        // only ones that no snapshot holds, so nobody else stores to this entry.
        unsafe entries[group].store(memory, ordering: .releasing)
        // SAFETY: `init` initialised it; only the writer stores to it.
        unsafe count.pointee.store(max(groupCount, group + 1), ordering: .releasing)
    }

    /// Memory for a group, all zeros. It begins at a page's boundary, so cache lines do not
    /// straddle pages.
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
        // SAFETY: the entry is in the table, as in `residentPage`. Of several threads that load the
        // same group one wins; the memory of the others was seen by nobody.
        let (won, other) = unsafe entries[group].compareExchange(
            expected: nil, desired: memory, ordering: .acquiringAndReleasing)
        // SAFETY: whichever memory is in the table has room for 16 pages; the source is kept alive.
        // Memory that is shared is the same for all threads.
        guard won else {
            guard let other = unsafe other else { throw DamagedPages.missingPage(number) }
            if unsafe other != memory { unsafe memory.deallocate() }
            return unsafe Page(other.advanced(by: Int(number & 15) * Page.size))
        }
        unsafe source.takeUnretainedValue().noteLoaded(group)
        return unsafe Page(memory.advanced(by: Int(number & 15) * Page.size))
    }
}
