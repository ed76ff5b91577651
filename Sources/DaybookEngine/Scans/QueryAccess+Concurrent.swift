import DaybookBytes
package import DaybookRecords
import DaybookPages
import Dispatch
import Synchronization

// Scans by several threads.
extension QueryAccess {
    /// More than there are threads, as a rule: then none has long to wait for the slowest.
    private static let partCount = 16

    /// Gives the rows of all living objects to `body`, in batches, until that returns false: by
    /// several threads where there are many objects, each in a part of the ids. Returns the states
    /// of the parts in the order of their ids, each made by `makeState` before the first row is
    /// given.
    ///
    /// In a part the rows come in the order of ids, or as they are at hand where `inOrder` is
    /// false. `body` runs on threads that are in no transaction: it reads what it needs by way of
    /// this access's view. Where it returns false in one part, the others end soon after. A
    /// transaction's state is one part, given by the running thread. Throws what `body` does, and
    /// as ``scan(_:ids:inOrder:_:)``: of several errors that of the first part.
    ///
    /// - Parameters:
    ///   - objectCountMin: with fewer objects the threads would cost more than they save.
    ///   - columns: what to take in place of rows where they were copied before; only where the
    ///     order does not matter.
    package func scanConcurrently<State>(
        _ entity: UInt32, ids: ClosedRange<UInt64> = 0...UInt64.max, inOrder: Bool = true,
        objectCountMin: Int = 50_000, columns: ColumnScan<State>? = nil,
        _ makeState: () throws -> State,
        _ body:
            @Sendable (_ state: inout State, _ batch: borrowing RowBatch) throws -> Bool
    ) throws -> [State] {
        let ranges = try parts(of: entity, ids, objectCountMin)
        let parts = try ranges.map { Part(ids: $0, state: try makeState()) }
        let isOver = Atomic(false)
        let scan = Scan(
            entity: entity, inOrder: inOrder, round: view?.notes?.beginRound() ?? 0,
            columns: inOrder ? nil : columns)
        guard let view, parts.count > 1 else {
            for part in parts { try run(scan, part, isOver, body) }
            return parts.map(\.state)
        }
        let schemas = schemas
        DispatchQueue.concurrentPerform(iterations: parts.count) { index in
            let part = parts[index]
            do {
                try QueryAccess(view, schemas).run(scan, part, isOver, body)
            } catch {
                part.failure = error
                isOver.store(true, ordering: .relaxed)
            }
        }
        for part in parts { if let failure = part.failure { throw failure } }
        return parts.map(\.state)
    }

    // SENDABLE: each is used by one thread at a time, the one that has its number; Dispatch orders
    // what it does before and after what the caller does.
    private final class Part<State>: @unchecked Sendable {
        let ids: ClosedRange<UInt64>
        var state: State
        var failure: (any Error)?

        init(ids: ClosedRange<UInt64>, state: State) {
            self.ids = ids
            self.state = state
        }
    }

    /// What is done in each part.
    private struct Scan<State>: Sendable {
        let entity: UInt32
        let inOrder: Bool
        let round: UInt64
        let columns: ColumnScan<State>?
    }

    private func run<State>(
        _ scan: Scan<State>, _ part: Part<State>, _ isOver: borrowing Atomic<Bool>,
        _ body: @Sendable (inout State, borrowing RowBatch) throws -> Bool
    ) throws {
        // States of different parts may share a line of memory: this one is the thread's own.
        var state = part.state
        defer { part.state = state }
        guard let columns = scan.columns else {
            return try scanBatches(scan.entity, ids: part.ids, inOrder: scan.inOrder) { batch in
                if isOver.load(ordering: .relaxed) { return false }
                let isToGoOn = try body(&state, batch)
                if !isToGoOn { isOver.store(true, ordering: .relaxed) }
                return isToGoOn
            }
        }
        try scanColumns(
            scan.entity, ids: part.ids, round: scan.round, demand: columns.demand,
            columns: { found in
                if isOver.load(ordering: .relaxed) { return false }
                let isToGoOn = try columns.body(&state, found)
                if !isToGoOn { isOver.store(true, ordering: .relaxed) }
                return isToGoOn
            }
        ) { batch in
            if isOver.load(ordering: .relaxed) { return false }
            let isToGoOn = try body(&state, batch)
            if !isToGoOn { isOver.store(true, ordering: .relaxed) }
            return isToGoOn
        }
    }

    /// The parts in which to scan: one where there are few objects.
    private func parts(
        of entity: UInt32, _ ids: ClosedRange<UInt64>, _ objectCountMin: Int
    ) throws(DaybookError) -> [ClosedRange<UInt64>] {
        guard view != nil, try scope.count(entity) >= objectCountMin else { return [ids] }
        let cuts = try reading { reader throws(DaybookError) in
            try reader.cuts(IndexTree.objects(of: entity), into: Self.partCount)
        }
        var ranges: [ClosedRange<UInt64>] = []
        var start = ids.lowerBound
        for cut in cuts where cut > start && cut <= ids.upperBound {
            ranges.append(start...(cut - 1))
            start = cut
        }
        ranges.append(start...ids.upperBound)
        return ranges
    }
}
