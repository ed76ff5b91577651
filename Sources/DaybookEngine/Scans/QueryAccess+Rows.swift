import DaybookBytes
package import DaybookRecords
import DaybookLog
import DaybookPages

// Rows in place.
extension QueryAccess {
    /// Gives each living object's row to `body` until that returns false: in the order of ids, or,
    /// where `inOrder` is false, in an order that serves objects well that were changed at random.
    ///
    /// It gives the state at its beginning, whatever `body` changes in the running transaction.
    /// Throws `.corruption` or `.inputOutput` at a row that cannot be read. Cost: some 10 ns an
    /// object; in a transaction also O(changes).
    package func scan(
        _ entity: UInt32, ids: ClosedRange<UInt64> = 0...UInt64.max, inOrder: Bool = true,
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws {
        try scanBatches(entity, ids: ids, inOrder: inOrder) { try $0.forEach(body) }
    }

    /// The same, as many rows at once as stand together: a few hundred where objects were written
    /// side by side.
    package func scanBatches(
        _ entity: UInt32, ids: ClosedRange<UInt64> = 0...UInt64.max, inOrder: Bool = true,
        _ body: (borrowing RowBatch) throws -> Bool
    ) throws {
        var walk = EntryCursor(self, entity, ids)
        var visit = RowVisit(try log, entity)
        var pending = try transaction?.withChanges { $0.pendingRows(entity, ids) }
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

    /// Gives the rows of those of the objects that live to `body`, in the order of the ids, until
    /// that returns false.
    ///
    /// All entries of some hundreds of objects are looked up before the first frame is, and all
    /// frames before the first row is given. An object that `body` changes in the running
    /// transaction may still be given as it was. Throws as ``scan(_:ids:inOrder:_:)``. Cost: some
    /// 30 ns an object.
    package func forEachRow(
        _ entity: UInt32, _ ids: [UInt64],
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws {
        var visit = RowVisit(try log, entity)
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

    /// The same for some objects in the state of a transaction; false where `body` has enough.
    private func forEachRow(
        _ entity: UInt32, _ ids: ArraySlice<UInt64>, of transaction: WriteTransaction,
        _ visit: inout RowVisit,
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws -> Bool {
        var rest = ids
        while !rest.isEmpty {
            // Those that it has not changed stand in the trees.
            let isChanged: (UInt64) throws(DaybookError) -> Bool = { id throws(DaybookError) in
                try transaction.withChanges { $0.hasChanged(entity, id) }
            }
            let end = try rest.firstIndex(where: isChanged) ?? rest.endIndex
            var entries: [WordEntry] = []
            try lookUp(entity, rest[..<end], into: &entries)
            let count = entries.count
            guard try visit.give(&entries, count: count, inOrder: true, { try $0.forEach(body) })
            else { return false }
            rest = rest[end...]
            guard let id = rest.popFirst() else { break }
            if let row = try transaction.row(entity, id) {
                guard try body(row.bytes, row.layout, id) else { return false }
            }
        }
        return true
    }

    private var log: Log {
        get throws(DaybookError) {
            switch scope {
            case .read(let view): view.log
            case .write(let transaction): try transaction.withChanges { $0.engine.log }
            }
        }
    }
}

extension RowVisit {
    /// How many entries are gathered before the first row is given: who wants but some need not
    /// wait for many.
    static let countAtFirst = 128

    /// How many to gather next: as many as pay, for what is scattered most of all where the order
    /// does not matter.
    func nextCount(after count: Int, inOrder: Bool) -> Int {
        guard isScattered else { return 1024 }
        return min(count * 8, inOrder ? 8192 : 1 << 18)
    }

    /// Gives the rows of entries and those of the transaction, in the order of ids; false where
    /// `body` has enough.
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
