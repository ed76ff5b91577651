/// What the result of a query depends on.
struct QueryDependencies: Sendable {
    /// Beside the entity whose objects it finds, those of the objects that it looks at.
    private(set) var entities: Set<UInt32> = []
    /// The relations that it follows.
    private(set) var relations: Set<UInt32> = []
    /// Whether each object's row says by itself whether it is found, and where it stands: else the
    /// result is only told by running the query again.
    private(set) var isLocal = true

    init(_ query: QueryRunner) {
        // The objects left out have to be known where another of their kind leaves.
        if !query.distinct.isEmpty { isLocal = false }
        add(query.condition)
        for order in query.orders + query.distinct {
            switch order.key {
            case .expression(let expression): add(expression)
            // Measured by all that is found, and by how often all objects have a word.
            case .relevance: isLocal = false
            }
        }
    }

    private mutating func add(_ condition: BoundCondition) {
        switch condition {
        case .always, .column, .ids, .idRange, .words: break
        case .and(let parts), .or(let parts): for part in parts { add(part) }
        case .not(let inner), .elements(_, _, let inner): add(inner)
        case .linked(let relation, let inner):
            add(relation)
            add(inner)
        case .compare(let one, _, let other, _), .text(let one, _, let other, _):
            add(one)
            add(other)
        case .oneOf(let one, _, _), .range(let one, _, _), .isNull(let one): add(one)
        }
    }

    private mutating func add(_ expression: BoundExpression) {
        switch expression {
        case .value, .column, .id, .entry, .aggregate: break
        case .linked(let relation, let inner):
            add(relation)
            add(inner)
        case .relationAggregate(_, let relation, let inner):
            add(relation)
            if let inner { add(inner) }
        }
    }

    private mutating func add(_ relation: QueryRelation) {
        isLocal = false
        entities.insert(relation.target)
        if let number = relation.relationID { relations.insert(number) }
    }
}
