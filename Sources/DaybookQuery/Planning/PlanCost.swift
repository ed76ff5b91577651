/// The costs of plan steps in nanoseconds, measured on one core of the build machine with all pages
/// and frames in memory. Only their ratios matter.
enum PlanCost {
    /// One row of a scan, without evaluation.
    static let scannedRow = 9.0
    /// One row by id, of many read together: its entry, its frame and its record, none of which are
    /// adjacent.
    static let row = 40.0
    /// One entry of an index scan, including the sort of its id.
    static let entry = 7.0
    /// One descent of a tree to an entry.
    static let search = 400.0
    /// An iteration over the links of one object.
    static let links = 180.0
    /// A comparison of one id.
    static let comparison = 3.0
    /// The assumed number of links of a to-many relation.
    static let manyLinks = 4.0

    /// The cost of evaluating a condition for one row.
    static func judging(_ condition: BoundCondition) -> Double {
        switch condition {
        case .always: 0
        // Each part after the first is evaluated half of the time.
        case .and(let parts), .or(let parts):
            parts.enumerated().reduce(1) { $0 + judging($1.element) * ($1.offset == 0 ? 1 : 0.5) }
        case .not(let inner): judging(inner)
        case .column(_, .text), .column(_, .foldedEqual), .column(_, .foldedRange): 15
        case .column: 4
        case .ids, .idRange: 5
        case .linked(let relation, let inner):
            links + (relation.isToOne ? 1 : manyLinks) * (row + judging(inner))
        case .elements(_, _, let inner): 30 + 4 * judging(inner)
        case .words, .phrase: 200
        case .compare(let left, _, let right, _), .text(let left, _, let right, _):
            reading(left) + reading(right)
        case .oneOf(let value, _, _), .range(let value, _, _), .isNull(let value): reading(value)
        case .behind(_, let orders): 50 * Double(orders.count)
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
        case .function(_, let arguments): arguments.reduce(20) { $0 + reading($1) }
        }
    }

    /// The assumed fraction of objects that match a condition, if nothing was counted.
    static func share(_ condition: BoundCondition) -> Double {
        switch condition {
        case .always(let isTrue): isTrue ? 1 : 0
        case .and(let parts): parts.reduce(1) { $0 * share($1) }
        case .or(let parts): 1 - parts.reduce(1) { $0 * (1 - share($1)) }
        case .not(let inner): 1 - share(inner)
        case .column(_, .equal), .column(_, .foldedEqual), .column(_, .isNull): 0.05
        case .column(_, .oneOf), .column(_, .text), .words, .phrase, .text: 0.1
        case .compare(_, .equal, _, _), .oneOf, .isNull, .ids: 0.05
        case .column, .idRange, .linked, .elements, .compare, .range, .behind: 0.3
        }
    }
}
