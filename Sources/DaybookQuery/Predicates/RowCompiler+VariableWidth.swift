import DaybookRecords

extension RowCompiler {
    /// A predicate on the stored bytes of a variable-width field; nil if the value must be decoded.
    func variableTest(_ place: FieldPlace, _ test: ColumnTest) -> RowPredicate? {
        if case .isNull = test {
            return place.property.shape.isOptional ? NullTest(place) : RowPredicate()
        }
        guard place.conversion == .none else { return nil }
        switch place.stored {
        case .string, .bytes, .uuid, .json, .list, .set, .map: break
        // Decimals compare by value.
        default: return nil
        }
        let field = VariableField(
            place, isTrueOfNull: ColumnMatcher(test).isTrue(of: place.property.missingValue))
        switch test {
        case .isNull: return nil
        case .equal(let value): return value.plainBytes.map { BytesEqualTest(field, $0) }
        case .oneOf(let values):
            let wanted = values.compactMap(\.plainBytes)
            return wanted.count == values.count ? BytesSetTest(field, wanted) : nil
        case .range(let lower, let upper):
            return BytesRange(lower, upper).map { BytesRangeTest(field, $0) }
        case .foldedEqual(let texts, let options):
            return FoldedTest(field, options, .oneOf(Set(texts.map { Array($0.utf8) })))
        case .foldedRange(let lower, let upper, let options):
            return BytesRange(lower, upper).map { FoldedTest(field, options, .range($0)) }
        case .text(let test, let pattern, let options):
            if options.isEmpty, test == .hasPrefix {
                return PrefixTest(field, Array(pattern.utf8))
            }
            let matcher = TextMatcher(test, folded: pattern)
            return options.isEmpty
                ? TextTestOfRow(field, matcher) : FoldedTest(field, options, .matching(matcher))
        }
    }
}
