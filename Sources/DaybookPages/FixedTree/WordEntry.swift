/// One entry of a map from words.
@usableFromInline package struct WordEntry: Sendable, BitwiseCopyable {
    @usableFromInline package var key: UInt64
    @usableFromInline package var value: WordValue

    @inlinable @inline(__always)
    package init(key: UInt64 = 0, value: WordValue = WordValue(first: 0, second: 0)) {
        self.key = key
        self.value = value
    }
}
