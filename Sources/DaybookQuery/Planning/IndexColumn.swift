import DaybookBytes
import DaybookRecords

/// A property of an index. Maps tests to the keys of the values that pass.
struct IndexColumn: Sendable {
    /// The keys for a test; the spans are sorted and disjoint.
    struct Keys: Sendable {
        var spans: [KeySpan]
        /// Whether only values that pass have these keys.
        var isExact: Bool
        var use: AccessPath.IndexUse
    }

    let type: FieldType
    let isOptional: Bool
    /// Whether the keys are those of case-folded strings.
    let isFolded: Bool
    /// The maximum number of keys to look up one by one. A longer list has no keys.
    let spanCountMax: Int

    /// Returns nil if the index cannot serve the test.
    func keys(_ test: ColumnTest) -> Keys? {
        switch test {
        case .isNull:
            let spans = isOptional ? [KeySpan(from: [0], before: [1], isPoint: true)] : []
            return Keys(spans: spans, isExact: true, use: .equality)
        case .equal(let value): return points([value], isExact: !isFolded, .equality)
        case .oneOf(let values): return points(values, isExact: !isFolded, .oneOf)
        case .foldedEqual(let texts, .caseInsensitive) where isFolded:
            return points(
                texts.map { .text($0) }, isExact: true, texts.count == 1 ? .equality : .oneOf)
        case .range(let lower, let upper) where !isFolded: return range(lower, upper)
        case .foldedRange(let lower, let upper, .caseInsensitive) where isFolded:
            return range(lower, upper)
        case .text(.hasPrefix, let prefix, let options):
            return beginning(with: prefix, options, isExact: true)
        case .text(.like, let pattern, let options):
            let start = LikePattern(pattern).literalStart
            guard !start.isEmpty else { return nil }
            return beginning(with: start, options, isExact: false)
        case .range, .foldedEqual, .foldedRange, .text: return nil
        }
    }

    /// The keys of all values with an order. NaN has none, and is excluded.
    var all: KeySpan {
        guard type == .float || type == .double else {
            return KeySpan(from: [1], before: [2], isPoint: false)
        }
        let infinity = point(.number(.infinity))
        return KeySpan(from: [1], before: infinity?.before ?? [2], isPoint: false)
    }

    /// The keys of one value; nil if the type cannot represent it.
    private func point(_ value: QueryValue) -> KeySpan? {
        var value = value
        if isFolded { value = value.folded(.caseInsensitive) }
        guard let bytes = RowBytes.bytes(of: value, as: type) else { return nil }
        var probe = IndexProbe()
        probe.append(bytes.span, type)
        // The index stores longer keys truncated.
        guard probe.bytes.count < IndexKey.lengthMax,
            let end = IndexProbe.end(of: probe.bytes)
        else { return nil }
        return KeySpan(from: probe.bytes, before: end, isPoint: true)
    }

    private func points(
        _ values: [QueryValue], isExact: Bool, _ use: AccessPath.IndexUse
    ) -> Keys? {
        guard values.count <= spanCountMax else { return nil }
        var spans: [KeySpan] = []
        for value in values {
            guard let span = point(value) else { return nil }
            spans.append(span)
        }
        return Keys(spans: spans.merged(), isExact: isExact && type != .decimal, use: use)
    }

    private func range(_ lower: QueryBound?, _ upper: QueryBound?) -> Keys? {
        var span = all
        if let lower {
            guard let bound = point(lower.value) else { return nil }
            span.from = lower.isInclusive ? bound.from : bound.before
        }
        if let upper {
            guard let bound = point(upper.value) else { return nil }
            span.before = upper.isInclusive ? bound.before : bound.from
        }
        let spans = span.before.isBehind(span.from) ? [span] : []
        return Keys(spans: spans, isExact: type != .decimal, use: .range)
    }

    private func beginning(
        with prefix: String, _ options: StringOptions, isExact: Bool
    ) -> Keys? {
        guard type == .string, options.isEmpty || isFolded && options == .caseInsensitive else {
            return nil
        }
        let isExact = isExact && isFolded == !options.isEmpty
        guard !prefix.isEmpty else { return Keys(spans: [all], isExact: isExact, use: .range) }
        var probe = IndexProbe()
        probe.append(
            prefix: Array((isFolded ? StringOptions.caseInsensitive.fold(prefix) : prefix).utf8)
                .span)
        guard probe.bytes.count < IndexKey.lengthMax,
            let end = IndexProbe.end(of: probe.bytes)
        else { return nil }
        let span = KeySpan(from: probe.bytes, before: end, isPoint: false)
        return Keys(spans: [span], isExact: isExact, use: .prefix)
    }
}
