/// What the steps of plans take, in nanoseconds, as measured on one core of the build machine with
/// all pages and frames in memory. What matters is how they compare.
enum PlanCost {
    /// A row of a scan, without the judging.
    static let scannedRow = 9.0
    /// A row by its id, of many that are asked for together: its entry, its frame and its record,
    /// which are near nothing else.
    static let row = 40.0
    /// An entry of an index that is walked, its id put in order with others.
    static let entry = 7.0
    /// The way down a tree to an entry.
    static let search = 400.0
    /// A walk over the links of one object.
    static let links = 180.0
    /// An id that is compared with others.
    static let comparison = 3.0
    /// How many objects a relation to many leads to where nobody knows.
    static let manyLinks = 4.0

    /// What judging a row takes.
    static func judging(_ condition: BoundCondition) -> Double {
        switch condition {
        case .always: 0
        // Half of what is behind the first is reached.
        case .and(let parts), .or(let parts):
            parts.enumerated().reduce(1) { $0 + judging($1.element) * ($1.offset == 0 ? 1 : 0.5) }
        case .not(let inner): judging(inner)
        case .column(_, .text), .column(_, .foldedEqual), .column(_, .foldedRange): 15
        case .column: 4
        case .ids, .idRange: 5
        case .linked(let relation, let inner):
            links + (relation.isToOne ? 1 : manyLinks) * (row + judging(inner))
        case .elements(_, _, let inner): 30 + 4 * judging(inner)
        case .words: 200
        case .compare(let left, _, let right, _), .text(let left, _, let right, _):
            reading(left) + reading(right)
        case .oneOf(let value, _, _), .range(let value, _, _), .isNull(let value): reading(value)
        }
    }

    private static func reading(_ expression: BoundExpression) -> Double {
        switch expression {
        case .value, .id: 5
        case .column: 20
        case .entry, .aggregate: 100
        case .linked(_, let inner): links + row + reading(inner)
        case .relationAggregate(_, _, let inner):
            links + (inner.map { manyLinks * (row + reading($0)) } ?? 0)
        }
    }

    /// Of how many in one a condition is true, where nobody has counted.
    static func share(_ condition: BoundCondition) -> Double {
        switch condition {
        case .always(let isTrue): isTrue ? 1 : 0
        case .and(let parts): parts.reduce(1) { $0 * share($1) }
        case .or(let parts): 1 - parts.reduce(1) { $0 * (1 - share($1)) }
        case .not(let inner): 1 - share(inner)
        case .column(_, .equal), .column(_, .foldedEqual), .column(_, .isNull): 0.05
        case .column(_, .oneOf), .column(_, .text), .words, .text: 0.1
        case .compare(_, .equal, _, _), .oneOf, .isNull, .ids: 0.05
        case .column, .idRange, .linked, .elements, .compare, .range: 0.3
        }
    }
}
