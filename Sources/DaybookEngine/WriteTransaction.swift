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

    private var changes: PendingChanges
    /// Why the whole transaction will be rolled back, once that is so.
    private(set) var doom: DaybookError?
    /// What the commit record will say beside sequence and time.
    package var metadata: [String: String] = [:]
    var isOver = false

    init(_ engine: Engine) { changes = PendingChanges(engine) }

    /// Whether there is anything to commit.
    var isEmpty: Bool { changes.operations.allSatisfy(\.isDead) }

    /// Which ids were given out.
    var givenIds: [PendingChanges.GivenIds] { changes.givenIds }

    /// Lets `body` have what is to be committed, in place: a copy would cost more than a small
    /// commit's encoding.
    func withChanges<Result>(
        _ body: (inout PendingChanges) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        try body(&changes)
    }

    // MARK: Changes

    /// Stores a row under `id`, or under a new id where that is 0. Returns the id.
    ///
    /// Throws `.idExists`, `.notFound`, or `.idUnknown` for an id that the store never gave out,
    /// unless ids may be chosen freely (`isAssignable`); then nothing changes.
    ///
    /// Where another object has the same values in a unique index, `onConflict` says what becomes
    /// of it, by the number of the index: `.uniqueViolation` where nothing is said. All indexes are
    /// looked at before anything changes. Two objects that exchange their values need a third value
    /// in between.
    ///
    /// A row of an entity with a primary key, put with id 0, goes to the object that has the key as
    /// `upsert` says. Throws `.primaryKeyChanged` for an id whose object has another key, and
    /// `.invalidValue` for a key without a value.
    package func put(
        _ entity: UInt32, _ id: UInt64, layout: UInt32, row: Span<UInt8>, mode: PutMode,
        isAssignable: Bool, onConflict: [UInt32: UniqueConflict] = [:],
        upsert: UpsertPolicy = .error
    ) throws(DaybookError) -> UInt64 {
        try requireUsable()
        return try changes.put(
            entity, id, layout: layout, row: row, mode: mode, isAssignable: isAssignable,
            rules: PutRules(onConflict: onConflict, upsert: upsert))
    }

    /// Removes an object; false if none lives under the id.
    package func remove(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        try requireUsable()
        return try changes.remove(entity, id)
    }

    /// Appends a row to an entity of events. Returns its number, which rises from 1.
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

    /// Notes a compaction.
    func note(_ compacted: CompactedRecord) {
        changes.append(PendingOperation(kind: .compacted, entity: 0, id: 0)) {
            compacted.encode(to: &$0)
        }
    }

    // MARK: Reading its own state

    /// The object's row in the state of this transaction.
    package func row(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> StoredRow? {
        try requireUsable()
        return try changes.row(entity, id)
    }

    /// Whether an object lives in the state of this transaction.
    package func contains(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        try requireUsable()
        return try changes.contains(entity, id)
    }

    /// The object that has a key in a unique index, in the state of this transaction; nil for an
    /// index that the store does not keep, or that is not unique.
    package func find(
        _ entity: UInt32, index: UInt32, _ key: IndexKey
    ) throws(DaybookError) -> UInt64? {
        try requireUsable()
        return try changes.find(entity, index, key)
    }

    /// How many objects live in the state of this transaction. Cost: O(operations since it was
    /// asked last).
    package func count(_ entity: UInt32) throws(DaybookError) -> Int {
        try requireUsable()
        return try changes.count(entity)
    }

    /// The ids of the living objects, ascending, in the state of this transaction. Cost:
    /// O(objects).
    package func ids(_ entity: UInt32) throws(DaybookError) -> [UInt64] {
        try requireUsable()
        return try changes.ids(entity)
    }

    // MARK: Savepoints

    /// The state to go back to when one operation on several objects fails half way.
    package struct Savepoint {
        fileprivate var operationCount: Int
        fileprivate var byteCount: Int
    }

    package func savepoint() -> Savepoint {
        Savepoint(operationCount: changes.operations.count, byteCount: changes.bytes.count)
    }

    /// Forgets everything since `savepoint`; the ids that were given out stay used up.
    package func roll(backTo savepoint: Savepoint) {
        changes.roll(backTo: savepoint.operationCount, byteCount: savepoint.byteCount)
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

    private func requireUsable() throws(DaybookError) {
        if isOver {
            throw DaybookError(.closed, "The transaction is over. Use it inside its block only.")
        }
        if let doom { throw doom }
    }
}
