package import DaybookBytes
import DaybookRecords
import DaybookPages

// Reads of the objects in the state of the transaction.
extension PendingChanges {
    /// The object's row in the state of this transaction.
    package mutating func row(
        _ entity: UInt32, _ id: UInt64
    ) throws(DaybookError) -> StoredRow? {
        try requireUsable()
        if let index = objects.find(entity, id) {
            let operation = operations[index]
            guard operation.kind == .put else { return nil }
            return StoredRow(
                pending: bytes.span.extracting(operation.bytes).array, layout: operation.layout,
                id: id)
        }
        return try withBase { reader throws(DaybookError) in
            guard let entry = try reader.object(entity, id) else { return nil }
            return try StoredRow(entry, entity: entity, id: id, in: engine.log)
        }
    }

    /// Whether an object exists in the state of this transaction.
    package mutating func contains(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        try requireUsable()
        if let index = objects.find(entity, id) { return operations[index].kind == .put }
        return try withBase { reader throws(DaybookError) in try reader.object(entity, id) != nil }
    }

    /// Whether the transaction puts or removes an object.
    func hasChanged(_ entity: UInt32, _ id: UInt64) -> Bool { objects.find(entity, id) != nil }

    /// The objects of an entity that the transaction puts or removes.
    func changedIds(_ entity: UInt32) -> [UInt64] { objects.all(entity).map(\.id) }

    /// The transaction's changes of an entity's objects, ordered by id.
    func pendingRows(_ entity: UInt32, _ ids: ClosedRange<UInt64>) -> PendingRows {
        var rows = PendingRows(bytes: bytes)
        for (id, index) in objects.all(entity) where ids.contains(id) {
            let operation = operations[index]
            rows.add(
                id, operation.kind == .put ? operation.bytes : nil, layout: operation.layout)
        }
        rows.sort()
        return rows
    }

    /// The ids of the objects, ascending, in the state of this transaction. Cost: O(objects).
    package mutating func ids(_ entity: UInt32) throws(DaybookError) -> [UInt64] {
        try requireUsable()
        let changed = objects.all(entity)
        let hidden = Set(changed.map(\.id))
        var ids = try withBase { reader throws(DaybookError) in
            var ids: [UInt64] = []
            var cursor = try reader.words(IndexTree.objects(of: entity))
            while let (id, value) = try cursor.next() {
                if !ObjectEntry(value).isRemoved, !hidden.contains(id) { ids.append(id) }
            }
            return ids
        }
        ids += changed.filter { operations[$0.operation].kind == .put }.map(\.id)
        ids.sort()
        return ids
    }

    /// The ids of the objects from `id` on, ascending and at most `limit`, before this transaction.
    mutating func storedIds(
        _ entity: UInt32, from id: UInt64, limit: Int
    ) throws(DaybookError) -> [UInt64] {
        try requireUsable()
        return try withBase { reader throws(DaybookError) in
            var ids: [UInt64] = []
            var cursor = try reader.words(IndexTree.objects(of: entity), from: id)
            while ids.count < limit, let (id, value) = try cursor.next() {
                if !ObjectEntry(value).isRemoved { ids.append(id) }
            }
            return ids
        }
    }

    /// The object's entry, stored or removed, before this transaction.
    mutating func baseEntry(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> ObjectEntry? {
        guard id < firstFreeId(entity) else { return nil }
        return try withBase { reader throws(DaybookError) in
            try reader.get(IndexTree.objects(of: entity), id).map { ObjectEntry($0) }
        }
    }

    /// Reads the newest trees. Rebuilds them if a group of the snapshot is damaged: this thread
    /// holds the writer lock.
    func withBase<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        let space = engine.slot.current
        do throws(DaybookError) {
            return try body(space.working)
        } catch  where error.isDamagedSnapshot {
            try engine.rebuild(replacing: space)
            return try body(engine.slot.current.working)
        }
    }
}
