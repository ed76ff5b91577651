package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// Tells of rows whether a condition is true of them, from their bytes: no object is made.
///
/// It keeps what it works out for each layout, and what it has read of linked objects, so it is for
/// one thread and one version.
package final class RowEvaluator {
    private let condition: BoundCondition
    private let access: QueryAccess
    /// Which entity the rows have to be of; nil where their layouts are known to be right.
    private let entity: UInt32?
    private var compiled: [UInt32: CompiledPredicate] = [:]
    /// What is worked out for the newest layout, which most rows have; its number is 0 where that
    /// is not known. Constants of its own, so that no row costs a reference count, which is more
    /// than the test itself.
    private let newestLayout: UInt32
    private let newest: RowPredicate
    private let shape: RowShape

    package convenience init(_ condition: BoundCondition, _ access: QueryAccess) {
        self.init(condition, access, entity: nil)
    }

    init(_ condition: BoundCondition, _ access: QueryAccess, entity: UInt32?) {
        self.condition = condition
        self.access = access
        self.entity = entity
        let layout = (entity ?? condition.entity).flatMap {
            access.schemas.schema.currentLayout(ofEntity: $0)
        }
        let number = layout?.layoutID ?? 0
        let rowLayout = (try? access.schemas.rowLayout(number)) ?? .nothing
        newestLayout = number
        newest = RowCompiler(access, rowLayout).test(condition)
        shape = RowShape(rowLayout)
    }

    /// Throws `.corruption` for bytes that are no row of the layout, and what reading linked
    /// objects throws.
    package func isTrue(
        of row: Span<UInt8>, layout: UInt32, id: UInt64
    ) throws(DaybookError) -> Bool {
        if layout == newestLayout {
            return try newest.isTrue(try shape.parts(row), id)
        }
        return try test(for: layout).isTrue(row, id)
    }

    /// Leaves of some rows those of which it is true. Throws as ``isTrue(of:layout:id:)``.
    func select(
        _ batch: borrowing RowBatch, _ rows: inout RowSelection
    ) throws(DaybookError) {
        if batch.layout == newestLayout { return try newest.select(batch, shape, &rows) }
        try test(for: batch.layout).select(batch, &rows)
    }

    private func test(for layout: UInt32) throws(DaybookError) -> CompiledPredicate {
        if let known = compiled[layout] { return known }
        let rowLayout = try access.layout(layout, of: entity)
        let made = CompiledPredicate(RowCompiler(access, rowLayout).test(condition), rowLayout)
        compiled[layout] = made
        return made
    }
}

extension BoundCondition {
    /// The entity that the first property in it is of; nil where it has none.
    fileprivate var entity: UInt32? {
        switch self {
        case .and(let parts), .or(let parts): parts.lazy.compactMap(\.entity).first
        case .not(let inner): inner.entity
        case .column(let column, _), .elements(let column, _, _), .words(let column, _):
            column.path[0].entity
        case .compare(let one, _, let other, _), .text(let one, _, let other, _):
            one.entity ?? other.entity
        case .oneOf(let one, _, _), .range(let one, _, _), .isNull(let one): one.entity
        case .always, .ids, .idRange, .linked: nil
        }
    }
}

extension BoundExpression {
    /// The entity of the rows that it is read in, where a property of theirs says it.
    fileprivate var entity: UInt32? {
        switch self {
        case .column(let column), .entry(let column, _), .aggregate(_, let column):
            column.path[0].entity
        case .value, .id, .linked, .relationAggregate: nil
        }
    }
}
