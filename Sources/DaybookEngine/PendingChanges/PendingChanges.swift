import DaybookBytes
import DaybookRecords
import DaybookPages

/// What a transaction has gathered: its operations, their bytes, and the ids that it gave out.
///
/// A value, so that the transaction, which is an object, is entered once a call and not once a
/// variable: the checks of exclusive access were a sixth of a large put.
struct PendingChanges {
    let engine: Engine
    /// The ids of the entities that the transaction came across. They are few: a search is short.
    private(set) var givenIds: [GivenIds] = []
    var operations: [PendingOperation] = []
    private(set) var bytes = ByteWriter(capacity: 128)
    private(set) var objects = PendingObjects()
    /// The layouts that it adds to the schema.
    private(set) var layouts: [EntityLayout] = []
    /// What reads the keys of those entities among ``givenIds`` that have indexes.
    var keyReaders: [UInt32: KeyReader] = [:]
    /// Whose the keys of unique indexes are.
    var owners = UniqueOverlay()
    /// The keys in the indexes that queries have asked.
    var queriedKeys: [UInt32: PendingKeys] = [:]
    /// Which links were made and undone.
    var pendingLinks = PendingLinks()
    /// Objects that may have lost their last link.
    var orphans: [PossibleOrphan] = []
    /// Keys of which only the end counts, while uniqueness is deferred; nil at all other times.
    var contested: ContestedKeys?
    /// Whether rows have all values, those included that the program does not declare.
    var putsWholeRows = false
    private var undeclared = UndeclaredValues()
    /// The entities whose objects were counted.
    private var tallies: [UInt32: Tally] = [:]

    /// How many objects came and went with the first operations of the transaction.
    private struct Tally {
        var operationCount = 0
        var change = 0
    }

    init(_ engine: Engine) { self.engine = engine }

    // MARK: Changes

    mutating func put(
        _ entity: UInt32, _ id: UInt64, layout: UInt32, row: Span<UInt8>, _ options: PutOptions
    ) throws(DaybookError) -> PutOutcome {
        let given = givenIndex(entity)
        guard givenIds[given].traits.isPlain else {
            return try putIndexed(entity, id, layout, row, options)
        }
        if let since = options.unchangedSince { try requireUnchanged(entity, id, since: since) }
        let outcome = try outcome(
            ofPut: entity, id, options.mode, isAssignable: options.isAssignable, given)
        if let whole = try completed(row, layout, entity, outcome.id) {
            add(put: whole.span, layout: layout, entity, outcome.id)
        } else {
            add(put: row, layout: layout, entity, outcome.id)
        }
        return outcome
    }

    mutating func add(put row: Span<UInt8>, layout: UInt32, _ entity: UInt32, _ id: UInt64) {
        let start = bytes.count
        bytes.append(row)
        add(
            PendingOperation(
                kind: .put, entity: entity, id: id, layout: layout, bytes: start..<bytes.count))
    }

    /// The row of a layout that has properties which the program does not declare, with their
    /// values; nil where a row is whole as it is.
    @inline(__always)
    mutating func completed(
        _ row: Span<UInt8>, _ layout: UInt32, _ entity: UInt32, _ id: UInt64
    ) throws(DaybookError) -> [UInt8]? {
        guard engine.schemas.hasUndeclaredFields, !putsWholeRows,
            let union = undeclared.layout(layout, engine.schemas)
        else { return nil }
        return try completed(row, union, entity, id)
    }

    @inline(never)
    private mutating func completed(
        _ row: Span<UInt8>, _ layout: RowLayout, _ entity: UInt32, _ id: UInt64
    ) throws(DaybookError) -> [UInt8]? {
        let isNew = isNewId(entity, id) && objects.find(entity, id) == nil
        guard id > 0, !isNew else { return nil }
        do throws(DaybookError) {
            guard let before = try self.row(entity, id) else { return nil }
            return try undeclared.merge(row, layout, before: before, engine.schemas)
        } catch  where error.code == .corruption && !error.isDamagedSnapshot {
            // Values that are lost cannot be kept, and the object is to be replaced.
            return nil
        }
    }

    /// Removes an object, and what its relations say of it; false if none lives under the id.
    mutating func remove(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        let given = givenIndex(entity)
        if !givenIds[given].traits.isPlain { try requireObjects(entity) }
        guard try contains(entity, id) else { return false }
        guard engine.schemas.hasRelations else { return try removeAlone(entity, id) }
        try removeRelated(entity, [id])
        return true
    }

    /// Removes objects together, so that none of them stands in the way of another; returns how
    /// many there were.
    mutating func remove(_ entity: UInt32, _ ids: [UInt64]) throws(DaybookError) -> Int {
        let given = givenIndex(entity)
        if !givenIds[given].traits.isPlain { try requireObjects(entity) }
        var known: Set<UInt64> = []
        var living: [UInt64] = []
        for id in ids where known.insert(id).inserted {
            if known.count & 1023 == 0 { try OperationCancellation.checkCurrent() }
            if try contains(entity, id) { living.append(id) }
        }
        if engine.schemas.hasRelations {
            try removeRelated(entity, living)
        } else {
            for id in living { _ = try removeAlone(entity, id) }
        }
        return living.count
    }

    /// The last operation of this transaction on an object.
    func lastOperation(_ entity: UInt32, _ id: UInt64) -> Int? { objects.find(entity, id) }

    /// Removes an object that has no relations, or none any more.
    mutating func removeAlone(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        let given = givenIndex(entity)
        if givenIds[given].traits.hasUniqueIndexes {
            let keys = try uniqueKeys(entity, id)
            free(keys, entity, id)
        }
        add(PendingOperation(kind: .remove, entity: entity, id: id))
        return true
    }

    /// A layout for the schema.
    mutating func define(_ layout: EntityLayout) throws(DaybookError) {
        // One that no index can be made of is refused before anything counts on it.
        _ = try IndexPlan(layout)
        append(PendingOperation(kind: .schema, entity: layout.entityID, id: 0)) {
            layout.encode(to: &$0)
        }
        layouts.append(layout)
        let given = givenIndex(layout.entityID)
        givenIds[given].traits = traits(of: layout.entityID)
    }

    /// Appends a row to an entity of events. Returns its number.
    mutating func append(
        _ entity: UInt32, layout: UInt32, row: Span<UInt8>
    ) throws(DaybookError) -> UInt64 {
        try requireEvents(entity)
        let given = givenIndex(entity)
        let id = try outcome(ofPut: entity, 0, .put, isAssignable: false, given).id
        let operation = PendingOperation(kind: .event, entity: entity, id: id, layout: layout)
        append(operation) { $0.append(row) }
        return id
    }

    /// An operation on no object, with what `encode` writes.
    mutating func append(_ operation: PendingOperation, _ encode: (inout ByteWriter) -> Void) {
        let start = bytes.count
        encode(&bytes)
        var operation = operation
        operation.bytes = start..<bytes.count
        operations.append(operation)
    }

    mutating func add(_ operation: PendingOperation) {
        var operation = operation
        operation.superseded = objects.find(operation.entity, operation.id)
        if let earlier = operation.superseded { operations[earlier].isDead = true }
        operations.append(operation)
        objects.set(
            operation.entity, operation.id, operations.count - 1,
            firstFreeId: firstFreeId(operation.entity))
    }

    /// Forgets everything behind the first operations and bytes. The ids stay used up: `givenIds`
    /// is not taken back.
    mutating func roll(backTo operationCount: Int, byteCount: Int) {
        tallies = tallies.filter { $0.value.operationCount <= operationCount }
        queriedKeys = queriedKeys.filter { $0.value.operationCount <= operationCount }
        while operations.count > operationCount, let last = operations.popLast() {
            if last.kind == .schema { forgetLastLayout() }
            if last.kind.isLink { forgetLast(link: last) }
            guard last.kind == .put || last.kind == .remove else { continue }
            if let earlier = last.superseded { operations[earlier].isDead = false }
            objects.set(
                last.entity, last.id, last.superseded, firstFreeId: firstFreeId(last.entity))
        }
        bytes.truncate(to: byteCount)
        owners.roll(backTo: operationCount)
        pendingLinks.roll(backTo: operationCount)
        while let last = orphans.last, last.operation >= operationCount { orphans.removeLast() }
    }

    private mutating func forgetLastLayout() {
        guard let layout = layouts.popLast() else { return }
        let given = givenIndex(layout.entityID)
        givenIds[given].traits = traits(of: layout.entityID)
    }

    // MARK: Reading its own state

    /// The object's row in the state of this transaction.
    mutating func row(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> StoredRow? {
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

    /// Whether an object lives in the state of this transaction.
    mutating func contains(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        if let index = objects.find(entity, id) { return operations[index].kind == .put }
        return try withBase { reader throws(DaybookError) in try reader.object(entity, id) != nil }
    }

    /// Whether the transaction puts or removes an object.
    func hasChanged(_ entity: UInt32, _ id: UInt64) -> Bool { objects.find(entity, id) != nil }

    /// The objects of an entity that the transaction puts or removes.
    func changedIds(_ entity: UInt32) -> [UInt64] { objects.all(entity).map(\.id) }

    /// What the transaction makes of an entity's objects, in the order of their ids.
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

    /// How many objects live in the state of this transaction. Cost: O(operations since it was
    /// asked last).
    mutating func count(_ entity: UInt32) throws(DaybookError) -> Int {
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
        let base = engine.trees.withLock { $0.applied.counts[entity]?.objectCount }
        return Int(clamping: base ?? 0) + tally.change
    }

    /// The ids of the living objects, ascending, in the state of this transaction. Cost:
    /// O(objects).
    mutating func ids(_ entity: UInt32) throws(DaybookError) -> [UInt64] {
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

    /// The object's entry, living or removed, before this transaction.
    mutating func baseEntry(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> ObjectEntry? {
        guard id < firstFreeId(entity) else { return nil }
        return try withBase { reader throws(DaybookError) in
            try reader.get(IndexTree.objects(of: entity), id).map { ObjectEntry($0) }
        }
    }

    /// Reads the newest trees. Where a group of the snapshot is damaged they are built anew: this
    /// thread holds the writer lock.
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

    // MARK: Ids

    /// Which ids of an entity are taken.
    struct GivenIds {
        let entity: UInt32
        /// The first that was free when the transaction began.
        let firstFree: UInt64
        /// The next after all that were given out, here and before, taken back or not.
        fileprivate(set) var next: UInt64
        fileprivate(set) var traits: EntityTraits
    }

    /// Where the ids of an entity stand in ``givenIds``.
    mutating func givenIndex(_ entity: UInt32) -> Int {
        if let index = givenIds.firstIndex(where: { $0.entity == entity }) { return index }
        let traits = traits(of: entity)
        let given = engine.trees.withLock { state in
            let firstFree = state.applied.counts[entity]?.nextId ?? 1
            return GivenIds(
                entity: entity, firstFree: firstFree,
                next: max(state.nextIds[entity] ?? 1, firstFree), traits: traits)
        }
        givenIds.append(given)
        return givenIds.count - 1
    }

    private mutating func firstFreeId(_ entity: UInt32) -> UInt64 {
        givenIds[givenIndex(entity)].firstFree
    }

    /// The id that a put writes to, and the effect. `given` is the index of the entity in
    /// ``givenIds``. Throws if mode and id do not allow the put; nothing changes then.
    mutating func outcome(
        ofPut entity: UInt32, _ id: UInt64, _ mode: PutMode, isAssignable: Bool, _ given: Int
    ) throws(DaybookError) -> PutOutcome {
        let next = givenIds[given].next
        if id == 0 {
            guard mode != .update else { throw WriteTransaction.notFound(0) }
            guard next <= WriteTransaction.idMax else { throw WriteTransaction.idInvalid(next) }
            givenIds[given].next = next + 1
            return PutOutcome(next, .inserted)
        }
        guard id <= WriteTransaction.idMax else { throw WriteTransaction.idInvalid(id) }
        if id >= next {
            guard mode != .update else { throw WriteTransaction.notFound(id) }
            guard isAssignable else { throw WriteTransaction.idUnknown(id, next) }
            givenIds[given].next = id + 1
            return PutOutcome(id, .inserted)
        }
        switch mode {
        case .put: break
        case .insert: if try contains(entity, id) { throw WriteTransaction.idExists(id) }
        case .update: if try !contains(entity, id) { throw WriteTransaction.notFound(id) }
        }
        return PutOutcome(id, .replaced)
    }

    /// Whether the store had not given out an id before this transaction.
    mutating func isNewId(_ entity: UInt32, _ id: UInt64) -> Bool { id >= firstFreeId(entity) }
}
