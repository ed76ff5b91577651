import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Compiles conditions and expressions for rows of one layout.
struct RowCompiler {
    let access: QueryAccess
    let layout: RowLayout

    init(_ access: QueryAccess, _ layout: RowLayout) {
        self.access = access
        self.layout = layout
    }

    func test(_ condition: BoundCondition) -> RowPredicate {
        switch condition {
        case .always(let value): return value ? TrueTest() : RowPredicate()
        case .and(let parts): return chain(parts, TrueTest.init) { AndTest($0, $1) }
        case .or(let parts): return chain(parts, RowPredicate.init) { OrTest($0, $1) }
        case .not(let inner): return NotTest(test(inner))
        case .column(let column, let columnTest): return test(column, columnTest)
        case .ids(let ids): return IdTest(ids)
        case .idRange(let range): return IdRangeTest(range)
        case .linked(let relation, let inner): return LinkedTest(relation, inner, access)
        case .elements(let column, let ofKeys, let inner):
            return elements(column, ofKeys: ofKeys, inner)
        case .words(let column, let words):
            let place = column.isPlain ? FieldPlace(column.property, in: layout) : nil
            return WordsPredicate(reader(.column(column)), place, words)
        case .compare(let one, let comparison, let other, let options):
            let test = CompareTest(
                reader(one), ValueComparison(comparison, options), reader(other))
            return integerPair(one, comparison, other, test) ?? test
        case .oneOf(let one, let values, let options):
            return ValueTest(reader(one)) { value in
                let value = value.folded(options)
                return values.contains { value.isEqual(to: $0) }
            }
        case .range(let one, let lower, let upper):
            let range = ValueRange(lower, upper)
            return ValueTest(reader(one)) { range.contains($0) }
        case .text(let one, let test, let other, let options):
            return text(one, test, other, options)
        case .isNull(let one): return ValueTest(reader(one)) { $0.isNull }
        }
    }

    /// Returns nil unless both are integers of the row itself.
    private func integerPair(
        _ one: BoundExpression, _ comparison: QueryComparison, _ other: BoundExpression,
        _ general: RowPredicate
    ) -> RowPredicate? {
        guard case .column(let one) = one, case .column(let other) = other, one.isPlain,
            other.isPlain, let place = FieldPlace(one.property, in: layout),
            let otherPlace = FieldPlace(other.property, in: layout)
        else { return nil }
        return IntegerPairPredicate(place, comparison, otherPlace, general)
    }

    /// Orders the tests by cost. The order is not observable, except for which error is thrown.
    private func chain(
        _ parts: [BoundCondition], _ none: () -> RowPredicate,
        _ join: (RowPredicate, RowPredicate) -> RowPredicate
    ) -> RowPredicate {
        let tests = parts.map(test).enumerated()
            .sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
            .map(\.element)
        return tests.isEmpty ? none() : joined(tests[...], join)
    }

    /// Joins at least one test, in order, as a balanced tree: a chain of very many would overflow
    /// the stack.
    private func joined(
        _ tests: ArraySlice<RowPredicate>, _ join: (RowPredicate, RowPredicate) -> RowPredicate
    ) -> RowPredicate {
        guard tests.count > 1 else { return tests[tests.startIndex] }
        // A short list is a chain, which is evaluated fastest.
        let middle = tests.startIndex + (tests.count > 8 ? tests.count / 2 : 1)
        return join(joined(tests[..<middle], join), joined(tests[middle...], join))
    }

    private func test(_ column: QueryColumn, _ test: ColumnTest) -> RowPredicate {
        guard column.isPlain else {
            return EmbeddedTest(column, test, FieldPlace(column.path[0], in: layout), access)
        }
        let matcher = ColumnMatcher(test)
        guard let place = FieldPlace(column.property, in: layout) else {
            return matcher.isTrue(of: column.property.missingValue) ? TrueTest() : RowPredicate()
        }
        return fixedTest(place, test) ?? variableTest(place, test)
            ?? ValueTest(FieldReader(place)) { matcher.isTrue(of: $0) }
    }

    private func elements(
        _ column: QueryColumn, ofKeys: Bool, _ inner: BoundCondition
    ) -> RowPredicate {
        ElementsTest(
            stored(column), column.property, isMap: column.type == .map,
            ElementJudge(inner, column.property, ofKeys: ofKeys, access))
    }

    /// Reads a collection without converting its elements to the declared type.
    private func stored(_ column: QueryColumn) -> OperandReader {
        guard column.isPlain else { return reader(.column(column)) }
        guard let place = FieldPlace(column.property, in: layout) else {
            return ConstantReader(column.property.missingValue)
        }
        return FieldReader(place, asStored: true)
    }

    private func text(
        _ one: BoundExpression, _ test: TextTest, _ other: BoundExpression, _ options: StringOptions
    ) -> RowPredicate {
        guard case .value(let pattern) = other else {
            return TextPairTest(reader(one), test, reader(other), options)
        }
        guard let pattern = pattern.asText else { return RowPredicate() }
        let matcher = TextMatcher(test, pattern, options)
        return ValueTest(reader(one)) { value in
            value.folded(options).asText.map { matcher.isTrue(of: $0.utf8.span) } ?? false
        }
    }

    func reader(_ expression: BoundExpression) -> OperandReader {
        switch expression {
        case .value(let value): return ConstantReader(value)
        case .id: return IdReader()
        case .column(let column):
            guard column.isPlain else {
                return EmbeddedReader(column, FieldPlace(column.path[0], in: layout), access)
            }
            guard let place = FieldPlace(column.property, in: layout) else {
                return ConstantReader(column.property.missingValue)
            }
            return FieldReader(place)
        case .entry(let column, let key):
            return EntryReader(stored(column), column.property, key)
        case .linked(let relation, let inner): return LinkedReader(relation, inner, access)
        case .aggregate(let aggregate, let column):
            return CollectionReader(stored(column), column.property, aggregate)
        case .relationAggregate(let aggregate, let relation, let inner):
            return RelationReader(aggregate, relation, inner, access)
        }
    }
}
