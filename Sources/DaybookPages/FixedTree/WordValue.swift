/// The value of a key in a map from words: two words that the caller interprets.
@usableFromInline package struct WordValue: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline package var first: UInt64
    @usableFromInline package var second: UInt64

    @inlinable @inline(__always)
    package init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }
}
