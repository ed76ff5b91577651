import DaybookRecords

/// A condition, worked out for columns of rows of one layout: as a ``RowPredicate`` says it of the rows.
indirect enum ColumnFilter: Sendable {
    case always(Bool)
    case test(FieldColumnPredicate)
    case and(ColumnFilter, ColumnFilter)
    case or(ColumnFilter, ColumnFilter)

    /// True where this is false.
    var inverted: ColumnFilter {
        switch self {
        case .always(let value): .always(!value)
        case .test(let test): .test(test.inverted)
        case .and(let one, let other): .or(one.inverted, other.inverted)
        case .or(let one, let other): .and(one.inverted, other.inverted)
        }
    }

    /// The same, whose tests know the places of their columns. Appends the columns that are not
    /// there yet.
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
