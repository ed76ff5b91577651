/// Memory of the writer's own, where pages stand while they are rebuilt.
@safe
struct ScratchPages {
    private let memory: UnsafeMutableRawPointer

    init() {
        // SAFETY: room for two pages; zeros, as debug checks may read all of it.
        unsafe memory = .allocate(byteCount: 2 * Page.size, alignment: 64)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: 2 * Page.size)
    }

    func deallocate() {
        // SAFETY: `init` allocated it.
        unsafe memory.deallocate()
    }

    /// Where a page of bytes stands while it is rebuilt.
    // SAFETY: the first of the two pages.
    var page: Page { unsafe Page(memory) }

    /// Where the key that a split page of that level sends upwards stands until it is in its page.
    func separator(level: Int) -> (page: Page, offset: Int) {
        // SAFETY: the second of the two pages. Two levels take turns, for a page that takes in one
        // key may send up another.
        unsafe (Page(memory + Page.size), level & 1 == 0 ? 0 : Page.size / 2)
    }
}
