import DaybookEngine
import DaybookRecords

/// A condition compiled for columns of rows of one layout: the equivalent of a ``RowPredicate``.
indirect enum ColumnFilter: Sendable {
    case always(Bool)
    case test(FieldColumnPredicate)
    case and(ColumnFilter, ColumnFilter)
    case or(ColumnFilter, ColumnFilter)

    /// The negation of the filter.
    var inverted: ColumnFilter {
        switch self {
        case .always(let value): .always(!value)
        case .test(let test): .test(test.inverted)
        case .and(let one, let other): .or(one.inverted, other.inverted)
        case .or(let one, let other): .and(one.inverted, other.inverted)
        }
    }

    /// The same filter, with the index of each test's column. Appends missing columns.
    func placed(among columns: inout [RowColumn]) -> ColumnFilter {
        switch self {
        case .always: return self
        case .test(var test):
            if let place = columns.firstIndex(of: test.column) {
                test.place = place
            } else {
                test.place = columns.count
                columns.append(test.column)
            }
            return .test(test)
        case .and(let one, let other):
            let first = one.placed(among: &columns)
            return .and(first, other.placed(among: &columns))
        case .or(let one, let other):
            let first = one.placed(among: &columns)
            return .or(first, other.placed(among: &columns))
        }
    }
}
