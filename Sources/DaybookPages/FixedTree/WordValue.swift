/// What a map from words holds for a key: two words, whose meaning is the caller's.
@usableFromInline package struct WordValue: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline package var first: UInt64
    @usableFromInline package var second: UInt64

    @inlinable @inline(__always)
    package init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }
}
