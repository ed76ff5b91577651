/// One entry of a map from words, as cursors hand it out.
package struct WordEntry: Hashable, Sendable, BitwiseCopyable {
    package var key: UInt64
    package var value: WordValue

    package init(key: UInt64, value: WordValue) {
        self.key = key
        self.value = value
    }
}
