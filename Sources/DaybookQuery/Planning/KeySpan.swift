/// A half-open range of index keys.
struct KeySpan: Sendable, Hashable {
    /// The lower bound, included.
    var from: [UInt8]
    /// The upper bound, excluded.
    var before: [UInt8]
    /// Whether all its keys have equal values of the properties covered.
    var isPoint: Bool

    /// The keys in both spans; nil if there are none.
    func intersection(_ other: KeySpan) -> KeySpan? {
        let from = other.from.isBehind(self.from) ? other.from : self.from
        let before = self.before.isBehind(other.before) ? other.before : self.before
        guard before.isBehind(from) else { return nil }
        return KeySpan(from: from, before: before, isPoint: isPoint || other.isPoint)
    }
}

extension [KeySpan] {
    /// The spans sorted, with overlapping and adjacent spans merged.
    func merged() -> [KeySpan] {
        guard count > 1 else { return self }
        var result: [KeySpan] = []
        for span in sorted(by: { $1.from.isBehind($0.from) }) {
            guard let last = result.last, !span.from.isBehind(last.before), last != span else {
                if result.last != span { result.append(span) }
                continue
            }
            // Adjacent points stay points, because each is one value.
            if span.isPoint, last.isPoint, span.from == last.before {
                result.append(span)
                continue
            }
            let before = span.before.isBehind(last.before) ? span.before : last.before
            result[result.count - 1] = KeySpan(from: last.from, before: before, isPoint: false)
        }
        return result
    }

    /// The keys in a span of each array; both must be sorted.
    func intersection(_ others: [KeySpan]) -> [KeySpan] {
        var result: [KeySpan] = []
        var (left, right) = (0, 0)
        while left < count, right < others.count {
            if let both = self[left].intersection(others[right]) { result.append(both) }
            if others[right].before.isBehind(self[left].before) { left += 1 } else { right += 1 }
        }
        return result
    }

    /// All keys of one property outside these spans, which must be sorted.
    func complement() -> [KeySpan] {
        var result: [KeySpan] = []
        var from: [UInt8] = [0]
        for span in self {
            if span.from.isBehind(from) {
                let isNull = from == [0] && span.from == [1]
                result.append(KeySpan(from: from, before: span.from, isPoint: isNull))
            }
            from = span.before
        }
        if [UInt8]([2]).isBehind(from) {
            result.append(KeySpan(from: from, before: [2], isPoint: false))
        }
        return result
    }
}

extension [UInt8] {
    /// Whether the key sorts after another one.
    func isBehind(_ other: [UInt8]) -> Bool { other.lexicographicallyPrecedes(self) }
}
