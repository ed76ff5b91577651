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
        case .and(let parts): return chain(parts, TrueTest.init) { JoinedTest($0, $1, isAnd: true) }
        case .or(let parts):
            return chain(parts, RowPredicate.init) { JoinedTest($0, $1, isAnd: false) }
        case .not(let inner): return NotTest(test(inner))
        case .column(let column, let columnTest): return test(column, columnTest)
        case .ids(let ids):
            let ids = Set(ids)
            return ClosureTest(cost: 1) { _, id in ids.contains(id) }
        case .idRange(let range): return ClosureTest(cost: 1) { _, id in range.contains(id) }
        case .linked(let relation, let inner): return LinkedTest(relation, inner, access)
        case .elements(let column, let ofKeys, let inner):
            return elements(column, ofKeys: ofKeys, inner)
        case .words(let column, let words):
            let search = WordSearch(words)
            return text(in: column) { search.areAll(in: $0) }
        case .phrase(let column, let words):
            let search = WordSearch(words)
            return text(in: column) { search.isPhrase(in: $0) }
        case .compare(let one, let comparison, let other, let options):
            let test = compare(reader(one), ValueComparison(comparison, options), reader(other))
            return integerPair(one, comparison, other, test) ?? test
        case .oneOf(let one, let values, let options):
            return test(reader(one)) { value in
                let value = value.folded(options)
                return values.contains { value.isEqual(to: $0) }
            }
        case .range(let one, let lower, let upper):
            let range = ValueRange(lower, upper)
            return test(reader(one)) { range.contains($0) }
        case .text(let one, let test, let other, let options):
            return text(one, test, other, options)
        case .isNull(let one): return test(reader(one)) { $0.isNull }
        case .behind(let place, let orders): return behind(place, orders)
        }
    }

    /// A test of a decoded value.
    private func test(
        _ reader: @escaping OperandReader, _ isMet: @escaping (QueryValue) -> Bool
    ) -> RowPredicate {
        ClosureTest(cost: 100) { (row, id) throws(DaybookError) in isMet(try reader(row, id)) }
    }

    /// Whether the object comes after a place in an order.
    private func behind(_ place: QueryPlace, _ orders: [BoundOrder]) -> RowPredicate {
        let keys = OrderKeys(orders, access)
        let layoutID = layout.layout.layoutID
        return ClosureTest(cost: 200) { (row, id) throws(DaybookError) in
            var key: [UInt8] = []
            try keys.append(row.bytes, layout: layoutID, id: id, to: &key)
            return place.isBefore(key, id)
        }
    }

    /// A comparison of two decoded values.
    private func compare(
        _ one: @escaping OperandReader, _ comparison: ValueComparison,
        _ other: @escaping OperandReader
    ) -> RowPredicate {
        ClosureTest(cost: 150) { (row, id) throws(DaybookError) in
            comparison.isTrue(of: try one(row, id), try other(row, id))
        }
    }

    /// A search in a string. A string of the row itself is not copied.
    private func text(
        in column: QueryColumn, _ isMet: @escaping (Span<UInt8>) -> Bool
    ) -> RowPredicate {
        if column.isPlain, let place = FieldPlace(column.property, in: layout),
            place.stored == .string
        {
            return ClosureTest(cost: 2_000) { (row, _) throws(DaybookError) in
                row.isNull(place.field)
                    ? false : isMet(try row.variable(place.place))
            }
        }
        let reader = reader(.column(column))
        return ClosureTest(cost: 2_000) { (row, id) throws(DaybookError) in
            guard let text = try reader(row, id).asText else { return false }
            return text.withUTF8Span { isMet($0) }
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
            return EmbeddedField(column, in: layout, access).test(test)
        }
        let matcher = ColumnMatcher(test)
        guard let place = FieldPlace(column.property, in: layout) else {
            return matcher.isTrue(of: column.property.missingValue) ? TrueTest() : RowPredicate()
        }
        if case .isNull = test {
            return place.property.shape.isOptional ? NullTest(place) : RowPredicate()
        }
        return fixedTest(place, test) ?? variableTest(place, test)
            ?? self.test(place.reader()) { matcher.isTrue(of: $0) }
    }

    /// Whether any element of a collection, or any key of a map, matches a condition.
    private func elements(
        _ column: QueryColumn, ofKeys: Bool, _ inner: BoundCondition
    ) -> RowPredicate {
        let reader = stored(column)
        let isMap = column.type == .map
        let judge = ElementJudge(inner, column.property, ofKeys: ofKeys, access)
        return ClosureTest(cost: 1_000) { (row, id) throws(DaybookError) in
            guard case .stored(let bytes) = try reader(row, id) else { return false }
            return try judge.isTrueOfAny(bytes.span, isMap: isMap)
        }
    }

    /// Reads a collection without converting its elements to the declared type.
    private func stored(_ column: QueryColumn) -> OperandReader {
        guard column.isPlain else { return reader(.column(column)) }
        return reader(column, asStored: true)
    }

    private func text(
        _ one: BoundExpression, _ test: TextTest, _ other: BoundExpression, _ options: StringOptions
    ) -> RowPredicate {
        guard case .value(let pattern) = other else {
            return textPair(reader(one), test, reader(other), options)
        }
        guard let pattern = pattern.asText else { return RowPredicate() }
        let matcher = TextMatcher(test, pattern, options)
        return self.test(reader(one)) { value in
            guard let text = value.folded(options).asText else { return false }
            return text.withUTF8Span { matcher.isTrue(of: $0) }
        }
    }

    /// A test of a string with a pattern from the same row.
    private func textPair(
        _ one: @escaping OperandReader, _ test: TextTest, _ pattern: @escaping OperandReader,
        _ options: StringOptions
    ) -> RowPredicate {
        ClosureTest(cost: 500) { (row, id) throws(DaybookError) in
            guard let text = try one(row, id).folded(options).asText,
                let pattern = try pattern(row, id).asText
            else { return false }
            // Patterns in rows may also be too expensive to match.
            if test == .like { try LikePattern.checkLength(pattern) }
            let matcher = TextMatcher(test, pattern, options)
            return text.withUTF8Span { matcher.isTrue(of: $0) }
        }
    }

    func reader(_ expression: BoundExpression) -> OperandReader {
        switch expression {
        case .value(let value): return { _, _ in value }
        case .id: return { _, id in .integer(Int128(id)) }
        case .column(let column):
            guard column.isPlain else { return EmbeddedField(column, in: layout, access).reader() }
            return reader(column)
        case .entry(let column, let key):
            return column.property.reader(of: key, in: stored(column))
        case .linked(let relation, let inner): return LinkedRows(relation, access).reader(inner)
        case .aggregate(let aggregate, let column):
            return column.property.reader(of: aggregate, in: stored(column))
        case .relationAggregate(let aggregate, let relation, let inner):
            return LinkedRows(relation, access).reader(of: aggregate, inner)
        case .function(let function, let arguments):
            return function.reader(of: arguments.map(reader), expression.type)
        }
    }

    /// Reads a property of the row itself.
    private func reader(_ column: QueryColumn, asStored: Bool = false) -> OperandReader {
        guard let place = FieldPlace(column.property, in: layout) else {
            let missing = column.property.missingValue
            return { _, _ in missing }
        }
        return place.reader(asStored: asStored)
    }
}
