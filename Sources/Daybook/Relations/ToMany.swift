public import DaybookBytes
import DaybookEngine

/// A relation from an object to any number of other objects, or a backlink: the objects whose
/// ``ToOne`` or ``ToMany`` leads to this object.
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
/// It is a collection that contains each object once: in the order of their ids, followed by the
/// objects that were added since the last read. The first use of the collection reads all objects,
/// in one version, and keeps them until ``reset()``; only ``append(_:)`` reads nothing. For
/// relations with very many objects, use ``countInDb()``, ``page(after:limit:)`` and
/// ``forEachInDb(_:)``, which keep nothing.
///
/// Changes are written by ``applyToDb()``, or by a put of the object that has the relation. What is
/// written is the difference between what was read and what the list contains, so links that
/// another program added in the meantime stay. ``replace(_:)``, `removeAll()` and a relation that
/// was assigned as a whole replace all links: afterwards the store has exactly the objects of the
/// list. New objects are put along; of stored objects only the links are written, never the
/// fields. Removing an object from the relation does not remove it from the store.
///
/// After ``applyToDb()``, and after a put of the object, the next use of the collection reads the
/// links again, so that it shows links that were added or removed elsewhere. Objects in memory stay
/// the same objects; the store reads only those that are new.
///
/// The relations of the objects in a backlink keep what they read: `order.customer` is unchanged
/// until it is reset, or the order is put.
///
/// Several threads may use the relation at once, as far as its objects allow that: no change is
/// lost. Iterate over a copy then, such as `Array(customer.orders)`, or with `for`, because
/// positions may change. A slice is not a copy: a change to it changes the relation.
public final class ToMany<Target: Entity>: ExpressibleByNilLiteral, ExpressibleByArrayLiteral {
    let lock = RelationLock()
    /// The links of the relation in the store; nil until the object is put.
    var attachment: Attachment?
    /// The objects, and what is known about the links. In an attached relation without a base, the
    /// additions.
    var list: MemberList<Target>
    /// Why a change is incomplete: the links could not be read. The next write throws it.
    var lostChange: DaybookError?
    var lastFailure: DaybookError?
    /// Counts resets. A put that is under way must not undo a reset.
    var generation = 0
    /// Counts resets and settled puts. A read that is under way must not undo them.
    var readStamp = 0
    /// The transaction whose rollback also undoes what is read in it, because it put the relation.
    weak var settling: WriteTransaction?

    /// Makes an empty relation. A put of it removes no links.
    public init(nilLiteral: ()) { list = MemberList() }

    /// Makes an empty relation, like `nil`.
    public init() { list = MemberList() }

    /// Makes a relation to exactly these objects.
    public init(_ elements: some Sequence<Target>) {
        list = MemberList(Array(elements), isWhole: true)
    }

    /// Makes a relation to exactly these objects.
    public init(arrayLiteral elements: Target...) { list = MemberList(elements, isWhole: true) }

    init(_ attachment: Attachment?) {
        self.attachment = attachment
        list = MemberList()
    }

    deinit {
        if !list.isEmpty { DeferredRelease.empty(&list, leaving: MemberList()) }
    }

    /// Whether the objects are in memory, so that the next use reads nothing.
    public var resolved: Bool { lock { isResolved } }

    /// Whether there are changes that were not written.
    public var hasPendingDbChanges: Bool { lock { list.hasChanges } }

    /// Whether ``applyToDb()`` can write: the object that has the relation is stored, its store is
    /// open, and it was not read from a past version.
    public var canInteractWithDb: Bool {
        guard let attachment = lock({ attachment }) else { return false }
        return attachment.isCurrent && attachment.types.engine.isOpen
    }

    /// The error of the last read; nil if it succeeded. The collection then contains only what is
    /// in memory, and no link is removed because of that.
    public var failure: DaybookError? { lock { lastFailure } }

    /// Discards what was read, and the changes that were not written. The next use reads the
    /// objects again. Does nothing if the object that has the relation was never put.
    public func reset() {
        let dropped: MemberList<Target>? = lock {
            guard attachment != nil else { return nil }
            let old = list
            list = MemberList(after: old)
            (lostChange, lastFailure) = (nil, nil)
            (generation, readStamp) = (generation + 1, readStamp + 1)
            return old
        }
        // Released outside the lock: the deinit of an object is the user's code.
        withExtendedLifetime(dropped) {}
    }

    /// The objects, like the collection itself, but a read that fails throws.
    ///
    /// Returns the stored objects in the order of their ids, then the objects that were added and
    /// not written; an empty array for an object that was never put and has none. Cost: that of the
    /// first use of the collection; afterwards a copy of the array.
    ///
    /// Throws as ``Box/get(_:)-(Id)`` does: `.closed` if the store is closed, `.corruption` if a
    /// row is damaged. The collection shows only what is in memory then.
    public func get() throws -> [Target] {
        for _ in 0..<attemptCountMax {
            try resolve()
            if let objects = lock({ isResolved ? list.objects : nil }) { return objects }
        }
        return lock { list.objects }
    }

    /// Reads the objects, unless they are in memory.
    ///
    /// Throws as ``Box/get(_:)-(Id)`` does.
    public func resolve() throws {
        guard let (attachment, stamp) = unread() else { return }
        let held = lock { list.heldIds }
        try noting {
            let (ids, rows) = try attachment.rows(of: Target.self, except: held)
            try keep(rows, attachment, stamp, ids: ids)
        }
    }

    /// The same as ``resolve()``.
    public func resolveFromDb() throws { try resolve() }

    // MARK: Reading

    /// Whether no read is needed. Call under the lock.
    var isResolved: Bool { attachment == nil || list.isRead }

    /// Where to read, and the stamp of the read; nil if no read is needed.
    func unread() -> (Attachment, Int)? {
        lock {
            guard let attachment, !isResolved else { return nil }
            return (attachment, readStamp)
        }
    }

    /// Merges what was read with the local changes.
    ///
    /// - Parameter ids: the ids of all links, if some of their objects were not read.
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
            return (old, attachment, self.settling)
        }
        withExtendedLifetime(old) {}
        guard let kept, kept.isCurrent,
            let transaction = kept.types.engine.changingTransaction, transaction !== settling
        else { return }
        forgetWhenAbandoned(kept, transaction)
    }

    /// Discards what was read in a transaction if that is rolled back.
    private func forgetWhenAbandoned(_ attachment: Attachment, _ transaction: WriteTransaction) {
        let generation = lock { self.generation }
        transaction.whenAbandoned { [weak self] in
            self?.forgetUncommitted(attachment, generation)
        }
    }

    private func forgetUncommitted(_ attachment: Attachment, _ generation: Int) {
        let isNeeded = lock { self.generation == generation && !list.removed.isEmpty }
        let ids = isNeeded ? Result { try attachment.ids(of: Target.self) } : nil
        // Objects are released outside the lock.
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

    /// Runs a read, and keeps its error in ``failure``.
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

    /// Calls `body` under the lock with the list, which is read first if that is needed.
    ///
    /// `body` returns the objects that it removes, so that they are released outside the lock.
    func shown<Result>(_ body: (inout MemberList<Target>) -> Result) -> Result {
        // Another thread may reset the relation between the read and the use.
        for _ in 0..<attemptCountMax {
            do { try resolve() } catch { break }
            if let result = lock({ isResolved ? .some(body(&list)) : nil }) { return result }
        }
        return lock { body(&list) }
    }

    /// Calls `body` with the list to change it. If the links are unknown because they could not be
    /// read, the change is incomplete, and the next write throws the error of the read.
    func edited<Result>(_ body: (inout MemberList<Target>) -> Result) -> Result {
        let result = shown(body)
        lock {
            if !isResolved, !list.hasBase, lostChange == nil { lostChange = lastFailure }
        }
        return result
    }
}

/// The number of attempts to read a relation that other threads reset at the same time.
private let attemptCountMax = 100
