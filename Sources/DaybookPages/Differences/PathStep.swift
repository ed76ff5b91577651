/// One step on the way from a root to a leaf: the page, and the child or entry that was chosen in
/// it.
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
