import DaybookRecords

// Joins conditions in their simplest form: no nested lists of the same kind, no inner constants, no
// double negation.
extension BoundCondition {
    package static func conjunction(_ conditions: [BoundCondition]) -> BoundCondition {
        var parts: [BoundCondition] = []
        for condition in conditions {
            switch condition {
            case .always(true): break
            case .always(false): return .always(false)
            case .and(let inner): parts += inner
            default: parts.append(condition)
            }
        }
        return parts.isEmpty ? .always(true) : parts.count == 1 ? parts[0] : .and(parts)
    }

    package static func disjunction(_ conditions: [BoundCondition]) -> BoundCondition {
        var parts: [BoundCondition] = []
        for condition in conditions {
            switch condition {
            case .always(false): break
            case .always(true): return .always(true)
            case .or(let inner): parts += inner
            default: parts.append(condition)
            }
        }
        return parts.isEmpty ? .always(false) : parts.count == 1 ? parts[0] : .or(parts)
    }

    package static func negation(_ condition: BoundCondition) -> BoundCondition {
        switch condition {
        case .always(let value): .always(!value)
        case .not(let inner): inner
        default: .not(condition)
        }
    }

    /// Whether a path of relations leads to an object that matches the condition.
    static func through(
        _ relations: [QueryRelation], _ condition: BoundCondition
    ) -> BoundCondition {
        if case .always(false) = condition { return condition }
        if relations.contains(where: { $0.relationID == nil }) { return .always(false) }
        return relations.reversed().reduce(condition) { .linked($1, $0) }
    }

    /// Whether a column is not null.
    static func notNull(_ column: QueryColumn) -> BoundCondition {
        column.isOptional ? .not(.column(column, .isNull)) : .always(true)
    }

    /// Whether a column is null.
    static func null(_ column: QueryColumn) -> BoundCondition {
        column.isOptional ? .column(column, .isNull) : .always(false)
    }
}
