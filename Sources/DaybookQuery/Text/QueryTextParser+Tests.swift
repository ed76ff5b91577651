import DaybookBytes
import DaybookIndex

extension QueryTextParser {
    private static let textTests: [String: TextTest] = [
        "hasprefix": .hasPrefix, "startswith": .hasPrefix, "beginswith": .hasPrefix,
        "hassuffix": .hasSuffix, "endswith": .hasSuffix, "contains": .contains, "like": .like,
    ]
    private static let tests = [
        "in", "not", "between", "is", "hasPrefix", "startsWith", "beginsWith", "hasSuffix",
        "endsWith", "contains", "like", "matches", "near",
    ]
    /// What comes behind a condition.
    private static let followers: Set<String> = [
        "and", "or", "order", "limit", "offset", "distinct", "select", "group", "having",
    ]

    /// Reads what is asked of an operand.
    mutating func test(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        if case .sign(let sign) = token.kind, let comparison = sign.comparison {
            advance()
            return try compare(left, quantifier, comparison, scope)
        }
        if take("is") {
            let isNegated = take("not")
            guard take("nil") || take("null") else { throw expected("'nil' behind 'is'") }
            return try isNull(left, quantifier, isNegated: isNegated)
        }
        guard case .word(let word) = token.kind, !Self.followers.contains(word.lowercased()) else {
            return try bare(left, quantifier)
        }
        let isNegated = take("not")
        guard case .word(let keyword) = token.kind else {
            throw expected("a test such as 'in' behind 'not'", keywords: Self.tests)
        }
        let test = keyword.lowercased()
        if let textTest = Self.textTests[test] {
            advance()
            return try text(left, quantifier, textTest, isNegated: isNegated, scope)
        }
        switch test {
        case "in":
            advance()
            return try membership(left, quantifier, isNegated: isNegated, scope)
        case "between":
            advance()
            return try between(left, quantifier, isNegated: isNegated, scope)
        case "matches":
            advance()
            return try matches(left, quantifier, isNegated: isNegated)
        case "near":
            advance()
            return try near(left, quantifier, isNegated: isNegated, scope)
        default:
            throw expected(
                "a comparison such as '==' or 'in' behind \(shown(left.range))",
                keywords: Self.tests + (isNegated ? [] : ["and", "or", "where"]))
        }
    }

    /// An operand without a test: a truth value is one by itself, and `any items` asks whether
    /// there are some.
    private func bare(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?
    ) throws(DaybookError) -> QueryCondition {
        switch left.content {
        case .literal(.bool(let value)): return .always(value)
        case .path(var path):
            if case .property(.bool) = path.end {
                return try apply(to: left, quantifier) { expression, _ in
                    .compare(expression, .equal, .value(.bool(true)), [])
                }
            }
            guard let quantifier, quantifier != .all else { break }
            switch path.end {
            case .one, .many, .collection:
                path.hopToEnd()
                return path.condition(quantifier, .always(true))
            case .property, .id, .entry: break
            }
        case .literal, .expression: break
        }
        throw expected("a comparison such as '==' or 'in' behind \(shown(left.range))")
    }

    /// `[c]`, `[d]` or `[cd]`.
    private mutating func options() throws(DaybookError) -> TextOptions {
        guard token.kind == .sign(.openBracket) else { return [] }
        advance()
        var options: TextOptions = []
        guard case .word(let letters) = token.kind, letters.utf8.count <= 2 else {
            throw expected("'c' for case, 'd' for marks, or 'cd'")
        }
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            default: throw expected("'c' for case, 'd' for marks, or 'cd'")
            }
        }
        advance()
        try require(.closeBracket, "behind the option")
        return options
    }

    /// Whether the right side of a test can be seen from where the left side leads to.
    private func rightSide(
        _ right: QueryTextOperand, with type: FieldType?, isInside: Bool
    ) throws(DaybookError) -> QueryExpression {
        switch right.content {
        case .literal(let literal):
            return .value(try value(literal, with: type, at: right.range))
        case .expression(let expression, _):
            if expression == .element || !isInside { return expression }
        case .path(let path):
            let found = try single(path)
            if !isInside { return found.0 }
        }
        throw problem(
            "The objects or values of the other side do not have \(shown(right.range)); compare"
                + " with a literal, or write a block, like any items (price > cost).",
            at: right.range)
    }

    /// Whether what is said of an operand is said of other objects than the one at hand.
    private func leadsElsewhere(
        _ operand: QueryTextOperand, _ quantifier: QueryQuantifier?
    ) -> Bool {
        guard case .path(let path) = operand.content else { return false }
        switch path.end {
        case .many, .collection: return true
        case .property, .id, .one, .entry: return quantifier != nil || !path.hops.isEmpty
        }
    }

    private mutating func compare(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, _ comparison: QueryComparison,
        _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        let options = try options()
        let right = try operand(scope)
        if case .literal(.null) = right.content, comparison == .equal || comparison == .notEqual {
            return try isNull(left, quantifier, isNegated: comparison == .notEqual)
        }
        if left.isLiteral, !right.isLiteral {
            if case .literal(.null) = left.content, comparison == .equal || comparison == .notEqual
            {
                return try isNull(right, nil, isNegated: comparison == .notEqual)
            }
            return try compare(right, left, nil, comparison.flipped, options)
        }
        return try compare(left, right, quantifier, comparison, options)
    }

    private func compare(
        _ left: QueryTextOperand, _ right: QueryTextOperand, _ quantifier: QueryQuantifier?,
        _ comparison: QueryComparison, _ options: TextOptions
    ) throws(DaybookError) -> QueryCondition {
        let isInside = leadsElsewhere(left, quantifier)
        return try apply(to: left, quantifier) { expression, type throws(DaybookError) in
            let other = try rightSide(right, with: type, isInside: isInside)
            return .compare(expression, comparison, other, options)
        }
    }

    private func isNull(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, isNegated: Bool
    ) throws(DaybookError) -> QueryCondition {
        if case .path(let path) = left.content, case .many = path.end {
            throw problem(
                "\(shown(path.range)) leads to many objects and is never nil; write 'none"
                    + " \(path.steps.joined(separator: "."))' to ask for those without any.",
                at: path.range)
        }
        return try apply(to: left, quantifier, isWhole: true) { expression, _ in
            .isNull(expression).negated(if: isNegated)
        }
    }

    private mutating func text(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, _ test: TextTest,
        isNegated: Bool, _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        let options = try options()
        let right = try operand(scope)
        if test == .contains, case .path(let path) = left.content, case .collection = path.end {
            return try self.contains(left, right, quantifier, isNegated: isNegated, options)
        }
        let isInside = leadsElsewhere(left, quantifier)
        return try apply(to: left, quantifier) { expression, type throws(DaybookError) in
            let other = try rightSide(right, with: .string, isInside: isInside)
            return QueryCondition.text(expression, test, other, options).negated(if: isNegated)
        }
    }

    /// Whether a collection has a value.
    private func contains(
        _ collection: QueryTextOperand, _ value: QueryTextOperand, _ quantifier: QueryQuantifier?,
        isNegated: Bool, _ options: TextOptions
    ) throws(DaybookError) -> QueryCondition {
        guard quantifier == nil else {
            throw problem(
                "A collection contains a value or not: leave the 'any', 'all' or 'none' out, or"
                    + " ask about each value with '=='.", at: collection.range)
        }
        return try apply(to: collection, nil) { expression, type throws(DaybookError) in
            let other = try rightSide(value, with: type, isInside: true)
            return .compare(expression, .equal, other, options)
        }.negated(if: isNegated)
    }

    private mutating func membership(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, isNegated: Bool,
        _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        let options = try options()
        if take(.open) {
            var values: [(QueryTextLiteral, Range<Int>)] = []
            if !take(.close) {
                values = try list { parser throws(DaybookError) in try parser.constant(scope) }
                try require(.close, "or a comma behind the value")
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
        // All that the date leaves open: a whole day, for one.
        return try apply(to: left, quantifier) { expression, _ in
            QueryCondition.range(
                expression, lower: QueryBound(.moment(moment.lowerBound), isInclusive: true),
                upper: QueryBound(.moment(moment.upperBound + 1), isInclusive: false)
            ).negated(if: isNegated)
        }
    }

    private mutating func constant(
        _ scope: QueryTextScope
    ) throws(DaybookError) -> (QueryTextLiteral, Range<Int>) {
        let start = token.range.lowerBound
        guard let literal = try literal(scope) else {
            throw expected("a literal like 5, \"text\" or @2026-01-31")
        }
        return (literal, start..<endOfLast)
    }

    private mutating func between(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, isNegated: Bool,
        _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        let first = try constant(scope)
        try require("and", "and the other end, like 'between 1 and 9'")
        return try range(
            left, quantifier, from: first, to: try constant(scope), isThrough: true,
            isOrdered: false, isNegated: isNegated)
    }

    /// - Parameter isOrdered: whether the first end has to be the lower one.
    private func range(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?,
        from first: (QueryTextLiteral, Range<Int>), to last: (QueryTextLiteral, Range<Int>),
        isThrough: Bool, isOrdered: Bool, isNegated: Bool
    ) throws(DaybookError) -> QueryCondition {
        for (literal, range) in [first, last] where literal == .null {
            throw problem("A range has two ends; write '<' or '>' where there is one.", at: range)
        }
        return try apply(to: left, quantifier) { expression, type throws(DaybookError) in
            let lower = try value(first.0, with: type, at: first.1)
            let upper = try value(last.0, with: type, at: last.1)
            guard !isOrdered || !lower.isGreater(than: upper) else {
                throw problem(
                    "The range ends before it begins; exchange its ends, or write 'between … and"
                        + " …', which takes them in any order.",
                    at: first.1.lowerBound..<last.1.upperBound)
            }
            return QueryCondition.range(
                expression, lower: QueryBound(lower, isInclusive: true),
                upper: QueryBound(upper, isInclusive: isThrough)
            ).negated(if: isNegated)
        }
    }

    private mutating func matches(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, isNegated: Bool
    ) throws(DaybookError) -> QueryCondition {
        guard case .text(let words) = token.kind else {
            throw expected("words in quotation marks, like matches \"big sma*\"")
        }
        advance()
        return try apply(to: left, quantifier) { expression, _ throws(DaybookError) in
            guard case .property(let path) = expression else {
                throw problem("Only a property that is a text can match words.", at: left.range)
            }
            return QueryCondition.matches(path, words).negated(if: isNegated)
        }
    }

    private mutating func near(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, isNegated: Bool,
        _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        let center = try double(scope)
        try require("within", "and how far, like 'near 1.5 within 0.01'")
        let tolerance = try double(scope)
        return try apply(to: left, quantifier) { expression, _ in
            QueryCondition.near(expression, center, tolerance: tolerance).negated(if: isNegated)
        }
    }

    private mutating func double(_ scope: QueryTextScope) throws(DaybookError) -> Double {
        let (literal, range) = try constant(scope)
        guard literal.isNumber,
            case .number(let number) = try value(literal, with: .double, at: range)
        else { throw problem("Expected a number.", at: range) }
        return number
    }
}

extension QueryCondition {
    func negated(if isNegated: Bool) -> QueryCondition { isNegated ? .not(self) : self }
}
