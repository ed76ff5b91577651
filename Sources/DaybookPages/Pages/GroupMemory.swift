/// The memory of a group of 16 pages.
@safe
struct GroupMemory: @unchecked Sendable, Equatable {
    // SENDABLE: only an address; the rules of PageSpace decide which thread may use the memory.

    /// The length in bytes: 64 KiB.
    static let length = 1 << 16

    let base: UnsafeMutableRawPointer

    @inline(__always)
    init(_ base: UnsafeMutableRawPointer) {
        // SAFETY: the caller passes the address of a group that was allocated here.
        unsafe self.base = base
    }

    /// Allocates a group of zeros. It is page-aligned, so no cache line contains parts of two
    /// pages.
    static func allocate() -> GroupMemory {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: Page.size)
        // SAFETY: the memory has that many bytes.
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: length)
        return unsafe GroupMemory(memory)
    }

    static func == (first: GroupMemory, second: GroupMemory) -> Bool {
        // SAFETY: the addresses are compared, not read.
        unsafe first.base == second.base
    }

    /// Frees the memory. No thread may use it afterwards.
    func deallocate() {
        // SAFETY: `allocate` allocated it, and the caller frees it once.
        unsafe base.deallocate()
    }

    /// One of the 16 pages.
    @inline(__always)
    func page(_ index: Int) -> Page {
        assert(index >= 0 && index < 16, "page outside")
        // SAFETY: the group has 16 pages.
        return unsafe Page(base.advanced(by: index * Page.size))
    }
}
