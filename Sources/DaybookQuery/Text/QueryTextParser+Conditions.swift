import DaybookBytes
import DaybookRecords

extension QueryTextParser {
    mutating func condition(_ scope: QueryTextScope) throws(DaybookError) -> QueryCondition {
        var parts = [try conjunction(scope)]
        while take("or") || take(.either) { parts.append(try conjunction(scope)) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func conjunction(
        _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        var parts = [try negation(scope)]
        while take("and") || take(.both) { parts.append(try negation(scope)) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func negation(
        _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        if take("not") || take(.no) {
            return try deeper { parser throws(DaybookError) in .not(try parser.negation(scope)) }
        }
        if take(.open) { return try block(scope) }
        return try predicate(scope)
    }

    /// Reads a condition and its closing parenthesis.
    private mutating func block(_ scope: QueryTextScope) throws(DaybookError) -> QueryCondition {
        let condition = try deeper { parser throws(DaybookError) in try parser.condition(scope) }
        guard take(.close) else {
            throw expected("'and', 'or' or ')'", keywords: ["and", "or"])
        }
        return condition
    }

    private mutating func predicate(
        _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        let quantifierRange = token.range
        var quantifier: QueryQuantifier?
        if case .word(let word) = token.kind,
            let found = QueryQuantifier(rawValue: word.lowercased())
        {
            quantifier = found
            advance()
        }
        let left = try operand(scope)
        guard case .path(let path) = left.content else {
            guard quantifier == nil else {
                throw problem(
                    "\(shown(quantifierRange)) must be followed by a relation or a collection.",
                    at: left.range)
            }
            let condition = try test(left, nil, scope)
            return try checked(condition, scope, from: left.range.lowerBound)
        }
        return try deeper(path.depth) { parser throws(DaybookError) in
            if parser.take(.open) { return try parser.block(path, quantifier, scope) }
            let condition = try parser.test(left, quantifier, scope)
            return try parser.checked(condition, scope, from: quantifierRange.lowerBound)
        }
    }

    /// Returns the condition if its values and operators fit the types of the properties. Throws
    /// `.invalidArgument` otherwise.
    private func checked(
        _ condition: QueryCondition, _ scope: QueryTextScope, from start: Int
    ) throws(DaybookError) -> QueryCondition {
        // Conditions on elements are checked together with their collection.
        guard case .object(let entity) = scope else { return condition }
        do {
            let resolver = ConditionResolver(model)
            let split = try SplitCondition(condition)
            _ = try resolver.resolve(split.rest, of: entity)
            if let search = split.search {
                _ = try QueryRunner.resolve(search, of: entity, resolver)
            }
            return condition
        } catch {
            throw problem(error.message, at: start..<endOfLast)
        }
    }

    /// Reads a condition in parentheses on the objects or values at the end of a path. The opening
    /// parenthesis is consumed already.
    private mutating func block(
        _ path: QueryTextPath, _ quantifier: QueryQuantifier?, _ outer: QueryTextScope
    ) throws(DaybookError) -> QueryCondition {
        let scope: QueryTextScope
        var isOfValues = false
        switch path.end {
        case .one(let target), .many(let target): scope = .object(target)
        case .collection(_, let element, _):
            scope = .element(element)
            isOfValues = true
        case .property, .id, .entry:
            throw problem(
                "\(shown(path.range)) is one value, and a block applies to the objects of a"
                    + " relation or the values of a collection; write a comparison instead.",
                at: path.range)
        }
        var path = path
        path.hopToEnd()
        let condition = path.condition(quantifier ?? .any, try block(scope))
        return isOfValues
            ? try checked(condition, outer, from: path.range.lowerBound) : condition
    }

    /// Calls `make` with the expression of an operand and its type, and applies the quantifier to
    /// the condition that it returns.
    ///
    /// - Parameter isWhole: whether the condition is about a collection itself rather than its
    ///   values.
    func apply(
        to operand: QueryTextOperand, _ quantifier: QueryQuantifier?, isWhole: Bool = false,
        _ make: (QueryExpression, FieldType?) throws(DaybookError) -> QueryCondition
    ) throws(DaybookError) -> QueryCondition {
        switch operand.content {
        case .literal(let literal):
            let value = try value(literal, with: nil, at: operand.range)
            return try make(.value(value), nil)
        case .expression(let expression, let type): return try make(expression, type)
        case .path(var path):
            var element: FieldType?
            switch path.end {
            case .collection(_, let type, _):
                if !isWhole || quantifier != nil {
                    element = type
                    path.hopToEnd()
                }
            case .many: path.hopToEnd()
            case .property, .id, .one, .entry: break
            }
            if quantifier != nil, path.hops.isEmpty {
                guard path.hopToLastRelation() else {
                    throw problem(
                        "'any', 'all' and 'none' apply to the objects of a relation or the values"
                            + " of a collection, and \(shown(path.range)) is one value.",
                        at: path.range)
                }
            }
            if let element {
                return path.condition(quantifier ?? .any, try make(.element, element))
            }
            let (expression, type) = path.expression
            return path.condition(quantifier ?? .any, try make(expression, type))
        }
    }
}
