import DaybookBytes
import DaybookRecords

extension QueryTextParser {
    private static let textTests: [String: TextTest] = [
        "hasprefix": .hasPrefix, "startswith": .hasPrefix, "beginswith": .hasPrefix,
        "hassuffix": .hasSuffix, "endswith": .hasSuffix, "contains": .contains, "like": .like,
    ]
    private static let tests = [
        "in", "not", "between", "is", "hasPrefix", "startsWith", "beginsWith", "hasSuffix",
        "endsWith", "contains", "like", "matches", "near", "nearest",
    ]
    /// The words that may follow a condition.
    private static let followers: Set<String> = [
        "and", "or", "order", "limit", "offset", "distinct", "select", "group", "having",
    ]

    /// Reads the test of an operand.
    mutating func test(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        if case .sign(let sign) = token.kind, let comparison = sign.comparison {
            advance()
            return try compare(left, quantifier, comparison, scope)
        }
        if take("is") {
            let isNegated = take("not")
            guard take("nil") || take("null") else { throw expected("'nil' after 'is'") }
            return try isNull(left, quantifier, isNegated: isNegated)
        }
        guard case .word(let word) = token.kind, !Self.followers.contains(word.lowercased()) else {
            return try bare(left, quantifier)
        }
        let isNegated = take("not")
        guard case .word(let keyword) = token.kind else {
            throw expected("a test such as 'in' after 'not'", keywords: Self.tests)
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
        case "nearest" where !isNegated:
            advance()
            return try nearest(left, quantifier, scope)
        default:
            throw expected(
                "a comparison such as '==' or 'in' after \(shown(left.range))",
                keywords: Self.tests + (isNegated ? [] : ["and", "or", "where"]))
        }
    }

    /// The condition of an operand without a test: a Boolean is a condition, and `any items` is
    /// whether there are items.
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
        throw expected("a comparison such as '==' or 'in' after \(shown(left.range))")
    }

    /// Reads `[c]`, `[d]` or `[cd]`.
    mutating func options() throws(DaybookError) -> StringOptions {
        guard token.kind == .sign(.openBracket) else { return [] }
        advance()
        var options: StringOptions = []
        guard case .word(let letters) = token.kind, letters.utf8.count <= 2 else {
            throw expected("'c' for case, 'd' for diacritics, or 'cd'")
        }
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            default: throw expected("'c' for case, 'd' for diacritics, or 'cd'")
            }
        }
        advance()
        try require(.closeBracket, "after the option")
        return options
    }

    /// The expression of the right side of a test. With `isInside`, the condition applies to
    /// objects or values that the left side leads to, so properties of the outer object are not
    /// accessible and throw `.invalidArgument`.
    func rightSide(
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

    /// Whether a condition on an operand applies to other objects or values than the current
    /// object.
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
        _ comparison: QueryComparison, _ options: StringOptions
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
                    + " \(path.steps.joined(separator: "."))' to find those without any.",
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

    private mutating func matches(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, isNegated: Bool
    ) throws(DaybookError) -> QueryCondition {
        let test = WordTest.allCases.first { take($0.rawValue) } ?? .all
        guard case .text(let words) = token.kind else {
            throw expected(
                "words in quotation marks, like matches \"big sma*\"",
                keywords: WordTest.allCases.map(\.rawValue))
        }
        advance()
        return try apply(to: left, quantifier) { expression, _ throws(DaybookError) in
            guard case .property(let path) = expression else {
                throw problem("Only a string property can match words.", at: left.range)
            }
            return QueryCondition.matches(path, words, test).negated(if: isNegated)
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

    private mutating func nearest(
        _ left: QueryTextOperand, _ quantifier: QueryQuantifier?, _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        let count = try count("nearest")
        try require("to", "and the vector, like 'nearest 10 to (0.5, 1.5)'")
        try require(.open, "and the numbers of the vector")
        let vector = try list { parser throws(DaybookError) in Float(try parser.double(scope)) }
        try require(.close, "or a comma after the number")
        return try apply(to: left, quantifier, isWhole: true) {
            expression, _ throws(DaybookError) in
            guard case .property(let path) = expression else {
                throw problem("Only a property can have nearest neighbours.", at: left.range)
            }
            return .nearest(path, vector, count: count)
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
