public import DaybookBytes
import DaybookEngine

/// A to-many relation: a collection of the objects to which an object is linked.
///
/// A `ToMany` property stores links of its own, or, with `@Backlink`, shows the objects whose
/// ``ToOne`` or ``ToMany`` property refers to this object:
///
/// ```swift
/// @Entity final class Customer {
///     var id: Id = 0
///     @Backlink(\Order.customer) var orders: ToMany<Order> = nil
/// }
///
/// customer.orders.append(order)
/// try customer.orders.applyToDb()
/// ```
///
/// The collection contains each object once. Stored objects come first, in ascending order of
/// their ids, followed by the objects that were added since the last read.
///
/// ## Reading
///
/// The first use of the collection reads all objects from one version and keeps them until
/// ``reset()``. ``append(_:)`` and ``replace(_:)`` read nothing. For large relations, use
/// ``countInDb()``, ``page(after:limit:)`` and ``forEachInDb(_:)``, which keep no object in memory.
///
/// ## Writing
///
/// ``applyToDb()`` writes the changes, and so does a put of the owner, the object that has the
/// relation. Both write only the links that were added and removed since the last read, so links
/// that another program added in the meantime stay. ``replace(_:)``, `removeAll()` and the
/// assignment of a new relation replace all links: afterwards the store has exactly the objects
/// of the collection.
///
/// A write also puts the new objects of the collection. For stored objects it writes only the
/// links, never the fields. Removing an object from the relation does not remove the object from
/// the store.
///
/// After ``applyToDb()`` or a put of the owner, the next use of the collection reads the links
/// again, so it shows links that were added or removed elsewhere. Objects in memory keep their
/// identity; only objects that are not in memory are read.
///
/// A change to a backlink does not update the relations of its objects in memory:
/// `order.customer` is unchanged until it is reset or the order is put.
///
/// ## Copies of a struct
///
/// All copies of a struct share the collection, and a put writes its changes for the copy that is
/// put. The first put of a copy as a new object gives it all links of the original. Each later put
/// of either writes only the changes since the last put of that object, so links that another
/// program added stay. The collection then reads the links of the object that was put last.
///
/// ## Concurrency
///
/// Several threads may use the relation concurrently if its objects allow it: no change is lost.
/// Positions may change during such use, so iterate with `for`, or over a copy such as
/// `Array(customer.orders)`. A slice is not a copy: a change to a slice changes the relation.
public final class ToMany<Target: Entity>: ExpressibleByNilLiteral, ExpressibleByArrayLiteral {
    let lock = RelationLock()
    /// The links of the relation in the store; nil until the object is put.
    var attachment: Attachment?
    /// The objects and the links that were read. In an attached relation without a base, only the
    /// additions.
    var list: MemberList<Target>
    /// The read error that made a change incomplete. The next write throws it.
    var lostChange: DaybookError?
    var lastFailure: DaybookError?
    /// The number of resets. A put in progress must not undo a reset.
    var generation = 0
    /// The number of resets and settled puts. A read in progress must not undo them.
    var readStamp = 0
    /// The transaction that put the relation. Its rollback also undoes the reads made in it.
    weak var settling: WriteTransaction?
    /// The last commit whose links a put added to the list.
    var settled = SettledCommit()
    /// The other objects for which the relation was put.
    var formerHosts = FormerHosts()
    /// The stamp of a read that may not see that commit.
    private var outdatedStamp: Int?

    /// Creates an empty relation. A put of the relation removes no links.
    public init(nilLiteral: ()) { list = MemberList() }

    /// Creates an empty relation, like `nil`. A put of the relation removes no links.
    public init() { list = MemberList() }

    /// Creates a relation to exactly the given objects. A put of the relation replaces all links.
    public init(_ elements: some Sequence<Target>) {
        list = MemberList(whole: Array(elements))
    }

    /// Creates a relation to exactly the given objects. A put of the relation replaces all links.
    public init(arrayLiteral elements: Target...) { list = MemberList(whole: elements) }

    init(_ attachment: Attachment?) {
        self.attachment = attachment
        list = MemberList()
    }

    deinit {
        // Stored properties, because a computed one would copy the list.
        if list.readObjects != nil || list.changed != nil {
            DeferredRelease.release(now: { list.dropObjects() }, later: list)
        }
    }

    /// Whether the objects are in memory. If true, the next use reads nothing.
    public var resolved: Bool { lock { isResolved } }

    /// Whether the relation has changes that were not written.
    public var hasPendingDbChanges: Bool { lock { list.hasChanges } }

    /// Whether ``applyToDb()`` can write: the owner is stored, its store is open, and the owner was
    /// not read from a past version.
    public var canInteractWithDb: Bool {
        guard let attachment = lock({ attachment }) else { return false }
        return attachment.isCurrent && attachment.types.engine.isOpen
    }

    /// The error of the last read; nil if the read succeeded.
    ///
    /// After a failed read the collection contains only the objects in memory. A failed read never
    /// causes a write to remove a link.
    public var failure: DaybookError? { lock { lastFailure } }

    /// Discards the objects that were read and the changes that were not written.
    ///
    /// The next use reads the objects again. Does nothing if the owner was never put.
    public func reset() {
        let dropped: MemberList<Target>? = lock {
            guard attachment != nil else { return nil }
            let old = list
            list = MemberList(after: old)
            (lostChange, lastFailure) = (nil, nil)
            (generation, readStamp) = (generation + 1, readStamp + 1)
            return old
        }
        // Release the objects outside the lock: an object's deinit is user code.
        withExtendedLifetime(dropped) {}
    }

    /// Returns the objects of the collection, and throws if they cannot be read.
    ///
    /// Cost: one read of all links and objects at the first use; afterwards a copy of the array.
    ///
    /// - Returns: The stored objects in ascending order of their ids, followed by the objects that
    ///   were added and not written. The array is empty if the owner was never put and no object
    ///   was added.
    /// - Throws: The errors of ``Box/get(_:)``: `.closed` if the store is closed,
    ///   `.corruption` if a row is damaged. The collection then shows only the objects in memory.
    @discardableResult
    public func get() throws -> [Target] {
        for _ in 0..<attemptCountMax {
            try load()
            let isAhead = isAhead
            if let objects = lock({ isUsable(isAhead) ? list.objects : nil }) { return objects }
        }
        return lock { list.objects }
    }

    /// Reads the objects into memory, unless they are in memory already. Throws the errors of
    /// ``get()``.
    func load() throws {
        guard let (attachment, stamp) = unread() else { return }
        // Stored properties first, because a computed one would copy the list.
        let held: Set<Id> = lock { list.changed == nil && !list.isStale ? [] : list.heldIds }
        try noting {
            let (ids, rows) = try attachment.rows(of: Target.self, except: held)
            try keep(rows, attachment, stamp, ids: ids)
        }
    }

    // MARK: Reading

    /// Whether the relation needs no read. Requires the lock.
    var isResolved: Bool { attachment == nil || list.isRead }

    /// Returns the attachment to read from and the stamp of the read; nil if no read is needed, or
    /// if the list is ahead of a read.
    func unread() -> (Attachment, Int)? {
        while true {
            guard
                let (attachment, settled) = lock({
                    isResolved ? nil : attachment.map { ($0, settled) }
                })
            else { return nil }
            let isAhead = settled.isAhead(of: attachment)
            let unread: (attachment: Attachment, stamp: Int)?? = lock {
                guard self.settled == settled else { return .none }
                if isAhead, list.hasBase { return .some(nil) }
                if isAhead { outdatedStamp = readStamp }
                return (attachment, readStamp)
            }
            if let unread { return unread }
        }
    }

    /// Whether the list contains links of a commit that a read on this thread would not see. Such a
    /// read must not replace the links, because it would discard the changes made since the put.
    var isAhead: Bool {
        guard let (attachment, settled) = lock({ attachment.map { ($0, settled) } }) else {
            return false
        }
        return settled.isAhead(of: attachment)
    }

    /// Whether the list can be used after ``load()``. Requires the lock.
    private func isUsable(_ isAhead: Bool) -> Bool { isResolved || (isAhead && list.hasBase) }

    /// Merges the rows that were read with the local changes.
    ///
    /// - Parameter ids: The ids of all links, if the objects of some links were not read.
    func keep(
        _ rows: [StoredRow], _ attachment: Attachment, _ stamp: Int, ids: [Id]? = nil
    ) throws {
        let rowIds = rows.map(\.id)
        keep(ids ?? rowIds, rowIds, try attachment.decode(rows), stamp)
    }

    func keep(_ ids: [Id], _ rowIds: [Id], _ objects: [Target], _ stamp: Int) {
        let (old, kept, settling) = lock {
            () -> (MemberList<Target>, Attachment?, WriteTransaction?) in
            let old = list
            guard readStamp == stamp, !isResolved else { return (old, nil, nil) }
            list.merge(ids, rowIds, objects)
            // The next use reads again.
            if outdatedStamp == stamp { list.markStale() }
            return (old, attachment, self.settling)
        }
        withExtendedLifetime(old) {}
        guard let kept, kept.isCurrent,
            let transaction = kept.types.engine.changingTransaction, transaction !== settling
        else { return }
        forgetWhenAbandoned(kept, transaction)
    }

    /// Discards the links that were read in a transaction if the transaction is rolled back.
    private func forgetWhenAbandoned(_ attachment: Attachment, _ transaction: WriteTransaction) {
        let generation = lock { self.generation }
        transaction.whenAbandoned { [weak self] in
            self?.forgetUncommitted(attachment, generation)
        }
    }

    private func forgetUncommitted(_ attachment: Attachment, _ generation: Int) {
        let isNeeded = lock { self.generation == generation && !list.removed.isEmpty }
        let ids = isNeeded ? Result { try attachment.ids(of: Target.self) } : nil
        // Release the objects outside the lock.
        let old = lock {
            let old = list
            guard self.generation == generation, list.hasBase, !list.isWhole else { return old }
            readStamp += 1
            switch ids {
            case .success(let ids): list.rebase(on: Set(ids))
            case .failure(let error):
                lostChange = DaybookError(reading: error)
                list.forgetRead()
            case nil: list.forgetRead()
            }
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Runs a read, and keeps its error in ``failure``. Rethrows the error.
    func noting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            let result = try body()
            lock { lastFailure = nil }
            return result
        } catch {
            if !(error is CancellationError) {
                lock { lastFailure = DaybookError(reading: error) }
            }
            throw error
        }
    }

    /// Reads the list if necessary, then calls `body` with it under the lock.
    ///
    /// `body` returns the objects that it removes. The caller releases them outside the lock.
    func shown<Result>(_ body: (inout MemberList<Target>) -> Result) -> Result {
        // Another thread may reset the relation between the read and the call of `body`.
        for _ in 0..<attemptCountMax {
            do { try load() } catch { break }
            let isAhead = isAhead
            if let result = lock({ isUsable(isAhead) ? .some(body(&list)) : nil }) { return result }
        }
        return lock { body(&list) }
    }

    /// Calls `body` to change the list.
    ///
    /// If the links cannot be read, the change is incomplete, and the next write throws the error
    /// of the read.
    func edited<Result>(_ body: (inout MemberList<Target>) -> Result) -> Result {
        let result = shown(body)
        lock {
            if !isResolved, !list.hasBase, lostChange == nil { lostChange = lastFailure }
        }
        return result
    }
}

/// The maximum number of attempts to read a relation that other threads reset concurrently.
private let attemptCountMax = 100
