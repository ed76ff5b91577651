package import DaybookBytes
package import DaybookPages

/// The size of all texts in a text index, for the relevance of words. A text without words does not
/// count.
package struct TextTotals: Sendable, Equatable {
    /// The number of objects whose text has words.
    package var textCount: UInt64 = 0
    /// The number of words in these texts, with duplicates.
    package var wordCount: UInt64 = 0

    package init(textCount: UInt64 = 0, wordCount: UInt64 = 0) {
        self.textCount = textCount
        self.wordCount = wordCount
    }
}

extension PageReader {
    /// The totals of a text index. Cost: a tree lookup.
    package func textTotals(ofIndex index: UInt32) throws(DaybookError) -> TextTotals {
        guard let value = try get(IndexTree.texts(of: index), 0) else { return TextTotals() }
        return TextTotals(textCount: value.first, wordCount: value.second)
    }

    /// The number of words in an object's text, as a text index knows it; 0 if it does not contain
    /// the object. Cost: a tree lookup.
    package func wordCount(ofIndex index: UInt32, _ id: UInt64) throws(DaybookError) -> UInt64 {
        try get(IndexTree.texts(of: index), id)?.first ?? 0
    }
}

extension PageSpace {
    /// Sets the number of words in the texts of objects in a text index, and corrects its totals.
    /// Cost: a tree path per object.
    ///
    /// Throws errors of the trees, and `.corruption` with `details["snapshot"]` if the totals
    /// contradict the texts.
    func setWordCounts(
        _ counts: [(id: UInt64, wordCount: UInt64)], ofIndex index: UInt32
    ) throws(DaybookError) {
        let tree = IndexTree.texts(of: index)
        var textChange: Int64 = 0
        var wordChange: Int64 = 0
        for (id, count) in counts {
            let old =
                count > 0
                ? try put(tree, id, WordValue(first: count, second: 0)) : try remove(tree, id)
            textChange += (count > 0 ? 1 : 0) - (old == nil ? 0 : 1)
            // Damaged trees may contain any number.
            wordChange &+= Int64(truncatingIfNeeded: count &- (old?.first ?? 0))
        }
        guard textChange != 0 || wordChange != 0 else { return }
        let totals = try working.textTotals(ofIndex: index)
        let textCount = Int64(truncatingIfNeeded: totals.textCount) &+ textChange
        let wordCount = Int64(truncatingIfNeeded: totals.wordCount) &+ wordChange
        guard textCount >= 0, wordCount >= textCount else {
            throw AppliedState.contradiction(
                "index \(index) has \(wordCount) words in \(textCount) texts")
        }
        guard textCount > 0 else {
            _ = try remove(tree, 0)
            return
        }
        _ = try put(
            tree, 0, WordValue(first: UInt64(textCount), second: UInt64(wordCount)))
    }
}
