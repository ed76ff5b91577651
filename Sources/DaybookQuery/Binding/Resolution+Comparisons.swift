import DaybookBytes
import DaybookRecords

// Resolves comparisons, and converts the values to the types of the properties.
extension Resolution {
    func compare(
        _ one: ResolvedExpression, _ comparison: QueryComparison, _ other: ResolvedExpression,
        _ options: StringOptions
    ) throws(DaybookError) -> BoundCondition {
        try Self.check(one, comparison, other, options)
        if comparison == .notEqual {
            return .negation(try compare(one, .equal, other, options))
        }
        if let value = other.constant {
            guard one.constant == nil else {
                let test = ValueComparison(comparison, options)
                return .always(test.isTrue(of: one.constant ?? .null, value))
            }
            return try compare(one, comparison, value, options)
        }
        if let value = one.constant {
            return try compare(other, comparison.flipped, value, options)
        }
        return .compare(try Self.single(one), comparison, try Self.single(other), options)
    }

    private static func check(
        _ one: ResolvedExpression, _ comparison: QueryComparison, _ other: ResolvedExpression,
        _ options: StringOptions
    ) throws(DaybookError) {
        let isEquality = comparison == .equal || comparison == .notEqual
        for side in [one, other] {
            guard side.family != .embedded || one.family == .null || other.family == .null else {
                throw wrongOperator(
                    side, "such values cannot be compared as a whole", "Compare its properties.")
            }
            guard isEquality || side.family.isOrdered else {
                throw wrongOperator(
                    side, "has no '\(comparison.rawValue)'", "Use == or conditions on elements.")
            }
            guard isEquality || !side.isObjects else {
                throw wrongOperator(
                    side, "has no '\(comparison.rawValue)'", "Compare the ids of its objects.")
            }
        }
        guard one.family == other.family || one.family == .null || other.family == .null else {
            // The remedy must be about the constant.
            throw one.constant == nil ? wrongFamily(one, other) : wrongFamily(other, one)
        }
        try check(options, one.family == .null ? other : one)
    }

    static func check(
        _ options: StringOptions, _ value: ResolvedExpression
    ) throws(DaybookError) {
        guard options.isEmpty || value.family == .text || value.family == .null else {
            throw wrongOperator(
                value, "has neither case nor diacritics", "Remove the string options.")
        }
    }

    /// The expression of a value that is not to-many. Throws `.invalidArgument` for others.
    static func single(_ value: ResolvedExpression) throws(DaybookError) -> BoundExpression {
        guard !value.isToMany else {
            throw wrongOperator(
                value, "has no single value",
                "Use a condition on its objects with 'any', 'all' or 'none'.")
        }
        return value.bound
    }

    /// A comparison with a constant, other than `!=`.
    private func compare(
        _ one: ResolvedExpression, _ comparison: QueryComparison, _ value: QueryValue,
        _ options: StringOptions
    ) throws(DaybookError) -> BoundCondition {
        if case .null = value {
            return comparison == .equal ? try isNull(one) : .always(false)
        }
        if case .other(let expression) = one.form {
            let value = ValueFit(one.type).rounded(value)
            var condition = BoundCondition.compare(expression, comparison, .value(value), options)
            let bound = QueryBound(value, isInclusive: true)
            let (hasLower, hasUpper) = comparison.bounds
            if let dates = expression.dateCondition(
                hasLower ? bound : nil, hasUpper ? bound : nil)
            {
                condition = .conjunction([dates, condition])
            }
            return .through(one.relations, condition)
        }
        switch comparison {
        case .equal, .notEqual: return try oneOf(one, [value], options)
        case .less:
            return bounded(one, nil, QueryBound(value, isInclusive: false), options)
        case .lessOrEqual:
            return bounded(one, nil, QueryBound(value, isInclusive: true), options)
        case .greater:
            return bounded(one, QueryBound(value, isInclusive: false), nil, options)
        case .greaterOrEqual:
            return bounded(one, QueryBound(value, isInclusive: true), nil, options)
        }
    }

    func isNull(_ value: ResolvedExpression) throws(DaybookError) -> BoundCondition {
        guard !value.isToMany else {
            throw Self.wrongOperator(
                value, "is never nil", "Use 'count' or 'none' to test whether it has objects.")
        }
        let relations = value.relations
        switch value.form {
        case .constant(let value): return .always(value == .null)
        case .column(let column):
            let isJSON = column.type == .json && !column.property.shape.isOptional
            let isNull: BoundCondition =
                isJSON ? .column(column, .equal(.json(.null))) : .null(column)
            return relations.isEmpty
                ? isNull : .negation(.through(relations, .negation(isNull)))
        case .id: return .negation(.through(relations, .always(true)))
        case .objects(let relation):
            return .negation(.through(relations + [relation], .always(true)))
        case .other(let expression):
            return .negation(.through(relations, .not(.isNull(expression))))
        }
    }

    func oneOf(
        _ one: ResolvedExpression, _ values: [QueryValue], _ options: StringOptions
    ) throws(DaybookError) -> BoundCondition {
        try Self.check(options, one)
        var fit = ValueFit(one.type)
        if case .objects = one.form { fit = ValueFit(.uint64) }
        var hasNull = false
        var seen: Set<QueryValue> = []
        var fitted: [QueryValue] = []
        for value in values {
            if case .null = value {
                hasNull = true
                continue
            }
            try check(value, for: one)
            guard let value = fit.equal(value)?.folded(options), seen.insert(value).inserted else {
                continue
            }
            fitted.append(value)
        }
        let found = fitted.isEmpty ? .always(false) : equal(one, fitted, options)
        return hasNull ? .disjunction([try isNull(one), found]) : found
    }

    /// Throws `.invalidArgument` for a value that cannot be compared with a property.
    private func check(
        _ value: QueryValue, for one: ResolvedExpression
    ) throws(DaybookError) {
        let constant = try expression(.value(value), .entity(0), depth: 0)
        try Self.check(one, .equal, constant, [])
    }

    private func equal(
        _ one: ResolvedExpression, _ values: [QueryValue], _ options: StringOptions
    ) -> BoundCondition {
        switch one.form {
        case .constant(let value):
            let test = ValueComparison(.equal, options)
            return .always(values.contains { test.isTrue(of: value, $0) })
        case .id: return .through(one.relations, .ids(Self.ids(values)))
        case .objects(let relation):
            return .through(one.relations + [relation], .ids(Self.ids(values)))
        case .column(let column):
            let test: ColumnTest =
                if options.isEmpty {
                    values.count == 1 ? .equal(values[0]) : .oneOf(values)
                } else {
                    .foldedEqual(values.compactMap(\.asText), options)
                }
            return .through(one.relations, .column(column, test))
        case .other(let expression):
            return .through(one.relations, .oneOf(expression, values, options))
        }
    }

    private static func ids(_ values: [QueryValue]) -> [UInt64] {
        values.compactMap { value in
            if case .integer(let id) = value { UInt64(exactly: id) } else { nil }
        }.sorted()
    }

    func range(
        _ one: ResolvedExpression, _ lower: QueryBound?, _ upper: QueryBound?
    ) throws(DaybookError) -> BoundCondition {
        for bound in [lower, upper].compactMap({ $0 }) {
            let constant = try expression(.value(bound.value), .entity(0), depth: 0)
            try Self.check(one, .less, constant, [])
            if case .null = bound.value { return .always(false) }
        }
        guard lower != nil || upper != nil else { return .negation(try isNull(one)) }
        if let lower, let upper, lower.value.order(to: upper.value) == .behind {
            return bounded(one, upper, lower, [])
        }
        return bounded(one, lower, upper, [])
    }

    /// A range with at least one bound. The bounds are ordered and not null.
    private func bounded(
        _ one: ResolvedExpression, _ lower: QueryBound?, _ upper: QueryBound?,
        _ options: StringOptions
    ) -> BoundCondition {
        switch one.form {
        case .constant(let value):
            return .always(ValueRange(lower, upper).contains(value))
        case .other(let expression):
            let fit = ValueFit(one.type)
            var condition = BoundCondition.range(
                expression, lower: fit.rounded(lower), upper: fit.rounded(upper))
            if let dates = expression.dateCondition(lower, upper) {
                condition = .conjunction([dates, condition])
            }
            return .through(one.relations, condition)
        case .column(let column):
            let range = ValueFit(column.type).range(lower, upper)
            return .through(one.relations, range.condition(on: column, options))
        case .id, .objects:
            return .through(one.relations, ValueFit(.uint64).range(lower, upper).idCondition)
        }
    }

    func near(
        _ one: ResolvedExpression, _ value: Double, _ tolerance: Double
    ) throws(DaybookError) -> BoundCondition {
        guard tolerance >= 0 else {
            throw Self.invalid(
                "The tolerance \(tolerance) is not valid. Use a number that is not negative.",
                one.name)
        }
        guard let (lower, upper) = Nearness.range(of: value, tolerance: tolerance) else {
            _ = try range(one, QueryBound(.number(value), isInclusive: true), nil)
            return .always(false)
        }
        return try range(one, lower, upper)
    }
}

extension ResolvedExpression {
    fileprivate var isObjects: Bool {
        if case .objects = form { true } else { false }
    }
}

extension QueryComparison {
    /// Whether the compared values have a lower and an upper bound.
    fileprivate var bounds: (hasLower: Bool, hasUpper: Bool) {
        switch self {
        case .equal: (true, true)
        case .notEqual: (false, false)
        case .less, .lessOrEqual: (false, true)
        case .greater, .greaterOrEqual: (true, false)
        }
    }

    /// The comparison with the sides exchanged.
    var flipped: QueryComparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
