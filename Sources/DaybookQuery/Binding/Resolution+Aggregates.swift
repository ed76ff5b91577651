import DaybookBytes
import DaybookRecords

// Aggregates and map entries.
extension Resolution {
    func aggregate(
        _ aggregate: QueryAggregate, _ path: PropertyPath, _ of: PropertyPath?, _ scope: Scope,
        depth: Int
    ) throws(DaybookError) -> ResolvedExpression {
        let end =
            path.steps.isEmpty
            ? try expression(.element, scope, depth: depth)
            : try property(path, scope, depth: depth)
        if case .objects(let relation) = end.form {
            return try self.aggregate(aggregate, relation, of, end, depth: depth)
        }
        guard let collection = Self.collection(end), of == nil else {
            throw Self.wrongOperator(
                end, "has no \(aggregate.rawValue) of several values",
                "Use it with a list, set, map or relation to many.")
        }
        let element = ResolvedExpression(collection.element)
        try Self.check(aggregate, of: element, in: end)
        return Self.result(
            aggregate, .aggregate(aggregate, collection.column), of: element, at: end)
    }

    private func aggregate(
        _ aggregate: QueryAggregate, _ relation: QueryRelation, _ of: PropertyPath?,
        _ end: ResolvedExpression, depth: Int
    ) throws(DaybookError) -> ResolvedExpression {
        guard let of else {
            guard aggregate == .count else {
                throw Self.invalid(
                    "The \(aggregate.rawValue) over \(end.name) needs a property: name one of its"
                        + " objects.", end.name)
            }
            return Self.result(
                .count, .relationAggregate(.count, relation, nil), of: end, at: end)
        }
        let steps = depth + end.relations.count + 1
        let value = try property(of, .entity(relation.target), depth: steps)
        guard !value.isToMany else {
            throw Self.wrongOperator(
                value, "has no single value", "Name a property of the objects.")
        }
        try Self.check(aggregate, of: value, in: value)
        return Self.result(
            aggregate, .relationAggregate(aggregate, relation, value.bound), of: value, at: end)
    }

    private static func check(
        _ aggregate: QueryAggregate, of value: ResolvedExpression, in end: ResolvedExpression
    ) throws(DaybookError) {
        let isPossible =
            switch aggregate {
            case .count: true
            case .minimum, .maximum: value.family.isOrdered
            case .sum, .average: value.family == .number
            }
        guard isPossible else {
            throw wrongOperator(
                value, "there is no \(aggregate.rawValue) of such values in \(end.name)",
                "'count' takes any values, 'sum' and 'average' take numbers.")
        }
    }

    private static func result(
        _ aggregate: QueryAggregate, _ bound: BoundExpression, of value: ResolvedExpression,
        at end: ResolvedExpression
    ) -> ResolvedExpression {
        var result = ResolvedExpression(
            form: .other(bound), relations: end.relations, family: .number,
            label: .text("the \(aggregate.rawValue) of \(end.name)"))
        if aggregate == .minimum || aggregate == .maximum {
            result.family = value.family
            result.type = value.type
        }
        return result
    }

    /// The value for a key of a map.
    func entry(
        _ end: ResolvedExpression, _ key: String
    ) throws(DaybookError) -> ResolvedExpression {
        guard let collection = Self.collection(end), collection.column.type == .map else {
            throw Self.wrongOperator(end, "has no keys", "Use [\"key\"] with a map.")
        }
        let element = ResolvedExpression(collection.element)
        return ResolvedExpression(
            form: .other(.entry(collection.column, key: key)), relations: end.relations,
            family: element.family, type: element.type, label: .text(end.name + "[\"\(key)\"]"))
    }
}
