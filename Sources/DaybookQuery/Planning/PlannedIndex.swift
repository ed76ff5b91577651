import DaybookRecords

/// An index that a plan may use.
struct PlannedIndex: Sendable {
    let index: IndexPlan.Index
    /// The properties of the index, in the order of its keys.
    let columns: [IndexColumn]
    /// The maximum number of keys to look up one by one.
    let spanCountMax: Int
    /// The maximum number of spans of several conditions that are intersected.
    private static let gapCountMax = 512

    /// Returns nil for a vector index, and if the current layout does not have the index because
    /// another one replaced it.
    init?(_ index: IndexPlan.Index, _ layout: EntityLayout, spanCountMax: Int) {
        // Its order is that of no value: see ``NearestRun``.
        if case .vector = index.form { return nil }
        var columns: [IndexColumn] = []
        for propertyID in index.definition.propertyIDs {
            guard let field = layout.fields.first(where: { $0.propertyID == propertyID }) else {
                return nil
            }
            columns.append(
                IndexColumn(
                    type: field.type, isOptional: field.isOptional,
                    isFolded: index.form == .folded && field.type == .string,
                    spanCountMax: spanCountMax))
        }
        self.index = index
        self.columns = columns
        self.spanCountMax = spanCountMax
    }

    /// Whether the keys are in the order of the values.
    var isOrdered: Bool {
        switch index.form {
        case .unique, .ordered, .folded: true
        case .hashed, .text, .vector: false
        }
    }

    /// Whether the column of a query is the index property at `place`.
    func isOver(_ column: QueryColumn, at place: Int) -> Bool {
        column.isPlain && column.property.propertyID == index.definition.propertyIDs[place]
            && column.type == columns[place].type && column.isOptional == columns[place].isOptional
    }

    /// The keys of the index property at `place` for the objects that match a condition; nil if the
    /// index property cannot serve the condition.
    func keys(_ condition: BoundCondition, at place: Int) -> IndexColumn.Keys? {
        switch condition {
        case .column(let column, let test) where isOver(column, at: place):
            return columns[place].keys(test)
        case .not(.column(let column, let test)) where isOver(column, at: place):
            guard var keys = columns[place].keys(test), keys.isExact else { return nil }
            keys.spans = keys.spans.complement()
            keys.use = .range
            return keys
        default: return nil
        }
    }

    /// The keys of the index property at `place` for the objects that match all conditions, with
    /// the numbers of the conditions that these keys determine exactly, and of all conditions that
    /// they use.
    func keys(
        _ conditions: [BoundCondition], at place: Int
    ) -> (keys: IndexColumn.Keys, whole: PartSet, used: PartSet)? {
        var common: IndexColumn.Keys?
        var whole = PartSet()
        var used = PartSet()
        for (number, condition) in conditions.enumerated() {
            guard let keys = keys(condition, at: place) else { continue }
            // Skipping very many gaps does not pay; the rows in them are evaluated.
            let known = common?.spans.count ?? 1
            guard
                known == 1 || keys.spans.count == 1 || known + keys.spans.count <= Self.gapCountMax
            else { continue }
            used.insert(number)
            if keys.isExact { whole.insert(number) }
            guard var both = common else {
                common = keys
                continue
            }
            both.spans = both.spans.intersection(keys.spans)
            both.isExact = both.isExact && keys.isExact
            both.use = keys.use == both.use ? keys.use : .range
            common = both
        }
        return common.map { ($0, whole, used) }
    }
}
