/// An inner page of fixed-size keys and children.
struct FixedInner<Layout: FixedLayout> {
    let page: Page

    @inline(__always)
    init(_ page: Page) { self.page = page }

    @inline(__always) var count: Int { page.count }
    @inline(__always) var isFull: Bool { count == Layout.innerCapacity }

    @inline(__always)
    static func offset(_ index: Int) -> Int { PageHeader.length + index * Layout.innerStride }

    @inline(__always)
    func key(_ index: Int) -> Layout.Key { page.load(Self.offset(index)) }

    @inline(__always)
    func child(_ index: Int) -> UInt32 { page.load(Self.offset(index) + Layout.keyLength) }

    @inline(__always)
    func setChild(_ child: UInt32, at index: Int) {
        page.store(child, at: Self.offset(index) + Layout.keyLength)
    }

    func setKey(_ key: Layout.Key, at index: Int) {
        page.store(key, at: Self.offset(index))
        Layout.prepareGuess(self)
    }

    /// The index of the child that can contain `key`: the last child whose key is not above it, or
    /// the first.
    @inline(__always)
    func locate(_ key: Layout.Key) -> Int {
        let count = count
        var low = 1
        var high = count
        if let guess = Layout.guessChild(self, key) {
            if guess == 0 || self.key(guess) <= key {
                if guess + 1 >= count || key < self.key(guess + 1) { return guess }
                low = guess + 1
            } else {
                high = guess
            }
        } else if let near = Layout.guessIndex(
            of: key, between: self.key(0), and: self.key(count - 1), count)
        {
            let range = FixedSearch.range(near: near, count) { self.key($0) <= key }
            low = range.lowerBound
            high = range.upperBound
        }
        // Finds the first of 1 ..< count whose key is above `key`; the result is the child before
        // it.
        var length = high - low
        while length > 0 {
            let half = length >> 1
            let isAbove = self.key(low + half) > key
            low = isAbove ? low : low + half + 1
            length = isAbove ? half : length - half - 1
        }
        return low - 1
    }

    func insert(_ key: Layout.Key, _ child: UInt32, at index: Int) {
        let offset = Self.offset(index)
        page.move(
            from: offset, to: offset + Layout.innerStride, count: Self.offset(count) - offset)
        page.store(key, at: offset)
        page.store(child, at: offset + Layout.keyLength)
        page.count += 1
        Layout.prepareGuess(self)
    }

    func remove(at index: Int) {
        let next = Self.offset(index + 1)
        page.move(from: next, to: Self.offset(index), count: Self.offset(count) - next)
        page.count -= 1
        if page.count > 0 { Layout.prepareGuess(self) }
    }

    /// Moves the children from `cut` on to an empty page.
    func moveEntries(from cut: Int, to other: FixedInner) {
        let start = Self.offset(cut)
        other.page.copy(
            from: page, at: start, to: Self.offset(0), count: Self.offset(count) - start)
        other.page.count = count - cut
        page.count = cut
    }

    /// Appends all children of the page after this one.
    func append(_ other: FixedInner) {
        page.copy(
            from: other.page, at: Self.offset(0), to: Self.offset(count),
            count: other.count * Layout.innerStride)
        page.count += other.count
        Layout.prepareGuess(self)
    }

    /// Prepends all children of the page before this one.
    func prepend(_ other: FixedInner) {
        let added = other.count * Layout.innerStride
        page.move(
            from: Self.offset(0), to: Self.offset(other.count), count: count * Layout.innerStride)
        page.copy(from: other.page, at: Self.offset(0), to: Self.offset(0), count: added)
        page.count += other.count
        Layout.prepareGuess(self)
    }
}
