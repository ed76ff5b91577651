import DaybookEngine
import DaybookRecords

/// Evaluates a condition on columns of rows of one layout.
///
/// Each thread has its own instance, so that no page costs contended reference counts.
final class ColumnEvaluator {
    /// The maximum number of columns. With more, the memory per row costs more than the columns
    /// save.
    private static let columnCountMax = 8

    let layout: UInt32
    let demand: ColumnDemand
    private let filter: ColumnFilter
    /// 1 or 0 for each row: the result at index 0, and the intermediate results of nested parts.
    private var levels: [[UInt8]] = [[]]

    /// Returns nil if the condition needs the rows themselves, or more columns than pay.
    init?(_ condition: BoundCondition, _ layout: UInt32, _ access: QueryAccess) {
        guard let rowLayout = try? access.schemas.rowLayout(layout),
            let filter = RowCompiler(access, rowLayout).test(condition).columnFilter
        else { return nil }
        var columns: [RowColumn] = []
        self.filter = filter.placed(among: &columns)
        guard columns.count <= Self.columnCountMax else { return nil }
        self.layout = layout
        demand = ColumnDemand(columns, of: rowLayout)
    }

    /// Evaluates the condition for each row. Returns the number of matches.
    func judge(_ columns: RowColumns) -> Int {
        var levels: [[UInt8]] = []
        swap(&levels, &self.levels)
        defer { swap(&levels, &self.levels) }
        Self.judge(columns, demand, filter, &levels, at: 0)
        var count = 0
        for value in levels[0] { count &+= Int(value) }
        return count
    }

    /// Appends the ids of the rows that matched in the last evaluation.
    func append(_ columns: RowColumns, to ids: inout [UInt64]) {
        for (place, value) in levels[0].enumerated() where value != 0 {
            ids.append(columns.ids[place])
        }
    }

    private static func judge(
        _ columns: RowColumns, _ demand: ColumnDemand, _ filter: ColumnFilter,
        _ levels: inout [[UInt8]], at level: Int
    ) {
        if level == levels.count { levels.append([]) }
        let count = columns.count
        if levels[level].count != count {
            levels[level] = [UInt8](repeating: 0, count: count)
        }
        switch filter {
        case .always(let value):
            for place in 0..<count { levels[level][place] = value ? 1 : 0 }
        case .test(let test): test.join(columns, demand, to: &levels[level], .replace)
        case .and(let one, let other):
            judge(columns, demand, one, &levels, at: level)
            join(columns, demand, other, &levels, at: level, .and)
        case .or(let one, let other):
            judge(columns, demand, one, &levels, at: level)
            join(columns, demand, other, &levels, at: level, .or)
        }
    }

    /// Combines the result of a part with the current one.
    private static func join(
        _ columns: RowColumns, _ demand: ColumnDemand, _ filter: ColumnFilter,
        _ levels: inout [[UInt8]], at level: Int, _ joining: FieldColumnPredicate.Joining
    ) {
        if case .test(let test) = filter {
            return test.join(columns, demand, to: &levels[level], joining)
        }
        judge(columns, demand, filter, &levels, at: level + 1)
        let count = columns.count
        if joining == .and {
            for place in 0..<count { levels[level][place] &= levels[level + 1][place] }
        } else {
            for place in 0..<count { levels[level][place] |= levels[level + 1][place] }
        }
    }
}
