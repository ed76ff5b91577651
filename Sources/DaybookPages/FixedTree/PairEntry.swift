/// One entry of a set of pairs, ordered by `first`, then `second`.
package struct PairEntry: Hashable, Sendable, BitwiseCopyable {
    package var first: UInt64
    package var second: UInt64

    package init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }
}
