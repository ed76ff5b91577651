import DaybookBytes

/// The data that the result of a query depends on, besides the rows of its own objects.
struct QueryDependencies: Sendable {
    /// A path of relations, from the objects of the query to the target of the last relation.
    typealias Way = [QueryRelation]

    /// The relation paths that the query follows, including all their prefixes, and the ids of the
    /// properties that it reads at the end of each.
    private(set) var ways: [Way: Set<UInt32>] = [:]
    /// Whether the result can be maintained per object: an object and its related objects determine
    /// whether and where it is found. Else the query must run again.
    private(set) var isJudged = true
    /// Whether an object that does not match the condition cannot influence the result.
    private(set) var isOfFound = true

    init(_ query: QueryRunner) {
        // If one object leaves, an equal object that was left out takes its place, so it must be
        // known.
        if !query.distinct.isEmpty { isJudged = false }
        // An object that becomes nearer takes the place of another one, which may come back.
        if query.nearest != nil { (isJudged, isOfFound) = (false, false) }
        add(query.condition, [])
        for order in query.orders + query.distinct {
            switch order.key {
            case .expression(let expression): add(expression, [])
            // A score depends on the number of objects with each word, and on the average length.
            case .relevance: (isJudged, isOfFound) = (false, false)
            }
        }
    }

    /// The properties that are read at the ends of relation paths, by entity.
    var properties: [UInt32: Set<UInt32>] {
        var found: [UInt32: Set<UInt32>] = [:]
        for (way, asked) in ways {
            if let end = way.last { found[end.target, default: []].formUnion(asked) }
        }
        return found
    }

    /// The relations that the query follows.
    var relations: Set<UInt32> { Set(ways.keys.compactMap { $0.last?.relationID }) }

    /// Whether the query follows a relation only from its own objects.
    func follows(onlyFirst relation: QueryRelation) -> Bool {
        ways.keys.allSatisfy { $0.last?.relationID != relation.relationID || $0 == [relation] }
    }

    /// Whether the query reaches objects of the relation's target entity by no other path.
    func reachesTargets(onlyBy relation: QueryRelation) -> Bool {
        ways.keys.allSatisfy { $0.last?.target != relation.target || $0 == [relation] }
    }

    private mutating func add(_ condition: BoundCondition, _ way: Way) {
        switch condition {
        case .always, .ids, .idRange: break
        case .column(let column, _), .words(let column, _), .phrase(let column, _):
            ask(column, way)
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
        case .behind(_, let orders):
            for case .expression(let expression) in orders.map(\.key) { add(expression, way) }
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
        case .function(_, let arguments): for argument in arguments { add(argument, way) }
        }
    }

    /// Also adds properties that are read in elements of a collection, which is harmless.
    private mutating func ask(_ column: QueryColumn, _ way: Way) {
        if !way.isEmpty { ways[way, default: []].insert(column.path[0].propertyID) }
    }

    private mutating func follow(_ relation: QueryRelation, _ way: Way) -> Way {
        let longer = way + [relation]
        if ways[longer] == nil { ways[longer] = [] }
        return longer
    }
}
