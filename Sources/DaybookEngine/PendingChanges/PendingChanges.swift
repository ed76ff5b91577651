package import DaybookBytes
package import DaybookRecords
import DaybookPages

/// The contents of a transaction: its operations, their bytes, and the assigned ids.
///
/// A value, so that the transaction object is accessed once per call and not once per variable: the
/// checks of exclusive access took a sixth of the time of a large put.
///
/// The package's functions throw `.closed` after the end of the transaction, and
/// `.transactionAborted` after ``abort(because:)``.
package struct PendingChanges {
    let engine: Engine
    /// The ids of the entities that the transaction uses. There are few, so a linear search is
    /// fast.
    private(set) var givenIds: [GivenIds] = []
    var operations: [PendingOperation] = []
    private(set) var bytes = ByteWriter(capacity: 128)
    private(set) var objects = PendingObjects()
    /// The layouts that the transaction adds to the schema.
    private(set) var layouts: [EntityLayout] = []
    /// The key readers of the entities in ``givenIds`` that have indexes.
    var keyReaders: [UInt32: KeyReader] = [:]
    /// The owners of keys in unique indexes.
    var owners = UniqueOverlay()
    /// The keys in the indexes that queries have read, by the number of the index.
    var queriedKeys: [UInt32: PendingKeys] = [:]
    /// The links that were added and removed.
    var pendingLinks = PendingLinks()
    /// Objects that may have lost their last link.
    var orphans: [PossibleOrphan] = []
    /// Keys that are checked only at the end, while uniqueness is deferred; nil otherwise.
    var contested: ContestedKeys?
    /// Whether rows contain all values, including those of undeclared properties.
    package var putsWholeRows = false
    private var undeclared = UndeclaredValues()
    /// The error because of which the whole transaction will be rolled back; nil if it can be
    /// committed.
    private(set) var abortError: DaybookError?
    /// Whether the transaction was committed or rolled back.
    var isOver = false
    /// The counts of objects by entity.
    private var tallies: [UInt32: Tally] = [:]

    /// The change of an object count by the first operations of the transaction.
    private struct Tally {
        var operationCount = 0
        var change = 0
    }

    init(_ engine: Engine) { self.engine = engine }

    /// Makes the whole transaction fail, whatever its outer blocks do.
    package mutating func abort(because cause: any Error) {
        guard abortError == nil else { return }
        abortError = DaybookError(
            .transactionAborted,
            "An inner transaction failed, so the whole transaction is rolled back. Let the inner"
                + " error propagate to the outermost block, or do not nest transactions.",
            cause: cause)
    }

    /// Throws if the transaction has ended or must be rolled back.
    func requireUsable() throws(DaybookError) {
        if isOver {
            throw DaybookError(.closed, "The transaction has ended. Use it only inside its block.")
        }
        if let abortError { throw abortError }
    }

    // MARK: Changes

    /// Stores a row under an id, or under a new id for 0.
    ///
    /// Throws `.idExists` and `.notFound` as ``PutOptions/mode`` requires, and `.idUnknown` for an
    /// id that the store never assigned, unless ids are assignable. Nothing changes then.
    ///
    /// If another object has the same values in a unique index, ``PutOptions/onConflict`` decides.
    /// All indexes are checked before anything changes. Two objects that exchange their values need
    /// a third value in between.
    ///
    /// A row of an entity with a primary key, put with id 0, goes to the object with that key as
    /// ``PutOptions/upsert`` decides. Throws `.primaryKeyChanged` for an id whose object has
    /// another key, and `.invalidValue` for a key without a value.
    ///
    /// Throws `.conflict` if a commit after ``PutOptions/unchangedSince`` has changed the object:
    /// see ``requireUnchanged(_:_:since:)``.
    @discardableResult
    package mutating func put(
        _ entity: UInt32, _ id: UInt64, layout: UInt32, row: Span<UInt8>,
        _ options: PutOptions = PutOptions()
    ) throws(DaybookError) -> PutOutcome {
        try requireUsable()
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

    /// The row with the values of undeclared properties, if its layout has any; nil if the row is
    /// complete.
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
            // Lost values cannot be kept; the put must still succeed.
            return nil
        }
    }

    /// Removes an object. Returns false if the id has no object.
    ///
    /// Removes the object's links, too. The delete rules of its relations apply to the objects at
    /// the other ends. Throws `.relationDenied` if a rule denies the removal; nothing changes then.
    package mutating func remove(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        try requireUsable()
        let given = givenIndex(entity)
        if !givenIds[given].traits.isPlain { try requireObjects(entity) }
        guard try contains(entity, id) else { return false }
        guard engine.schemas.hasRelations else { return try removeAlone(entity, id) }
        try removeRelated(entity, [id])
        return true
    }

    /// Removes several objects together and skips missing ones. Returns the number of removed
    /// objects. Rules that deny consider only objects that are not removed. Throws as `remove` of
    /// one object does.
    package mutating func remove(_ entity: UInt32, _ ids: [UInt64]) throws(DaybookError) -> Int {
        try requireUsable()
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

    /// Removes an object that has no links.
    mutating func removeAlone(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        let given = givenIndex(entity)
        if givenIds[given].traits.hasUniqueIndexes {
            let keys = try uniqueKeys(entity, id)
            free(keys, entity, id)
        }
        add(PendingOperation(kind: .remove, entity: entity, id: id))
        return true
    }

    /// Adds a layout to the schema.
    package mutating func define(_ layout: EntityLayout) throws(DaybookError) {
        try requireUsable()
        // Rejects a layout whose indexes are invalid before anything depends on it.
        _ = try IndexPlan(layout)
        append(PendingOperation(kind: .schema, entity: layout.entityID, id: 0)) {
            layout.encode(to: &$0)
        }
        layouts.append(layout)
        let given = givenIndex(layout.entityID)
        givenIds[given].traits = traits(of: layout.entityID)
    }

    /// Appends a row to an entity of events. Returns the event's number; numbers rise from 1.
    ///
    /// Throws `.invalidArgument` for an entity of objects.
    @discardableResult
    package mutating func append(
        _ entity: UInt32, layout: UInt32, row: Span<UInt8>
    ) throws(DaybookError) -> UInt64 {
        try requireUsable()
        try requireEvents(entity)
        let given = givenIndex(entity)
        let id = try outcome(ofPut: entity, 0, .put, isAssignable: false, given).id
        let operation = PendingOperation(kind: .event, entity: entity, id: id, layout: layout)
        append(operation) { $0.append(row) }
        return id
    }

    /// Appends an operation that concerns no object, with the bytes that `encode` writes.
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

    /// Discards all but the first operations and bytes. Assigned ids are not reused: `givenIds`
    /// does not change.
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

    /// The number of objects in the state of this transaction. Cost: O(operations since the last
    /// call).
    package mutating func count(_ entity: UInt32) throws(DaybookError) -> Int {
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
        let base = engine.trees.withLock { $0.applied.counts[entity]?.objectCount }
        return Int(clamping: base ?? 0) + tally.change
    }

    // MARK: Ids

    /// The assigned ids of an entity.
    struct GivenIds {
        let entity: UInt32
        /// The first id that was free when the transaction began.
        let firstFree: UInt64
        /// The next id after all assigned ids, in this transaction or before, rolled back or not.
        fileprivate(set) var next: UInt64
        /// The end of the ids that the transaction has taken from the ``IdAllocator``.
        fileprivate(set) var end: UInt64
        fileprivate(set) var traits: EntityTraits
    }

    /// The index of an entity in ``givenIds``.
    mutating func givenIndex(_ entity: UInt32) -> Int {
        if let index = givenIds.firstIndex(where: { $0.entity == entity }) { return index }
        let traits = traits(of: entity)
        let firstFree = engine.firstFreeId(entity)
        let next = max(engine.ids.next(entity), firstFree)
        givenIds.append(
            GivenIds(entity: entity, firstFree: firstFree, next: next, end: next, traits: traits))
        return givenIds.count - 1
    }

    /// Takes more ids: as many as the transaction has assigned, from 1 to 1,024, so that a large
    /// transaction rarely locks the allocator, and a small one leaves no gap.
    private mutating func takeIds(_ given: Int) {
        let ids = givenIds[given]
        let count = min(max(ids.next - ids.firstFree, 1), 1024)
        let taken = engine.ids.take(ids.entity, count, from: ids.next)
        givenIds[given].next = taken.lowerBound
        givenIds[given].end = taken.upperBound
    }

    /// Gives the ids back that the transaction has taken and not assigned. `mutating`, so that the
    /// call copies nothing.
    mutating func giveBackIds() {
        for ids in givenIds { engine.ids.giveBack(ids.entity, ids.next..<max(ids.next, ids.end)) }
    }

    mutating func firstFreeId(_ entity: UInt32) -> UInt64 {
        givenIds[givenIndex(entity)].firstFree
    }

    /// The id that a put writes to, and the effect. `given` is the index of the entity in
    /// ``givenIds``. Throws if mode and id do not allow the put; nothing changes then.
    mutating func outcome(
        ofPut entity: UInt32, _ id: UInt64, _ mode: PutMode, isAssignable: Bool, _ given: Int
    ) throws(DaybookError) -> PutOutcome {
        if id == 0 {
            guard mode != .update else { throw WriteTransaction.notFound(0) }
            if givenIds[given].next == givenIds[given].end { takeIds(given) }
            let next = givenIds[given].next
            guard next <= WriteTransaction.idMax else { throw WriteTransaction.idInvalid(next) }
            givenIds[given].next = next + 1
            return PutOutcome(next, .inserted)
        }
        guard id <= WriteTransaction.idMax else { throw WriteTransaction.idInvalid(id) }
        let next = givenIds[given].next
        if id >= next, !isReserved(id, given) {
            guard mode != .update else { throw WriteTransaction.notFound(id) }
            guard isAssignable else { throw WriteTransaction.idUnknown(id, next) }
            givenIds[given].next = id + 1
            if id >= givenIds[given].end {
                engine.ids.skip(entity, to: id + 1)
                takeIds(given)
            }
            return PutOutcome(id, .inserted)
        }
        switch mode {
        case .put: break
        case .insert: if try contains(entity, id) { throw WriteTransaction.idExists(id) }
        case .update: if try !contains(entity, id) { throw WriteTransaction.notFound(id) }
        }
        return PutOutcome(id, .replaced)
    }

    /// Whether an id was reserved while this transaction ran.
    private func isReserved(_ id: UInt64, _ given: Int) -> Bool {
        id >= givenIds[given].end && id < engine.ids.next(givenIds[given].entity)
    }

    /// Whether an id was not assigned before this transaction.
    mutating func isNewId(_ entity: UInt32, _ id: UInt64) -> Bool { id >= firstFreeId(entity) }
}
