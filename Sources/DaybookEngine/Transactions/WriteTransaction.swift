package import DaybookBytes
package import DaybookRecords
import DaybookPages

/// A running write transaction: changes in memory, on top of the newest state of the indexes.
/// Before the commit, nothing is in the log or the trees, so a rollback costs nothing.
///
/// Only the thread that holds the writer lock uses it.
package final class WriteTransaction {
    /// The largest id; the smallest is 1. The highest number stays free.
    package static let idMax = UInt64.max - 1

    private var changes: PendingChanges
    /// The error because of which the whole transaction will be rolled back; nil if it can be
    /// committed.
    private(set) var doom: DaybookError?
    /// The metadata of the commit record.
    var noted = PendingMetadata()
    var isOver = false
    /// Callbacks that undo the callers' own records of the changes, oldest first.
    private var undos: [() -> Void] = []

    init(_ engine: Engine) { changes = PendingChanges(engine) }

    /// Whether there is nothing to commit.
    var isEmpty: Bool { changes.operations.allSatisfy(\.isDead) }

    /// The assigned ids.
    var givenIds: [PendingChanges.GivenIds] { changes.givenIds }

    /// Passes the changes to `body` in place: a copy would cost more than the encoding of a small
    /// commit.
    func withChanges<Result>(
        _ body: (inout PendingChanges) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        try body(&changes)
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
    package func put(
        _ entity: UInt32, _ id: UInt64, layout: UInt32, row: Span<UInt8>,
        _ options: PutOptions = PutOptions()
    ) throws(DaybookError) -> PutOutcome {
        try requireUsable()
        return try changes.put(entity, id, layout: layout, row: row, options)
    }

    /// Removes an object. Returns false if the id has no object.
    ///
    /// Removes the object's links, too. The delete rules of its relations apply to the objects at
    /// the other ends. Throws `.relationDenied` if a rule denies the removal; nothing changes then.
    package func remove(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        try requireUsable()
        return try changes.remove(entity, id)
    }

    /// Removes several objects together and skips missing ones. Returns the number of removed
    /// objects. Rules that deny consider only objects that are not removed. Throws as `remove` of
    /// one object does.
    package func remove(_ entity: UInt32, _ ids: [UInt64]) throws(DaybookError) -> Int {
        try requireUsable()
        return try changes.remove(entity, ids)
    }

    /// Appends a row to an entity of events. Returns the event's number; numbers rise from 1.
    ///
    /// Throws `.invalidArgument` for an entity of objects.
    @discardableResult
    package func append(
        _ entity: UInt32, layout: UInt32, row: Span<UInt8>
    ) throws(DaybookError) -> UInt64 {
        try requireUsable()
        return try changes.append(entity, layout: layout, row: row)
    }

    /// Adds a layout to the schema.
    package func define(_ layout: EntityLayout) throws(DaybookError) {
        try requireUsable()
        try changes.define(layout)
    }

    /// Adds the record of a compaction.
    func note(_ compacted: CompactedRecord) {
        changes.append(PendingOperation(kind: .compacted, entity: 0, id: 0)) {
            compacted.encode(to: &$0)
        }
    }

    // MARK: Links

    /// Links two objects. Returns false if the link exists. A to-one relation loses its previous
    /// link.
    ///
    /// Throws `.notFound` if one of the objects does not exist, and `.invalidArgument` for a list
    /// or an unknown relation.
    @discardableResult
    package func link(
        _ relation: UInt32, _ source: UInt64, _ target: UInt64
    ) throws(DaybookError) -> Bool {
        try requireUsable()
        return try changes.link(relation, source, target)
    }

    /// Removes the link between two objects. Returns false if there is none. Throws
    /// `.invalidArgument` as `link` does.
    @discardableResult
    package func unlink(
        _ relation: UInt32, _ source: UInt64, _ target: UInt64
    ) throws(DaybookError) -> Bool {
        try requireUsable()
        return try changes.unlink(relation, source, target)
    }

    /// Makes `target` the only target of `source`; nil removes all targets. Throws as `link` does.
    package func setTarget(
        _ relation: UInt32, _ source: UInt64, _ target: UInt64?
    ) throws(DaybookError) {
        try requireUsable()
        try changes.setTarget(relation, source, target)
    }

    /// Changes a list to the given elements, and writes only the differences. Returns the positions
    /// of the elements.
    ///
    /// `base` contains the positions that the caller knows; elements that other writers inserted
    /// meanwhile stay. Throws `.notFound` if the source or a target does not exist, and
    /// `.invalidArgument` for a relation that is not a list.
    package func setList(
        _ relation: UInt32, _ source: UInt64, from base: [[UInt8]], to list: [ListPlacement]
    ) throws(DaybookError) -> [[UInt8]] {
        try requireUsable()
        return try changes.setList(relation, source, from: base, to: list)
    }

    /// Removes the objects that lost their last link in this transaction, if the relation's rules
    /// remove orphans.
    func removeOrphans() throws(DaybookError) { try changes.removeOrphans() }

    // MARK: Reads of its own state

    /// The ids at the other end, as ``ReadView/links(of:after:limit:)``.
    package func links(
        of end: LinkEnd, after: UInt64 = 0, limit: Int = .max
    ) throws(DaybookError) -> [UInt64] {
        try requireUsable()
        return try changes.links(of: end, after: after, limit: limit)
    }

    /// The number of objects at the other end; for a list, the number of its elements.
    package func linkCount(of end: LinkEnd) throws(DaybookError) -> Int {
        try requireUsable()
        return try changes.linkCount(of: end)
    }

    /// The elements of a list, in order.
    package func list(
        _ relation: UInt32, _ source: UInt64
    ) throws(DaybookError) -> [ListElement] {
        try requireUsable()
        return try changes.list(relation, source)
    }

    /// The object's row in the state of this transaction.
    package func row(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> StoredRow? {
        try requireUsable()
        return try changes.row(entity, id)
    }

    /// Whether an object exists in the state of this transaction.
    package func contains(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        try requireUsable()
        return try changes.contains(entity, id)
    }

    /// The object with a key in a unique index, in the state of this transaction. Nil for an index
    /// that does not exist or is not unique.
    package func find(
        _ entity: UInt32, index: UInt32, _ key: IndexKey
    ) throws(DaybookError) -> UInt64? {
        try requireUsable()
        return try changes.find(entity, index, key)
    }

    /// The number of objects in the state of this transaction. Cost: O(operations since the last
    /// call).
    package func count(_ entity: UInt32) throws(DaybookError) -> Int {
        try requireUsable()
        return try changes.count(entity)
    }

    /// The ids of the objects, ascending, in the state of this transaction. Cost: O(objects).
    package func ids(_ entity: UInt32) throws(DaybookError) -> [UInt64] {
        try requireUsable()
        return try changes.ids(entity)
    }

    // MARK: Savepoints

    /// The state to restore if an operation on several objects fails midway.
    package struct Savepoint {
        fileprivate var operationCount: Int
        fileprivate var byteCount: Int
        fileprivate var undoCount: Int
    }

    package func savepoint() -> Savepoint {
        Savepoint(
            operationCount: changes.operations.count, byteCount: changes.bytes.count,
            undoCount: undos.count)
    }

    /// Discards all changes since `savepoint`. Assigned ids are not reused.
    package func roll(backTo savepoint: Savepoint) {
        changes.roll(backTo: savepoint.operationCount, byteCount: savepoint.byteCount)
        takeBack(to: savepoint.undoCount)
    }

    /// Registers a callback that runs if the changes so far are not committed.
    package func whenAbandoned(_ undo: @escaping () -> Void) { undos.append(undo) }

    /// Notifies callers that nothing was committed.
    func abandon() { takeBack(to: 0) }

    /// Runs the callbacks from last to first, because one may depend on an earlier one.
    private func takeBack(to count: Int) {
        while undos.count > count, let undo = undos.popLast() { undo() }
    }

    /// Makes the whole transaction fail, whatever its outer blocks do.
    package func doom(because cause: any Error) {
        guard doom == nil else { return }
        doom = DaybookError(
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
        if let doom { throw doom }
    }
}
