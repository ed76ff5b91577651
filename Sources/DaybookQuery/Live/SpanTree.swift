/// Finds the spans that contain a key. Each span belongs to a number.
///
/// The spans are sorted by their lower bounds, and each subrange stores its greatest upper bound,
/// so a lookup visits few spans besides the matching ones.
struct SpanTree: Sendable {
    private struct Entry: Sendable {
        var span: KeySpan
        var number: Int
        /// The greatest upper bound in the subrange whose middle is this entry.
        var farthest: [UInt8] = []
    }

    private var entries: [Entry] = []
    private var isSorted = true

    var isEmpty: Bool { entries.isEmpty }

    mutating func insert(_ spans: [KeySpan], _ number: Int) {
        for span in spans { entries.append(Entry(span: span, number: number)) }
        isSorted = false
    }

    mutating func remove(_ number: Int) {
        entries.removeAll { $0.number == number }
        isSorted = false
    }

    /// Prepares the tree for lookups. Cost: O(n log n) after changes.
    mutating func prepare() {
        guard !isSorted else { return }
        isSorted = true
        entries.sort { $1.span.from.isBehind($0.span.from) }
        _ = findFarthest(0..<entries.count)
    }

    private mutating func findFarthest(_ range: Range<Int>) -> [UInt8] {
        guard !range.isEmpty else { return [] }
        let middle = (range.lowerBound + range.upperBound) / 2
        var farthest = entries[middle].span.before
        for part in [range.lowerBound..<middle, middle + 1..<range.upperBound] {
            let end = findFarthest(part)
            if end.isBehind(farthest) { farthest = end }
        }
        entries[middle].farthest = farthest
        return farthest
    }

    /// Adds the numbers of the spans that contain a key. Cost: O(log n), and O(log n) for each
    /// match.
    func find(_ key: [UInt8], into numbers: inout Set<Int>) {
        find(key, 0..<entries.count, &numbers)
    }

    private func find(_ key: [UInt8], _ range: Range<Int>, _ numbers: inout Set<Int>) {
        guard !range.isEmpty else { return }
        let middle = (range.lowerBound + range.upperBound) / 2
        guard entries[middle].farthest.isBehind(key) else { return }
        find(key, range.lowerBound..<middle, &numbers)
        guard !entries[middle].span.from.isBehind(key) else { return }
        if entries[middle].span.before.isBehind(key) { numbers.insert(entries[middle].number) }
        find(key, middle + 1..<range.upperBound, &numbers)
    }

    /// Adds all numbers.
    func findAll(into numbers: inout Set<Int>) {
        for entry in entries { numbers.insert(entry.number) }
    }
}
