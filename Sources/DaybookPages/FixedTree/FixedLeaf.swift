/// A leaf of fixed-size entries.
struct FixedLeaf<Layout: FixedLayout> {
    let page: Page

    @inline(__always)
    init(_ page: Page) { self.page = page }

    @inline(__always)
    var count: Int {
        get { page.count }
        nonmutating set { page.count = newValue }
    }
    @inline(__always) var isFull: Bool { count == Layout.leafCapacity }

    @inline(__always)
    static func offset(_ index: Int) -> Int { PageHeader.length + index * Layout.leafStride }

    @inline(__always)
    func key(_ index: Int) -> Layout.Key { page.load(Self.offset(index)) }

    @inline(__always)
    func value(_ index: Int) -> Layout.Value { page.load(Self.offset(index) + Layout.keyLength) }

    @inline(__always)
    func setKey(_ key: Layout.Key, at index: Int) { page.store(key, at: Self.offset(index)) }

    @inline(__always)
    func setValue(_ value: Layout.Value, at index: Int) {
        page.store(value, at: Self.offset(index) + Layout.keyLength)
    }

    /// The index of the first entry whose key is at least `key`, and whether it equals `key`. The
    /// keys are below `end`, if the caller knows it from an inner page: then the last entry, which
    /// is seldom in the processor's cache, need not be read.
    @inline(__always)
    func locate(
        _ key: Layout.Key, below end: Layout.Key? = nil
    ) -> (index: Int, isFound: Bool) {
        let count = count
        guard count > 0 else { return (0, false) }
        let first = self.key(0)
        if key <= first { return (0, key == first) }
        // Keys differ by at least one, so this is the last possible index of `key`. With dense keys
        // it is the actual index.
        let guess = Layout.distanceMax(key, from: first)
        if guess < count && self.key(guess) == key { return (guess, true) }
        var low = 1
        var length = min(guess, count) - 1
        if let near = Layout.guessIndex(
            of: key, between: first, and: end ?? self.key(count - 1), count)
        {
            let range = FixedSearch.range(near: near, count) { self.key($0) < key }
            low = range.lowerBound
            length = range.count
        }
        while length > 0 {
            let half = length >> 1
            let isBelow = self.key(low + half) < key
            low = isBelow ? low + half + 1 : low
            length = isBelow ? length - half - 1 : half
        }
        return (low, low < count && self.key(low) == key)
    }

    @inline(__always)
    func insert(_ key: Layout.Key, _ value: Layout.Value, at index: Int) {
        let offset = Self.offset(index)
        let end = Self.offset(count)
        if offset < end {
            page.move(from: offset, to: offset + Layout.leafStride, count: end - offset)
        }
        page.store(key, at: offset)
        page.store(value, at: offset + Layout.keyLength)
        count += 1
    }

    @inline(__always)
    func remove(at index: Int) {
        let next = Self.offset(index + 1)
        page.move(from: next, to: Self.offset(index), count: Self.offset(count) - next)
        count -= 1
    }

    /// Moves the entries from `cut` on to an empty leaf.
    func moveEntries(from cut: Int, to other: FixedLeaf) {
        let start = Self.offset(cut)
        other.page.copy(
            from: page, at: start, to: Self.offset(0), count: Self.offset(count) - start)
        other.count = count - cut
        count = cut
    }

    /// Appends all entries of the leaf after this one.
    func append(_ other: FixedLeaf) {
        page.copy(
            from: other.page, at: Self.offset(0), to: Self.offset(count),
            count: other.count * Layout.leafStride)
        count += other.count
    }

    /// Prepends all entries of the leaf before this one.
    func prepend(_ other: FixedLeaf) {
        let added = other.count * Layout.leafStride
        page.move(
            from: Self.offset(0), to: Self.offset(other.count), count: count * Layout.leafStride)
        page.copy(from: other.page, at: Self.offset(0), to: Self.offset(0), count: added)
        count += other.count
    }
}
