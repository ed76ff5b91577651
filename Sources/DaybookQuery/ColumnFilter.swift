import DaybookIndex

/// A condition, worked out for columns of rows of one layout: as a ``RowTest`` says it of the rows.
indirect enum ColumnFilter: Sendable {
    case always(Bool)
    case test(FieldColumnTest)
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

    /// The columns that it looks at, each once.
    var columns: [RowColumn] {
        var columns: [RowColumn] = []
        gather(&columns)
        return columns
    }

    private func gather(_ columns: inout [RowColumn]) {
        switch self {
        case .always: return
        case .test(let test):
            for column in [test.column, test.null] {
                if let column, !columns.contains(column) { columns.append(column) }
            }
        case .and(let one, let other), .or(let one, let other):
            one.gather(&columns)
            other.gather(&columns)
        }
    }
}

/// Of which of some rows a condition is true: memory that serves one page after another.
struct ColumnTruth {
    /// 1 or 0 for each row: the answer, and those of parts that wait for others.
    private var levels: [[UInt8]] = [[]]

    /// Works out the answer for rows whose columns were copied.
    mutating func judge(_ columns: RowColumns, by filter: ColumnFilter) {
        judge(columns, by: filter, at: 0)
    }

    /// How many rows it is true of.
    var count: Int {
        var count = 0
        for value in levels[0] { count &+= Int(value) }
        return count
    }

    /// Appends the ids of the rows that it is true of.
    func append(_ columns: RowColumns, to ids: inout [UInt64]) {
        for (place, value) in levels[0].enumerated() where value != 0 {
            ids.append(columns.ids[place])
        }
    }

    private mutating func judge(_ columns: RowColumns, by filter: ColumnFilter, at level: Int) {
        if level == levels.count { levels.append([]) }
        let count = columns.ids.count
        if levels[level].count != count {
            levels[level] = [UInt8](repeating: 0, count: count)
        }
        switch filter {
        case .always(let value):
            for place in 0..<count { levels[level][place] = value ? 1 : 0 }
        case .test(let test): test.join(columns, to: &levels[level], .replace)
        case .and(let one, let other):
            judge(columns, by: one, at: level)
            join(columns, other, at: level, .and)
        case .or(let one, let other):
            judge(columns, by: one, at: level)
            join(columns, other, at: level, .or)
        }
    }

    /// Joins the answer of a part with the one that is there.
    private mutating func join(
        _ columns: RowColumns, _ filter: ColumnFilter, at level: Int,
        _ joining: FieldColumnTest.Joining
    ) {
        if case .test(let test) = filter {
            return test.join(columns, to: &levels[level], joining)
        }
        judge(columns, by: filter, at: level + 1)
        let count = columns.ids.count
        if joining == .and {
            for place in 0..<count { levels[level][place] &= levels[level + 1][place] }
        } else {
            for place in 0..<count { levels[level][place] |= levels[level + 1][place] }
        }
    }
}
