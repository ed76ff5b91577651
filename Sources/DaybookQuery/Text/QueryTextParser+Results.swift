import DaybookBytes
import DaybookRecords

/// A selected value: of each object, or of all objects together.
enum QueryTextSelection {
    case value(QueryExpression, FieldType?)
    case total(GroupDefinition.Value, FieldType?)
}

// The order and the columns of a result.
extension QueryTextParser {
    mutating func order(_ entity: UInt32) throws(DaybookError) -> QueryOrder {
        var order: QueryOrder
        if token.isWord("relevance"), model.entities[entity]?.members["relevance"] == nil {
            advance()
            order = QueryOrder(.relevance)
        } else {
            order = QueryOrder(.expression(try plainExpression(entity).0))
        }
        try directions(&order)
        return order
    }

    /// Reads the options of a sort key.
    mutating func directions(_ order: inout QueryOrder) throws(DaybookError) {
        while case .word(let word) = token.kind {
            switch word.lowercased() {
            case "asc", "ascending": order.isDescending = false
            case "desc", "descending": order.isDescending = true
            case "case":
                advance()
                guard token.isWord("sensitive") else { throw expected("'sensitive'") }
                order.isCaseSensitive = true
            case "nulls":
                advance()
                guard ["first", "last", "zero"].contains(where: token.isWord) else {
                    throw expected("'first', 'last' or 'zero' after 'nulls'")
                }
                order.areNullsLast = token.isWord("last")
                order.areNullsZero = token.isWord("zero")
            default: return
            }
            advance()
        }
    }

    /// Reads the selected columns or totals.
    mutating func select(_ entity: UInt32) throws(DaybookError) -> TextQuery.Output {
        var columns: [TextQuery.Column] = []
        var totals: [TextQuery.Total] = []
        var names: Set<String> = []
        repeat {
            let start = token.range.lowerBound
            let (selection, name) = try column(entity, &names)
            switch selection {
            case .value(let expression, let type):
                columns.append(TextQuery.Column(name: name, expression: expression, type: type))
            case .total(let value, let type):
                totals.append(TextQuery.Total(name: name, value: value, type: type))
            }
            guard columns.isEmpty || totals.isEmpty else {
                throw problem(
                    "The selection mixes values of each object with totals of all objects; write"
                        + " 'group by' with the former before 'select'.", at: start..<endOfLast)
            }
        } while take(.comma)
        return totals.isEmpty ? .columns(columns) : .totals(totals)
    }

    /// Reads a selection and its name: its source text, or the name after `as`. Throws
    /// `.invalidArgument` if the name is in use already.
    mutating func column(
        _ entity: UInt32, _ names: inout Set<String>
    ) throws(DaybookError) -> (QueryTextSelection, String) {
        let start = token.range.lowerBound
        let selection = try selection(entity)
        var name = QueryTextSource.shown(source.scalars[start..<endOfLast])
        if take("as") {
            guard let given = token.name else { throw expected("a name after 'as'") }
            advance()
            name = given
        }
        guard names.insert(name).inserted else {
            throw problem(
                "The result has this name already; write another one with 'as'.",
                at: start..<endOfLast)
        }
        return (selection, name)
    }

    /// Reads a value of an object, or a total of several objects.
    mutating func selection(_ entity: UInt32) throws(DaybookError) -> QueryTextSelection {
        let start = token.range.lowerBound
        guard let aggregate = nextAggregate else {
            let isProperty = model.entities[entity]?.members["count"] != nil
            if token.isWord("count"), !isProperty {
                advance()
                return .total(GroupDefinition.Value(.count), .uint64)
            }
            let (expression, type) = try plainExpression(entity)
            return .value(expression, type)
        }
        guard let inner = try totalled(entity) else {
            let (expression, type) = try plainExpression(entity)
            return .value(expression, type)
        }
        do {
            let bound = try ConditionResolver(model).resolve(inner.0, of: entity)
            _ = try bound.sumKind(for: aggregate, model)
        } catch {
            throw problem(error.message, at: start..<endOfLast)
        }
        return .total(
            GroupDefinition.Value(aggregate, of: inner.0),
            inner.1.map { Self.type(of: aggregate, $0) })
    }

    /// Reads the rest of an aggregate over a single value of each object, and returns that value.
    /// Returns nil, without consuming tokens, if the aggregate is over several values of an object.
    private mutating func totalled(
        _ entity: UInt32
    ) throws(DaybookError) -> (QueryExpression, FieldType?)? {
        var parser = self
        parser.advance()
        parser.advance()
        let inner: (QueryExpression, FieldType?)
        if parser.nextAggregate != nil {
            inner = try parser.plainExpression(entity)
        } else {
            guard parser.beginsPath else { return nil }
            let path = try parser.path(entity)
            guard path.hops.isEmpty else { return nil }
            switch path.end {
            case .property, .id, .one, .entry: inner = path.expression
            case .many, .collection: return nil
            }
        }
        try parser.require(.close, "after the operand of the total")
        self = parser
        return inner
    }
}
