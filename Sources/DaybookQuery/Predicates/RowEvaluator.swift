package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// Evaluates a condition on the bytes of rows. No object is created.
///
/// It caches the compiled predicate for each layout and the results for related objects, so it is
/// for one thread and one version.
package final class RowEvaluator {
    private let condition: BoundCondition
    private let access: QueryAccess
    /// The entity that the rows must belong to; nil if their layouts are known to be right.
    private let entity: UInt32?
    private var compiled: [UInt32: CompiledPredicate] = [:]
    /// The predicate for the newest layout, which most rows have; the layout number is 0 if it is
    /// unknown. Stored in constants, so that no row costs a reference count, which is slower than
    /// the test itself.
    private let newestLayout: UInt32
    private let newest: RowPredicate
    private let shape: RowShape

    package init(_ condition: BoundCondition, _ access: QueryAccess, entity: UInt32? = nil) {
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

    /// Throws `.corruption` if the bytes are not a row of the layout, and the errors of reading
    /// related objects.
    package func isTrue(
        of row: Span<UInt8>, layout: UInt32, id: UInt64
    ) throws(DaybookError) -> Bool {
        if layout == newestLayout {
            return try newest.isTrue(try shape.parts(row), id)
        }
        return try test(for: layout).isTrue(row, id)
    }

    /// Keeps the rows that match. Throws the errors of ``isTrue(of:layout:id:)``.
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
    /// The entity of the first property in the condition; nil if it has none.
    fileprivate var entity: UInt32? {
        switch self {
        case .and(let parts), .or(let parts): parts.lazy.compactMap(\.entity).first
        case .not(let inner): inner.entity
        case .column(let column, _), .elements(let column, _, _), .words(let column, _),
            .phrase(let column, _):
            column.path[0].entity
        case .compare(let one, _, let other, _), .text(let one, _, let other, _):
            one.entity ?? other.entity
        case .oneOf(let one, _, _), .range(let one, _, _), .isNull(let one): one.entity
        case .behind(_, let orders): orders.lazy.compactMap(\.column).first?.path[0].entity
        case .always, .ids, .idRange, .linked: nil
        }
    }
}

extension BoundExpression {
    /// The entity of the rows, if the expression reads a property of theirs.
    fileprivate var entity: UInt32? {
        switch self {
        case .column(let column), .entry(let column, _), .aggregate(_, let column):
            column.path[0].entity
        case .function(_, let arguments): arguments.lazy.compactMap(\.entity).first
        case .value, .id, .linked, .relationAggregate: nil
        }
    }
}
