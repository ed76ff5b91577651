/// The writer's own buffers for pages that are being rebuilt.
@safe
struct ScratchPages {
    private let memory: UnsafeMutableRawPointer

    init() {
        // SAFETY: room for two pages; zeros, because debug checks may read all of it.
        unsafe memory = .allocate(byteCount: 2 * Page.size, alignment: 64)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: 2 * Page.size)
    }

    func deallocate() {
        // SAFETY: `init` allocated it.
        unsafe memory.deallocate()
    }

    /// The buffer for a page of bytes that is being rebuilt.
    // SAFETY: the first of the two pages.
    var page: Page { unsafe Page(memory) }

    /// The buffer for the key that a split page of that level moves up.
    func separator(level: Int) -> (page: Page, offset: Int) {
        // SAFETY: the second of the two pages. Two levels alternate, because a page that receives a
        // key may move up another one.
        unsafe (Page(memory + Page.size), level & 1 == 0 ? 0 : Page.size / 2)
    }
}
