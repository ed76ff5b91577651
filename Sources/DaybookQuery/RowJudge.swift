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

    package init(_ condition: BoundCondition, _ access: QueryAccess) {
        self.condition = condition
        self.access = access
    }

    /// Throws `.corruption` for bytes that are no row of the layout, and what reading linked
    /// objects throws.
    package func isTrue(
        of row: Span<UInt8>, layout: UInt32, id: UInt64
    ) throws(DaybookError) -> Bool {
        fatalError("to be written")
    }
}
