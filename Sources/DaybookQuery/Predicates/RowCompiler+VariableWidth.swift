import DaybookRecords

extension RowCompiler {
    /// A predicate on the stored bytes of a variable-width field; nil if the value must be decoded.
    func variableTest(_ place: FieldPlace, _ test: ColumnTest) -> RowPredicate? {
        guard place.conversion == .none else { return nil }
        switch place.stored {
        case .string, .bytes, .uuid, .list, .set, .map: break
        // Decimals and JSON compare by value.
        default: return nil
        }
        let field = VariableField(
            place, isTrueOfNull: ColumnMatcher(test).isTrue(of: place.property.missingValue))
        switch test {
        case .isNull: return nil
        case .equal(let value): return value.plainBytes.map { BytesTest(field, .equal($0)) }
        case .oneOf(let values):
            let wanted = values.compactMap(\.plainBytes)
            return wanted.count == values.count ? BytesTest(field, .anyOf(wanted)) : nil
        case .range(let lower, let upper):
            return BytesRange(lower, upper).map { BytesTest(field, .range($0)) }
        case .foldedEqual(let texts, let options):
            return BytesTest(field, .anyOf(texts.map { Array($0.utf8) }), folding: options)
        case .foldedRange(let lower, let upper, let options):
            return BytesRange(lower, upper).map {
                BytesTest(field, .range($0), folding: options)
            }
        case .text(let test, let pattern, let options):
            if options.isEmpty, test == .hasPrefix {
                return PrefixTest(field, Array(pattern.utf8))
            }
            return BytesTest(
                field, .matching(TextMatcher(test, folded: pattern)), folding: options)
        }
    }
}
