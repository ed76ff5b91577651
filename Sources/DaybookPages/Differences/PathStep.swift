/// One step on the path from a root to a leaf: a page, and the index of the child or entry in it.
struct PathStep: BitwiseCopyable {
    var page: UInt32 = 0
    var index: Int32 = 0

    init() {}

    @inline(__always)
    init(_ page: UInt32, _ index: Int) {
        self.page = page
        self.index = Int32(truncatingIfNeeded: index)
    }
}
