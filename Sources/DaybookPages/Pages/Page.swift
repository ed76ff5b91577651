/// The memory of one page. Every access to page memory goes through this type.
///
/// Release builds check no offsets here, because every offset follows from validated numbers.
/// `GroupDecoder` rejects pages with a count above the capacity, cells or a prefix outside the
/// page, an overflow piece that is too long, or a cell key of more than ``BytePage/keyLengthMax``
/// bytes. Changes compare with the capacity or the free length before they write. The asserts find
/// errors of this module in debug builds.
@safe
struct Page {
    static let size = 4096

    let base: UnsafeMutableRawPointer

    @inline(__always)
    init(_ base: UnsafeMutableRawPointer) {
        // SAFETY: the caller passes `size` bytes that outlive the page's use.
        unsafe self.base = base
    }

    @inline(__always)
    func load<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type = Value.self) -> Value {
        assert(offset >= 0 && offset + MemoryLayout<Value>.size <= Page.size, "load outside")
        // SAFETY: the value is within the page: its offset follows from a count or a cell that
        // `GroupDecoder` bounded, or is in the header.
        return unsafe base.loadUnaligned(fromByteOffset: offset, as: Value.self)
    }

    @inline(__always)
    func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
        assert(offset >= 0 && offset + MemoryLayout<Value>.size <= Page.size, "store outside")
        // SAFETY: the value is within the page: its offset follows from a count or a cell that
        // `GroupDecoder` bounded, or is in the header.
        unsafe base.storeBytes(of: value, toByteOffset: offset, as: Value.self)
    }

    /// Moves bytes within the page; source and target may overlap.
    @inline(__always)
    func move(from source: Int, to target: Int, count: Int) {
        assert(source >= 0 && target >= 0 && count >= 0, "move outside")
        assert(source + count <= Page.size && target + count <= Page.size, "move outside")
        // SAFETY: both ranges are within the page: `GroupDecoder` bounded counts and cells, and the
        // callers compared with the capacity. copyMemory allows overlap.
        unsafe base.advanced(by: target)
            .copyMemory(from: base.advanced(by: source), byteCount: count)
    }

    /// Copies bytes from another page.
    @inline(__always)
    func copy(from other: Page, at source: Int, to target: Int, count: Int) {
        assert(source >= 0 && target >= 0 && count >= 0, "copy outside")
        assert(source + count <= Page.size && target + count <= Page.size, "copy outside")
        // SAFETY: both ranges are within their pages: `GroupDecoder` bounded the counts, and the
        // callers compared their sum with the capacity.
        unsafe base.advanced(by: target)
            .copyMemory(from: other.base.advanced(by: source), byteCount: count)
    }

    /// Copies bytes into the page.
    @inline(__always)
    func write(_ bytes: KeyBytes, at target: Int) {
        assert(target >= 0 && target + bytes.count <= Page.size, "write outside")
        // SAFETY: the range is within the page: `BytePage.makeCell` and `ByteCells.fits` reserved
        // it. `bytes` has `count` bytes.
        unsafe base.advanced(by: target).copyMemory(from: bytes.base, byteCount: bytes.count)
    }

    /// Bytes of the page, without a copy.
    @inline(__always)
    func bytes(at offset: Int, count: Int) -> KeyBytes {
        assert(offset >= 0 && count >= 0 && offset + count <= Page.size, "bytes outside")
        // SAFETY: the range is within the page: `GroupDecoder` bounded prefix, cells and pieces.
        return unsafe KeyBytes(base.advanced(by: offset), count: count)
    }

    /// Whether both pages are the same memory.
    @inline(__always)
    func isSame(as other: Page?) -> Bool {
        guard let other else { return false }
        // SAFETY: the addresses are compared, not read.
        return unsafe base == other.base
    }

    // MARK: The header

    /// Kind and level in one number; see ``PageKind/tag(level:)``.
    @inline(__always) var tag: UInt16 { load(PageHeader.kind) }
    @inline(__always) var level: Int { Int(load(PageHeader.level, as: UInt8.self)) }
    @inline(__always) var kind: UInt8 { load(PageHeader.kind) }

    @inline(__always)
    var count: Int {
        get { Int(load(PageHeader.count, as: UInt16.self)) }
        nonmutating set { store(UInt16(truncatingIfNeeded: newValue), at: PageHeader.count) }
    }

    @inline(__always)
    var birth: UInt64 {
        get { load(PageHeader.birth) }
        nonmutating set { store(newValue, at: PageHeader.birth) }
    }

    @inline(__always)
    var link: UInt32 {
        get { load(PageHeader.link) }
        nonmutating set { store(newValue, at: PageHeader.link) }
    }

    @inline(__always)
    var generation: UInt32 {
        get { load(PageHeader.generation) }
        nonmutating set { store(newValue, at: PageHeader.generation) }
    }

    /// Turns the page into an empty page of that kind.
    @inline(__always)
    func reset(_ kind: PageKind, level: Int, birth: UInt64) {
        store(UInt64(kind.tag(level: level)), at: PageHeader.kind)
        store(birth, at: PageHeader.birth)
        store(UInt64(0), at: PageHeader.reciprocal)
        store(UInt64(0), at: PageHeader.link)
    }
}
