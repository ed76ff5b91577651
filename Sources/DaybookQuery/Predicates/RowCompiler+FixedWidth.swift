import DaybookRecords

extension RowCompiler {
    /// A predicate on the stored bytes of a fixed-width field; nil if the value must be decoded.
    func fixedTest(_ place: FieldPlace, _ test: ColumnTest) -> RowPredicate? {
        // The stored milliseconds are not the value of a property in nanoseconds.
        if place.stored == .date, place.property.shape.type != .date { return nil }
        if let kind = IntegerKind(place.stored) { return integerTest(place, test, kind) }
        switch place.stored {
        case .bool: return boolTest(place, test)
        case .float, .double: return numberTest(place, test)
        default: return nil
        }
    }

    private func boolTest(_ place: FieldPlace, _ test: ColumnTest) -> RowPredicate {
        let matcher = ColumnMatcher(test)
        switch (matcher.isTrue(of: .bool(false)), matcher.isTrue(of: .bool(true))) {
        case (false, false): return RowPredicate()
        case (true, true):
            return place.property.shape.isOptional ? NotTest(NullTest(place)) : TrueTest()
        // Any nonzero byte is true.
        case (_, let wanted): return IntegerTest(place, .uint8, wanted ? 1 : 0, wanted ? 255 : 0)
        }
    }

    private func integerTest(
        _ place: FieldPlace, _ test: ColumnTest, _ kind: IntegerKind
    ) -> RowPredicate? {
        switch test {
        case .equal(let value): return integerTest(place, [value], kind)
        case .oneOf(let values): return integerTest(place, values, kind)
        case .range(let lower, let upper):
            // The property, and so the bounds, may be wider than the stored type.
            let limits = place.stored.integerLimits ?? 0...0
            var (first, last) = (limits.lowerBound, limits.upperBound)
            if let lower {
                guard let value = place.stored.whole(lower.value) else { return nil }
                first = max(first, lower.isInclusive ? value : value + 1)
            }
            if let upper {
                guard let value = place.stored.whole(upper.value) else { return nil }
                last = min(last, upper.isInclusive ? value : value - 1)
            }
            guard first <= last, let lower = kind.loaded(first), let upper = kind.loaded(last)
            else { return RowPredicate() }
            return IntegerTest(place, kind, lower, upper)
        case .isNull, .foldedEqual, .foldedRange, .text: return nil
        }
    }

    private func integerTest(
        _ place: FieldPlace, _ values: [QueryValue], _ kind: IntegerKind
    ) -> RowPredicate? {
        let wholes = values.compactMap(place.stored.whole)
        guard wholes.count == values.count else { return nil }
        let loaded = wholes.compactMap(kind.loaded)
        return loaded.count == 1
            ? IntegerTest(place, kind, loaded[0], loaded[0]) : IntegerSetTest(place, kind, loaded)
    }

    private func numberTest(_ place: FieldPlace, _ test: ColumnTest) -> RowPredicate? {
        var first = -Double.infinity
        var last = Double.infinity
        switch test {
        case .equal(.number(let value)): (first, last) = (value, value)
        case .range(let lower, let upper):
            if let lower {
                guard case .number(let value) = lower.value else { return nil }
                guard lower.isInclusive || value < .infinity else { return RowPredicate() }
                first = lower.isInclusive ? value : value.nextUp
            }
            if let upper {
                guard case .number(let value) = upper.value else { return nil }
                guard upper.isInclusive || value > -.infinity else { return RowPredicate() }
                last = upper.isInclusive ? value : value.nextDown
            }
        default: return nil
        }
        return NumberTest(place, isFloat: place.stored == .float, first, last)
    }
}

extension FieldType {
    /// The stored number of a value; nil for a value of another type.
    fileprivate func whole(_ value: QueryValue) -> Int128? {
        switch (value, self) {
        case (.integer(let number), _): number
        case (.moment(let nanoseconds), .date): nanoseconds / 1_000_000
        case (.moment(let nanoseconds), .dateNano): nanoseconds
        default: nil
        }
    }
}
