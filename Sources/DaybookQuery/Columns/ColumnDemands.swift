import DaybookEngine
import DaybookRecords

/// The columns that a condition needs of rows of each current or former layout of an entity.
struct ColumnDemands: Sendable {
    private let demands: [UInt32: ColumnDemand]

    /// Returns nil if the condition needs the rows of the newest layout themselves.
    init?(_ condition: BoundCondition, of entity: UInt32, _ access: QueryAccess) {
        // In a transaction, all rows are evaluated.
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

    /// The columns needed of rows of a layout; nil if the rows themselves are needed.
    subscript(layout: UInt32) -> ColumnDemand? { demands[layout] }
}
