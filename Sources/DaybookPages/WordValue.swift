/// What a map from words holds for a key: two words, whose meaning is the caller's.
package struct WordValue: Hashable, Sendable, BitwiseCopyable {
    package var first: UInt64
    package var second: UInt64

    package init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }
}
