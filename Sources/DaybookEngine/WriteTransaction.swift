package import DaybookBytes
package import DaybookIndex
import DaybookPages

/// A running write transaction: changes gathered in memory, over the newest state of the indexes.
/// Nothing is in the log or the trees before it commits, so giving it up costs nothing.
///
/// Used by one thread, the one that holds the writer lock.
package final class WriteTransaction {
    /// Ids from 1 up to this; the highest number is kept free.
    package static let idMax = UInt64.max - 1

    private let engine: Engine
    /// The ids of the entities that the transaction came across. They are few: a search is short.
    private(set) var givenIds: [GivenIds] = []
    private(set) var operations: [PendingOperation] = []
    private var pending = PendingObjects()
    private(set) var bytes = ByteWriter(capacity: 128)
    /// Why the whole transaction will be rolled back, once that is so.
    private(set) var doom: DaybookError?
    /// What the commit record will say beside sequence and time.
    package var metadata: [String: String] = [:]
    var isOver = false

    /// How many objects came and went with the first operations of the transaction.
    private struct Tally {
        var operationCount = 0
        var change = 0
    }

    /// The entities whose objects were counted.
    private var tallies: [UInt32: Tally] = [:]

    init(_ engine: Engine) { self.engine = engine }

    /// Whether there is anything to commit.
    var isEmpty: Bool { operations.allSatisfy(\.isDead) }

    /// Hands over what is to be committed; the transaction has nothing left.
    func takeOperations() -> [PendingOperation] {
        defer { operations = [] }
        return operations
    }

    // MARK: Changes

    /// Stores a row under `id`, or under a new id where that is 0. Returns the id.
    ///
    /// Throws `.idExists`, `.notFound`, or `.idUnknown` for an id that the store never gave out,
    /// unless ids may be chosen freely (`isAssignable`); then nothing changes.
    package func put(
        _ entity: UInt32, _ id: UInt64, layout: UInt32, row: Span<UInt8>, mode: PutMode,
        isAssignable: Bool
    ) throws(DaybookError) -> UInt64 {
        try requireUsable()
        let id = try idForPut(entity, id, mode, isAssignable: isAssignable)
        let start = bytes.count
        bytes.append(row)
        add(
            PendingOperation(
                kind: .put, entity: entity, id: id, layout: layout, bytes: start..<bytes.count))
        return id
    }

    /// Removes an object; false if none lives under the id.
    package func remove(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        try requireUsable()
        guard try contains(entity, id) else { return false }
        add(PendingOperation(kind: .remove, entity: entity, id: id))
        return true
    }

    /// Adds a layout to the schema.
    package func define(_ layout: EntityLayout) throws(DaybookError) {
        try requireUsable()
        try append(PendingOperation(kind: .schema, entity: layout.entityID, id: 0)) {
            layout.encode(to: &$0)
        }
    }

    /// Notes a compaction.
    func note(_ compacted: CompactedRecord) throws(DaybookError) {
        try append(PendingOperation(kind: .compacted, entity: 0, id: 0)) {
            compacted.encode(to: &$0)
        }
    }

    private func append(
        _ operation: PendingOperation, _ encode: (inout ByteWriter) -> Void
    ) throws(DaybookError) {
        let start = bytes.count
        encode(&bytes)
        var operation = operation
        operation.bytes = start..<bytes.count
        operations.append(operation)
    }

    private func add(_ operation: PendingOperation) {
        var operation = operation
        operation.superseded = pending.find(operation.entity, operation.id)
        if let earlier = operation.superseded { operations[earlier].isDead = true }
        operations.append(operation)
        pending.set(
            operation.entity, operation.id, operations.count - 1,
            firstFreeId: firstFreeId(operation.entity))
    }

    // MARK: Reading its own state

    /// The object's row in the state of this transaction.
    package func row(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> StoredRow? {
        try requireUsable()
        if let index = pending.find(entity, id) {
            let operation = operations[index]
            guard operation.kind == .put else { return nil }
            let bytes = bytes
            return StoredRow(
                pending: bytes.span.extracting(operation.bytes).array, layout: operation.layout,
                id: id)
        }
        return try withBase { reader throws(DaybookError) in
            guard let entry = try reader.object(entity, id) else { return nil }
            return try StoredRow(entry, entity: entity, id: id, in: engine.log)
        }
    }

    /// Whether an object lives in the state of this transaction.
    package func contains(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        try requireUsable()
        if let index = pending.find(entity, id) { return operations[index].kind == .put }
        return try withBase { reader throws(DaybookError) in try reader.object(entity, id) != nil }
    }

    /// How many objects live in the state of this transaction. Cost: O(operations since it was
    /// asked last).
    package func count(_ entity: UInt32) throws(DaybookError) -> Int {
        try requireUsable()
        var tally = tallies[entity] ?? Tally()
        for index in tally.operationCount..<operations.count {
            let operation = operations[index]
            guard operation.entity == entity, operation.kind == .put || operation.kind == .remove
            else { continue }
            let wasThere: Bool
            if let earlier = operation.superseded {
                wasThere = operations[earlier].kind == .put
            } else {
                wasThere = try baseEntry(entity, operation.id).map { !$0.isRemoved } ?? false
            }
            tally.change += (operation.kind == .put ? 1 : 0) - (wasThere ? 1 : 0)
        }
        tally.operationCount = operations.count
        tallies[entity] = tally
        let base = engine.trees.withLock { $0.fold.counts[entity]?.objectCount }
        return Int(clamping: base ?? 0) + tally.change
    }

    /// The ids of the living objects, ascending, in the state of this transaction. Cost:
    /// O(objects).
    package func ids(_ entity: UInt32) throws(DaybookError) -> [UInt64] {
        try requireUsable()
        let changed = pending.all(entity)
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

    /// The object's entry, living or removed, before this transaction.
    func baseEntry(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> ObjectEntry? {
        guard id < firstFreeId(entity) else { return nil }
        return try withBase { reader throws(DaybookError) in
            try reader.get(IndexTree.objects(of: entity), id).map { ObjectEntry($0) }
        }
    }

    /// Reads the newest trees. Where a group of the snapshot is damaged they are built anew: this
    /// thread holds the writer lock.
    private func withBase<Result>(
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

    // MARK: Savepoints

    /// The state to go back to when one operation on several objects fails half way.
    package struct Savepoint {
        fileprivate var operationCount: Int
        fileprivate var byteCount: Int
    }

    package func savepoint() -> Savepoint {
        Savepoint(operationCount: operations.count, byteCount: bytes.count)
    }

    /// Forgets everything since `savepoint`.
    package func roll(backTo savepoint: Savepoint) {
        tallies = tallies.filter { $0.value.operationCount <= savepoint.operationCount }
        while operations.count > savepoint.operationCount, let last = operations.popLast() {
            guard last.kind == .put || last.kind == .remove else { continue }
            if let earlier = last.superseded { operations[earlier].isDead = false }
            pending.set(
                last.entity, last.id, last.superseded, firstFreeId: firstFreeId(last.entity))
        }
        bytes.truncate(to: savepoint.byteCount)
        // The ids stay used up: `givenIds` is not taken back.
    }

    /// Makes the whole transaction fail, whatever its outer blocks do.
    package func doom(because cause: any Error) {
        guard doom == nil else { return }
        doom = DaybookError(
            .transactionDoomed,
            "An inner transaction failed, so the whole transaction is rolled back. Let the inner"
                + " error pass to the outermost block, or do not nest.",
            cause: cause)
    }

    // MARK: Ids

    /// Which ids of an entity are taken.
    struct GivenIds {
        let entity: UInt32
        /// The first that was free when the transaction began.
        let firstFree: UInt64
        /// The next after all that were given out, here and before, taken back or not.
        fileprivate(set) var next: UInt64
    }

    /// Where the ids of an entity stand in ``givenIds``.
    private func givenIndex(_ entity: UInt32) -> Int {
        if let index = givenIds.firstIndex(where: { $0.entity == entity }) { return index }
        let given = engine.trees.withLock { state in
            let firstFree = state.fold.counts[entity]?.nextId ?? 1
            return GivenIds(
                entity: entity, firstFree: firstFree,
                next: max(state.nextIds[entity] ?? 1, firstFree))
        }
        givenIds.append(given)
        return givenIds.count - 1
    }

    private func firstFreeId(_ entity: UInt32) -> UInt64 {
        givenIds[givenIndex(entity)].firstFree
    }

    private func idForPut(
        _ entity: UInt32, _ id: UInt64, _ mode: PutMode, isAssignable: Bool
    ) throws(DaybookError) -> UInt64 {
        let given = givenIndex(entity)
        let next = givenIds[given].next
        if id == 0 {
            guard mode != .update else { throw Self.notFound(0) }
            guard next <= Self.idMax else { throw Self.idInvalid(next) }
            givenIds[given].next = next + 1
            return next
        }
        guard id <= Self.idMax else { throw Self.idInvalid(id) }
        if id >= next {
            guard mode != .update else { throw Self.notFound(id) }
            guard isAssignable else { throw Self.idUnknown(id, next) }
            givenIds[given].next = id + 1
            return id
        }
        switch mode {
        case .put: break
        case .insert: if try contains(entity, id) { throw Self.idExists(id) }
        case .update: if try !contains(entity, id) { throw Self.notFound(id) }
        }
        return id
    }

    /// Whether the store had not given out an id before this transaction.
    func isNewId(_ entity: UInt32, _ id: UInt64) -> Bool { id >= firstFreeId(entity) }

    private func requireUsable() throws(DaybookError) {
        if isOver {
            throw DaybookError(.closed, "The transaction is over. Use it inside its block only.")
        }
        if let doom { throw doom }
    }
}
