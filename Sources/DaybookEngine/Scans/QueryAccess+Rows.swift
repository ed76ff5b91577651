import DaybookBytes
package import DaybookRecords
import DaybookLog
import DaybookPages

// Scans of rows, without copying.
extension QueryAccess {
    /// Passes each object's row to `body` until it returns false. The rows are ordered by id; if
    /// `inOrder` is false, the order favors objects that were written at random.
    ///
    /// Scans the state at the beginning, whatever `body` changes in the running transaction. Throws
    /// `.corruption` or `.inputOutput` at a row that cannot be read. Cost: about 10 ns per object;
    /// in a transaction also O(changes).
    package func scan(
        _ entity: UInt32, ids: ClosedRange<UInt64> = 0...UInt64.max, inOrder: Bool = true,
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws {
        try scanBatches(entity, ids: ids, inOrder: inOrder) { try $0.forEach(body) }
    }

    /// Like ``scan(_:ids:inOrder:_:)``, but passes adjacent rows together: a few hundred if the
    /// objects were written together.
    package func scanBatches(
        _ entity: UInt32, ids: ClosedRange<UInt64> = 0...UInt64.max, inOrder: Bool = true,
        _ body: (borrowing RowBatch) throws -> Bool
    ) throws {
        var walk = EntryCursor(self, entity, ids)
        var visit = RowVisit(log, entity)
        var pending = transaction?.changes.pendingRows(entity, ids)
        let isMixed = pending?.nextId != nil
        var entries = [WordEntry](repeating: WordEntry(), count: RowVisit.countAtFirst)
        while true {
            let count = try walk.next(into: &entries)
            guard count > 0 else { break }
            if isMixed {
                guard try visit.give(entries, count: count, among: &pending, body) else { return }
            } else {
                guard try visit.give(&entries, count: count, inOrder: inOrder, body) else { return }
            }
            let size = visit.nextCount(after: count, inOrder: inOrder || isMixed)
            if size != entries.count {
                entries = [WordEntry](repeating: WordEntry(), count: size)
            }
        }
        while pending?.nextId != nil {
            guard try pending?.giveNext(body) ?? false else { return }
        }
    }

    /// Passes the rows of objects to `body`, in the order of `ids`, until it returns false. Skips
    /// missing objects.
    ///
    /// Looks up all entries of some hundreds of objects before the first frame, and all frames
    /// before the first row. An object that `body` changes in the running transaction may still be
    /// passed in its previous state. Throws as ``scan(_:ids:inOrder:_:)``. Cost: about 30 ns per
    /// object.
    package func forEachRow(
        _ entity: UInt32, _ ids: [UInt64],
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws {
        var visit = RowVisit(log, entity)
        var entries: [WordEntry] = []
        var size = 32
        var start = 0
        while start < ids.count {
            let some = ids[start..<min(start + size, ids.count)]
            start = some.endIndex
            size = min(size * 4, 4096)
            if let transaction {
                guard try forEachRow(entity, some, of: transaction, &visit, body) else { return }
                continue
            }
            try lookUp(entity, some, into: &entries)
            let count = entries.count
            guard try visit.give(&entries, count: count, inOrder: true, { try $0.forEach(body) })
            else { return }
        }
    }

    /// Passes the rows of objects in the state of a transaction. Returns false if `body` does.
    private func forEachRow(
        _ entity: UInt32, _ ids: ArraySlice<UInt64>, of transaction: WriteTransaction,
        _ visit: inout RowVisit,
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws -> Bool {
        var rest = ids
        while !rest.isEmpty {
            // Unchanged objects are in the trees.
            let end =
                rest.firstIndex { transaction.changes.hasChanged(entity, $0) } ?? rest.endIndex
            var entries: [WordEntry] = []
            try lookUp(entity, rest[..<end], into: &entries)
            let count = entries.count
            guard try visit.give(&entries, count: count, inOrder: true, { try $0.forEach(body) })
            else { return false }
            rest = rest[end...]
            guard let id = rest.popFirst() else { break }
            if let row = try transaction.changes.row(entity, id) {
                guard try body(row.bytes, row.layout, id) else { return false }
            }
        }
        return true
    }

    private var log: Log {
        switch scope {
        case .read(let view): view.log
        case .write(let transaction): transaction.changes.engine.log
        }
    }
}

extension RowVisit {
    /// The number of entries to collect before the first row: a caller that needs only some rows
    /// need not wait for many.
    static let countAtFirst = 128

    /// The number of entries to collect next. It is largest for scattered rows of an unordered
    /// scan.
    func nextCount(after count: Int, inOrder: Bool) -> Int {
        guard isScattered else { return 1024 }
        return min(count * 8, inOrder ? 8192 : 1 << 18)
    }

    /// Passes the rows of entries and of the transaction, ordered by id. Returns false if `body`
    /// does.
    mutating func give(
        _ entries: [WordEntry], count: Int, among pending: inout PendingRows?, _ body: Body
    ) throws -> Bool {
        var start = 0
        while start < count, let id = pending?.nextId, id <= entries[count - 1].key {
            var end = start
            while entries[end].key < id { end += 1 }
            guard try giveRuns(entries, start..<end, body), try pending?.giveNext(body) ?? true
            else { return false }
            start = entries[end].key == id ? end + 1 : end
        }
        return try giveRuns(entries, start..<count, body)
    }
}
