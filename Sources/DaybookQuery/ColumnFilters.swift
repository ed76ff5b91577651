import DaybookEngine
import DaybookIndex

/// A condition, worked out for columns of the rows of each layout that an entity has or had.
struct ColumnFilters: Sendable {
    private struct Part {
        let demand: ColumnDemand
        let filter: ColumnFilter
    }

    private let parts: [UInt32: Part]

    /// Nil where the condition needs the rows of the newest layout themselves, or more columns than
    /// pay.
    init?(_ condition: BoundCondition, of entity: UInt32, _ access: QueryAccess) {
        // In a transaction all rows are looked at.
        guard access.view != nil, condition != .always(true) else { return nil }
        let schema = access.schemas.schema
        guard let newest = schema.currentLayout(ofEntity: entity),
            let part = Self.part(condition, newest, access)
        else { return nil }
        var parts = [newest.layoutID: part]
        for layout in schema.layouts where layout.entityID == entity {
            if parts[layout.layoutID] == nil {
                parts[layout.layoutID] = Self.part(condition, layout, access)
            }
        }
        self.parts = parts
    }

    /// With more columns a row takes more memory than it saves time.
    private static let columnCountMax = 8

    private static func part(
        _ condition: BoundCondition, _ layout: EntityLayout, _ access: QueryAccess
    ) -> Part? {
        guard let rowLayout = try? access.schemas.rowLayout(layout.layoutID),
            let filter = RowCompiler(access, rowLayout).test(condition).columnFilter
        else { return nil }
        let columns = filter.columns
        guard columns.count <= columnCountMax else { return nil }
        return Part(demand: ColumnDemand(columns, of: rowLayout), filter: filter)
    }

    /// Which columns are needed of rows of a layout; nil where the rows themselves are.
    func demand(_ layout: UInt32) -> ColumnDemand? { parts[layout]?.demand }

    /// The condition for columns of rows of a layout.
    func filter(_ layout: UInt32) -> ColumnFilter { parts[layout]?.filter ?? .always(false) }
}
