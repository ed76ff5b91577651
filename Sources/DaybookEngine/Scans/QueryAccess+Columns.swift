import DaybookBytes
package import DaybookRecords
import DaybookLog
import DaybookPages

/// What a scan asks for where the values of many rows may stand side by side.
package struct ColumnScan<State>: Sendable {
    /// Which columns of rows of a layout; nil where they would not be enough.
    let demand: @Sendable (UInt32) -> ColumnDemand?
    /// Takes the columns in place of the rows themselves; false where it has enough.
    let body: @Sendable (_ state: inout State, _ columns: RowColumns) throws -> Bool

    package init(
        demand: @escaping @Sendable (UInt32) -> ColumnDemand?,
        _ body: @escaping @Sendable (_ state: inout State, _ columns: RowColumns) throws -> Bool
    ) {
        self.demand = demand
        self.body = body
    }
}

// Scans that copy what they ask for, so that the next one need not look at the rows.
extension QueryAccess {
    /// Gives living objects as ``scanBatches(_:ids:inOrder:_:)`` does, in whichever order is the
    /// best. Where what `demand` asks for was copied of a page's rows before, the columns go to
    /// `columns`; all other rows go to `body`, and are copied for the next time as far as there is
    /// room: a quarter of what the cache of frames may take.
    ///
    /// Cost: some 40 ns for each page of 169 objects whose columns are at hand; for others some
    /// 15 ns an object more than a scan.
    func scanColumns(
        _ entity: UInt32, ids: ClosedRange<UInt64>, round: UInt64,
        demand: @escaping (UInt32) -> ColumnDemand?, columns: (RowColumns) throws -> Bool,
        _ body: (borrowing RowBatch) throws -> Bool
    ) throws {
        guard let view, let notes = view.notes else {
            return try scanBatches(entity, ids: ids, inOrder: false, body)
        }
        var walk: LeafCursor
        do throws(DaybookError) {
            walk = try LeafCursor(view, notes, entity, ids, round: round, demand)
        } catch {
            // It mends the trees, or throws the same.
            return try scanBatches(entity, ids: ids, inOrder: false, body)
        }
        var learner = ColumnLearner(
            notes, round: round, budgetBytes: view.noteBudgetBytes, demand)
        var visit = RowVisit(view.log, entity)
        var entries = [WordEntry](repeating: WordEntry(), count: 1024)
        var count = 0
        func visitGathered() throws -> Bool {
            guard count > 0 else { return true }
            let isToGoOn = try visit.give(&entries, count: count, inOrder: false) { batch in
                learner.take(batch)
                return try body(batch)
            }
            learner.finish()
            let size = visit.nextCount(after: count, inOrder: false)
            if size > entries.count {
                entries = [WordEntry](repeating: WordEntry(), count: size)
            }
            count = 0
            return isToGoOn
        }
        while true {
            switch walk.step(into: &entries, &count, &learner) {
            case .columns(let found):
                guard try found.count == 0 || columns(found) else { return }
            case .gathered: break
            case .full: guard try visitGathered() else { return }
            case .end:
                _ = try visitGathered()
                return
            case .damaged:
                guard try visitGathered() else { return }
                return try scanBatches(
                    entity, ids: walk.nextId...ids.upperBound, inOrder: false, body)
            }
        }
    }
}
