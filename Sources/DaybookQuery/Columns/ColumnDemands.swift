import DaybookEngine
import DaybookRecords

/// Which columns a condition asks for of the rows of each layout that an entity has or had.
struct ColumnDemands: Sendable {
    private let demands: [UInt32: ColumnDemand]

    /// Nil where the condition needs the rows of the newest layout themselves.
    init?(_ condition: BoundCondition, of entity: UInt32, _ access: QueryAccess) {
        // In a transaction all rows are looked at.
        guard access.view != nil, condition != .always(true) else { return nil }
        let schema = access.schemas.schema
        guard let newest = schema.currentLayout(ofEntity: entity)?.layoutID,
            let judge = ColumnEvaluator(condition, newest, access)
        else { return nil }
        var demands = [newest: judge.demand]
        for layout in schema.layouts where layout.entityID == entity {
            if demands[layout.layoutID] == nil {
                demands[layout.layoutID] =
                    ColumnEvaluator(condition, layout.layoutID, access)?.demand
            }
        }
        self.demands = demands
    }

    /// Which columns are needed of rows of a layout; nil where the rows themselves are.
    subscript(layout: UInt32) -> ColumnDemand? { demands[layout] }
}
