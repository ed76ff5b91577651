import DaybookBytes
package import DaybookRecords
import DaybookPages
import Dispatch
import Synchronization

// Scans with several threads.
extension QueryAccess {
    /// Usually more than the number of threads, so that no thread waits long for the slowest.
    private static let partCount = 16

    /// Passes the rows of all objects to `body`, in batches, until it returns false. If there are
    /// many objects, several threads scan one part of the ids each. Returns the states of the
    /// parts, ordered by ids. `makeState` creates all states before the first row is passed.
    ///
    /// The rows of a part are ordered by id, or unordered if `inOrder` is false. `body` runs on
    /// threads without a transaction, so it must read through the view of this access. If it
    /// returns false in one part, the other parts end soon after. In a transaction there is one
    /// part, scanned by the running thread. Throws the errors of `body` and of
    /// ``scan(_:ids:inOrder:_:)``; of several errors, the one of the first part.
    ///
    /// - Parameters:
    ///   - objectCountMin: with fewer objects, one thread scans, because threads would cost more
    ///     than they save.
    ///   - columns: processes cached columns in place of rows; only used for unordered scans.
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

    // SENDABLE: one thread at a time uses each part, by its number. Dispatch orders the thread's
    // accesses with those of the caller before and after.
    private final class Part<State>: @unchecked Sendable {
        let ids: ClosedRange<UInt64>
        var state: State
        var failure: (any Error)?

        init(ids: ClosedRange<UInt64>, state: State) {
            self.ids = ids
            self.state = state
        }
    }

    /// The scan of each part.
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
        // The states of different parts may share a cache line, so the thread works on its own
        // copy.
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

    /// The ranges of ids to scan: one range if there are few objects.
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
