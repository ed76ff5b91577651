import DaybookBytes

/// What the result of a query depends on, beside the rows of the objects that it finds.
struct QueryDependencies: Sendable {
    /// Relations that the query looks along, one after the other: from its own objects to those
    /// that the last one leads to.
    typealias Way = [QueryRelation]

    /// The ways that it looks along, each with all its beginnings, and the numbers of the
    /// properties that it asks for at the end of each.
    private(set) var ways: [Way: Set<UInt32>] = [:]
    /// Whether an object by itself, with what its ways lead to, says whether it is found, and where
    /// it stands: else the result is only told by running the query again.
    private(set) var isJudged = true
    /// Whether an object that the condition is not true of makes no difference to the result.
    private(set) var isOfFound = true

    init(_ query: QueryRunner) {
        // The objects left out have to be known where another of their kind leaves.
        if !query.distinct.isEmpty { isJudged = false }
        add(query.condition, [])
        for order in query.orders + query.distinct {
            switch order.key {
            case .expression(let expression): add(expression, [])
            // Measured by all that is found, and by how often all objects have a word.
            case .relevance: (isJudged, isOfFound) = (false, false)
            }
        }
    }

    /// The properties that are asked for of objects at the ends of ways, by entity.
    var properties: [UInt32: Set<UInt32>] {
        var found: [UInt32: Set<UInt32>] = [:]
        for (way, asked) in ways {
            if let end = way.last { found[end.target, default: []].formUnion(asked) }
        }
        return found
    }

    /// The relations that are followed.
    var relations: Set<UInt32> { Set(ways.keys.compactMap { $0.last?.relationID }) }

    private mutating func add(_ condition: BoundCondition, _ way: Way) {
        switch condition {
        case .always, .ids, .idRange: break
        case .column(let column, _), .words(let column, _): ask(column, way)
        case .and(let parts), .or(let parts): for part in parts { add(part, way) }
        case .not(let inner): add(inner, way)
        case .elements(let column, _, let inner):
            ask(column, way)
            add(inner, way)
        case .linked(let relation, let inner): add(inner, follow(relation, way))
        case .compare(let one, _, let other, _), .text(let one, _, let other, _):
            add(one, way)
            add(other, way)
        case .oneOf(let one, _, _), .range(let one, _, _), .isNull(let one): add(one, way)
        }
    }

    private mutating func add(_ expression: BoundExpression, _ way: Way) {
        switch expression {
        case .value, .id: break
        case .column(let column), .entry(let column, _), .aggregate(_, let column):
            ask(column, way)
        case .linked(let relation, let inner): add(inner, follow(relation, way))
        case .relationAggregate(_, let relation, let inner):
            let end = follow(relation, way)
            if let inner { add(inner, end) }
        }
    }

    /// What is asked of elements of a collection is noted, too, which does no harm.
    private mutating func ask(_ column: QueryColumn, _ way: Way) {
        if !way.isEmpty { ways[way, default: []].insert(column.path[0].propertyID) }
    }

    private mutating func follow(_ relation: QueryRelation, _ way: Way) -> Way {
        let longer = way + [relation]
        if ways[longer] == nil { ways[longer] = [] }
        return longer
    }
}
