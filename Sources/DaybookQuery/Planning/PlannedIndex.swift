import DaybookRecords

/// An index that a plan may use.
struct PlannedIndex: Sendable {
    let index: IndexPlan.Index
    /// What it is over, in the order of its keys.
    let columns: [IndexColumn]
    /// How many keys that conditions leave are held against those of others.
    private static let gapCountMax = 512

    /// Nil for an index that the layout does not have: another one has taken its place.
    init?(_ index: IndexPlan.Index, _ layout: EntityLayout) {
        var columns: [IndexColumn] = []
        for propertyID in index.definition.propertyIDs {
            guard let field = layout.fields.first(where: { $0.propertyID == propertyID }) else {
                return nil
            }
            columns.append(
                IndexColumn(
                    type: field.type, isOptional: field.isOptional,
                    isFolded: index.form == .folded && field.type == .string))
        }
        self.index = index
        self.columns = columns
    }

    /// Whether keys are kept in the order of the values.
    var isOrdered: Bool {
        switch index.form {
        case .unique, .ordered, .folded: true
        case .hashed, .text: false
        }
    }

    /// Whether a property of a query is one of its own.
    func isOver(_ column: QueryColumn, at place: Int) -> Bool {
        column.isPlain && column.property.propertyID == index.definition.propertyIDs[place]
            && column.type == columns[place].type && column.isOptional == columns[place].isOptional
    }

    /// The keys of its property at `place` of the objects that a condition is true of; nil where
    /// the condition is about something else.
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

    /// The keys of its property at `place` of the objects that all conditions are true of, and
    /// which of the conditions they say wholly and which in part.
    func keys(
        _ conditions: [BoundCondition], at place: Int
    ) -> (keys: IndexColumn.Keys, whole: Set<Int>, used: Set<Int>)? {
        var common: IndexColumn.Keys?
        var whole: Set<Int> = []
        var used: Set<Int> = []
        for (number, condition) in conditions.enumerated() {
            guard let keys = keys(condition, at: place) else { continue }
            // Very many gaps are not worth leaping over: what is in them is judged.
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
