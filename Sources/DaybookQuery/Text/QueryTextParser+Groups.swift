import DaybookBytes
import DaybookRecords

// Groups and their columns.
extension QueryTextParser {
    mutating func groups(_ entity: UInt32) throws(DaybookError) -> TextQuery.Groups {
        var groups = TextQuery.Groups(
            definition: GroupDefinition(by: [], values: []), keyTypes: [])
        repeat {
            let start = token.range.lowerBound
            let (expression, type) = try plainExpression(entity)
            groups.definition.keys.append(expression)
            groups.keyTypes.append(type)
            groups.keyNames.append(QueryTextSource.shown(source.scalars[start..<endOfLast]))
        } while take(.comma)
        return groups
    }

    mutating func select(
        _ groups: inout TextQuery.Groups, _ entity: UInt32
    ) throws(DaybookError) {
        var names: Set<String> = []
        repeat {
            let start = token.range.lowerBound
            let (selection, name) = try column(entity, &names)
            let term = try groupTerm(selection, &groups, at: start..<endOfLast)
            groups.columns.append(
                TextQuery.Groups.Column(name: name, term: term, type: groups.type(of: term)))
        } while take(.comma)
    }

    mutating func order(
        _ groups: inout TextQuery.Groups, _ entity: UInt32
    ) throws(DaybookError) {
        repeat {
            let term = try groupTerm(&groups, entity)
            let start = token.range.lowerBound
            var order = QueryOrder(.relevance)
            try directions(&order)
            guard !order.isCaseSensitive, !order.areNullsZero else {
                throw problem(
                    "Groups are ordered by their exact values;"
                        + " only 'desc' and 'nulls last' are allowed here.", at: start..<endOfLast)
            }
            var groupOrder = GroupOrder(term)
            groupOrder.isDescending = order.isDescending
            groupOrder.areNullsLast = order.areNullsLast
            groups.definition.orders.append(groupOrder)
        } while take(.comma)
    }

    /// Reads a key or total of groups, or the name of one.
    private mutating func groupTerm(
        _ groups: inout TextQuery.Groups, _ entity: UInt32
    ) throws(DaybookError) -> GroupTerm {
        let start = token.range.lowerBound
        if tokenAfter.kind != .sign(.open), tokenAfter.kind != .sign(.point), let name = token.name,
            let column = groups.columns.first(where: { $0.name == name })
        {
            advance()
            return column.term
        }
        let selection = try selection(entity)
        return try groupTerm(selection, &groups, at: start..<endOfLast)
    }

    /// The group term of a selection; a new total is added to the values of the groups.
    private func groupTerm(
        _ selection: QueryTextSelection, _ groups: inout TextQuery.Groups, at range: Range<Int>
    ) throws(DaybookError) -> GroupTerm {
        switch selection {
        case .value(let expression, _):
            guard let place = groups.definition.keys.firstIndex(of: expression) else {
                throw problem(
                    "\(shown(range)) is a value of each object, and these are groups: add it"
                        + " to 'group by', or write a total of it, like min(…) or sum(…).",
                    at: range)
            }
            return .key(place)
        case .total(let value, let type):
            if let place = groups.definition.values.firstIndex(of: value) { return .value(place) }
            groups.definition.values.append(value)
            groups.valueTypes.append(type)
            return .value(groups.definition.values.count - 1)
        }
    }
}

// Conditions on groups.
extension QueryTextParser {
    mutating func having(
        _ groups: inout TextQuery.Groups, _ entity: UInt32
    ) throws(DaybookError) -> GroupCondition {
        var parts: [GroupCondition] = []
        repeat { parts.append(try havingAll(&groups, entity)) } while take("or") || take(.either)
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func havingAll(
        _ groups: inout TextQuery.Groups, _ entity: UInt32
    ) throws(DaybookError) -> GroupCondition {
        var parts: [GroupCondition] = []
        repeat { parts.append(try havingOne(&groups, entity)) } while take("and") || take(.both)
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func havingOne(
        _ groups: inout TextQuery.Groups, _ entity: UInt32
    ) throws(DaybookError) -> GroupCondition {
        if take("not") || take(.no) {
            return try deeper { parser throws(DaybookError) in
                .not(try parser.havingOne(&groups, entity))
            }
        }
        if take(.open) {
            let condition = try deeper { parser throws(DaybookError) in
                try parser.having(&groups, entity)
            }
            guard take(.close) else {
                throw expected("'and', 'or' or ')'", keywords: ["and", "or"])
            }
            return condition
        }
        return try havingTest(&groups, entity)
    }

    private mutating func havingTest(
        _ groups: inout TextQuery.Groups, _ entity: UInt32
    ) throws(DaybookError) -> GroupCondition {
        let start = token.range.lowerBound
        if let literal = try literal(.object(entity)) {
            let range = start..<endOfLast
            let comparison = try havingComparison()
            let term = try groupTerm(&groups, entity)
            let value = try groupValue(literal, groups.type(of: term), at: range)
            return .compare(term, comparison.flipped, value)
        }
        let term = try groupTerm(&groups, entity)
        let type = groups.type(of: term)
        if take("is") {
            let isNegated = take("not")
            guard take("nil") || take("null") else { throw expected("'nil' after 'is'") }
            return .compare(term, isNegated ? .notEqual : .equal, .null)
        }
        let isNegated = take("not")
        var condition: GroupCondition
        if take("in") {
            try require(.open, "and the values after 'in'")
            var parts: [GroupCondition] = []
            while token.kind != .sign(.close) {
                if !parts.isEmpty { try require(.comma, "or ')' after the value") }
                parts.append(.compare(term, .equal, try groupLiteral(type)))
            }
            advance()
            condition = .or(parts)
        } else if take("between") {
            let lower = try groupLiteral(type)
            try require("and", "and the other end, like 'between 1 and 9'")
            let upper = try groupLiteral(type)
            condition = .or([
                .and([.compare(term, .greaterOrEqual, lower), .compare(term, .lessOrEqual, upper)]),
                .and([.compare(term, .greaterOrEqual, upper), .compare(term, .lessOrEqual, lower)]),
            ])
        } else {
            guard !isNegated else { throw expected("'in' or 'between' after 'not'") }
            let comparison = try havingComparison()
            condition = .compare(term, comparison, try groupLiteral(type))
        }
        if isNegated { condition = .not(condition) }
        return condition
    }

    private mutating func havingComparison() throws(DaybookError) -> QueryComparison {
        guard case .sign(let sign) = token.kind, let comparison = sign.comparison else {
            throw expected("a comparison such as '>', or 'in', 'between' or 'is'")
        }
        advance()
        return comparison
    }

    private mutating func groupLiteral(_ type: FieldType?) throws(DaybookError) -> QueryValue {
        let start = token.range.lowerBound
        guard let literal = try literal(.element(.bool)) else {
            throw expected("a literal, the only operand for totals and keys of groups")
        }
        return try groupValue(literal, type, at: start..<endOfLast)
    }

    private func groupValue(
        _ literal: QueryTextLiteral, _ type: FieldType?, at range: Range<Int>
    ) throws(DaybookError) -> QueryValue {
        let value = try value(literal, with: type, at: range)
        let family = ValueFamily(value)
        if let type, family != .null, family != ValueFamily(type) {
            throw problem(
                "Here, \(ValueFamily(type).rawValue) cannot be compared with \(family.rawValue).",
                at: range)
        }
        return value
    }
}

extension TextQuery.Groups {
    func type(of term: GroupTerm) -> FieldType? {
        switch term {
        case .key(let place): keyTypes[place]
        case .value(let place): valueTypes[place]
        }
    }

    /// If nothing is selected, selects the keys and the number of objects in each group.
    mutating func showSomething() {
        guard columns.isEmpty else { return }
        for (place, name) in keyNames.enumerated() {
            columns.append(Column(name: name, term: .key(place), type: keyTypes[place]))
        }
        let count = GroupDefinition.Value(.count)
        let place = definition.values.firstIndex(of: count) ?? definition.values.count
        if place == definition.values.count {
            definition.values.append(count)
            valueTypes.append(.uint64)
        }
        columns.append(Column(name: "count", term: .value(place), type: .uint64))
    }
}
