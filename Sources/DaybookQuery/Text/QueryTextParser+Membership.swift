import DaybookBytes
import DaybookRecords

// Membership of a value in a list, a range or a collection.
extension QueryTextParser {
    mutating func membership(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, isNegated: Bool,
        _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        let options = try options()
        if take(.open) {
            var values: [(QueryTextLiteral, Range<Int>)] = []
            if !take(.close) {
                values = try list { parser throws(DaybookError) in try parser.constant(scope) }
                try require(.close, "or a comma after the value")
            }
            return try apply(to: left, quantifier) { expression, type throws(DaybookError) in
                var list: [QueryValue] = []
                for (literal, range) in values {
                    list.append(try value(literal, with: type, at: range))
                }
                return QueryCondition.oneOf(expression, list, options).negated(if: isNegated)
            }
        }
        let right = try operand(scope)
        if case .path(let path) = right.content, case .collection = path.end {
            return try contains(right, left, nil, isNegated: isNegated, options)
        }
        guard case .literal(let first) = right.content, options.isEmpty else {
            throw problem(
                "Expected values like (1, 2, 3), a range like 1...9, or a collection.",
                at: right.range)
        }
        let isThrough = token.kind == .sign(.rangeThrough)
        if isThrough || token.kind == .sign(.rangeUpTo) {
            advance()
            return try range(
                left, quantifier, from: (first, right.range), to: try constant(scope),
                isThrough: isThrough, isOrdered: true, isNegated: isNegated)
        }
        guard case .moment(let moment) = first else {
            throw expected("'...' or '..<' and the end of the range")
        }
        // The whole range of the date, for example a day.
        return try apply(to: left, quantifier) { expression, _ in
            QueryCondition.range(
                expression, lower: QueryBound(.moment(moment.lowerBound), isInclusive: true),
                upper: QueryBound(.moment(moment.upperBound + 1), isInclusive: false)
            ).negated(if: isNegated)
        }
    }

    mutating func constant(
        _ scope: QueryTextScope
    ) throws(DaybookError) -> (QueryTextLiteral, Range<Int>) {
        let start = token.range.lowerBound
        guard let literal = try literal(scope) else {
            throw expected("a literal like 5, \"text\" or @2026-01-31")
        }
        return (literal, start..<endOfLast)
    }

    mutating func between(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, isNegated: Bool,
        _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        let first = try constant(scope)
        try require("and", "and the other end, like 'between 1 and 9'")
        return try range(
            left, quantifier, from: first, to: try constant(scope), isThrough: true,
            isOrdered: false, isNegated: isNegated)
    }

    /// - Parameter isOrdered: whether the first bound must not be greater than the second.
    private func range(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?,
        from first: (QueryTextLiteral, Range<Int>), to last: (QueryTextLiteral, Range<Int>),
        isThrough: Bool, isOrdered: Bool, isNegated: Bool
    ) throws(DaybookError) -> QueryCondition {
        for (literal, range) in [first, last] where literal == .null {
            throw problem("A range has two ends; use '<' or '>' for a single bound.", at: range)
        }
        return try apply(to: left, quantifier) { expression, type throws(DaybookError) in
            let lower = try value(first.0, with: type, at: first.1)
            let upper = try value(last.0, with: type, at: last.1)
            guard !isOrdered || !lower.isGreater(than: upper) else {
                throw problem(
                    "The range ends before it begins; swap its ends, or write 'between … and"
                        + " …', which accepts any order.",
                    at: first.1.lowerBound..<last.1.upperBound)
            }
            return QueryCondition.range(
                expression, lower: QueryBound(lower, isInclusive: true),
                upper: QueryBound(upper, isInclusive: isThrough)
            ).negated(if: isNegated)
        }
    }

    /// Whether a collection contains a value.
    func contains(
        _ collection: QueryTextOperand, _ value: QueryTextOperand, _ quantifier: QueryQuantifier?,
        isNegated: Bool, _ options: StringOptions
    ) throws(DaybookError) -> QueryCondition {
        guard quantifier == nil else {
            throw problem(
                "'contains' applies to the whole collection: remove 'any', 'all' or 'none', or"
                    + " test each value with '=='.", at: collection.range)
        }
        return try apply(to: collection, nil) { expression, type throws(DaybookError) in
            let other = try rightSide(value, with: type, isInside: true)
            return .compare(expression, .equal, other, options)
        }.negated(if: isNegated)
    }
}
