package import DaybookBytes
package import DaybookEngine
import DaybookIndex

/// Tells of rows whether a condition is true of them, from their bytes: no object is made.
///
/// It keeps what it works out for each layout, and what it has read of linked objects, so it is for
/// one thread and one version.
package final class RowJudge {
    private let condition: BoundCondition
    private let access: QueryAccess
    /// Which entity the rows have to be of; nil where their layouts are known to be right.
    private let entity: UInt32?
    private var compiled: [UInt32: CompiledTest] = [:]

    package convenience init(_ condition: BoundCondition, _ access: QueryAccess) {
        self.init(condition, access, entity: nil)
    }

    init(_ condition: BoundCondition, _ access: QueryAccess, entity: UInt32?) {
        self.condition = condition
        self.access = access
        self.entity = entity
    }

    /// Throws `.corruption` for bytes that are no row of the layout, and what reading linked
    /// objects throws.
    package func isTrue(
        of row: Span<UInt8>, layout: UInt32, id: UInt64
    ) throws(DaybookError) -> Bool {
        if let known = compiled[layout] { return try known.isTrue(row, id) }
        let rowLayout = try access.layout(layout, of: entity)
        let made = CompiledTest(RowCompiler(access, rowLayout).test(condition), rowLayout)
        compiled[layout] = made
        return try made.isTrue(row, id)
    }
}
