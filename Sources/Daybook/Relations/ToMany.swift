public import DaybookBytes
import DaybookEngine

/// A relation from an object to any number of others; or such a relation of the others, or a
/// ``ToOne`` of theirs, seen from here: a backlink.
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
/// It is a collection of the objects, each once: in the order of their ids, behind them what was
/// added since. All of them are read at the first use of the collection, in one version, and kept
/// until ``reset()``; only ``append(_:)`` reads nothing. For relations with very many objects there
/// are ``countInDb()``, ``page(after:limit:)`` and ``forEachInDb(_:)``, which keep nothing.
///
/// What is changed is noted, and written by ``applyToDb()`` or by a put of the object that has the
/// relation: as the difference between what was read and what is there now, so what others have
/// added meanwhile stays. What is added and removed again is not written. New objects are put
/// along; of stored ones only the links are written, never their fields. Removing an object from
/// the relation does not remove it from the store.
///
/// Objects in a backlink keep what their own relation had read: `order.customer` is as it was
/// until it is reset.
///
/// It may be used from several threads at once, as far as the objects in it may be: it stays
/// whole, and no change is lost. Go through a copy then, such as `Array(customer.orders)`, or by
/// `for`, for positions may change under one. A slice is no copy: what changes it changes the
/// relation.
public final class ToMany<Target: Entity>: ExpressibleByNilLiteral, ExpressibleByArrayLiteral {
    let lock = RelationLock()
    /// Where the relation is kept; nil until the host is put.
    var attachment: Attachment?
    /// What it shows; where its base is nil and there is an attachment, what was added so far.
    var list: MemberList<Target>
    /// Why a change could not be made: what the store has could not be read. Nothing is written
    /// then.
    var lostChange: DaybookError?
    var lastFailure: DaybookError?
    /// Counts what a put that is under way must not undo: resets.
    var generation = 0
    /// Counts what a slow read must not undo: resets, and what puts have settled.
    var readStamp = 0

    /// Makes an empty relation, which removes nothing when it is put.
    public init(nilLiteral: ()) { list = MemberList() }

    /// Makes an empty relation. As nil.
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

    /// Whether the objects are in memory.
    public var resolved: Bool { lock { isResolved } }

    /// Whether it was changed, and not written since.
    public var hasPendingDbChanges: Bool { lock { list.hasChanges } }

    /// Whether ``applyToDb()`` can write: the object that has the relation is stored, its store is
    /// open, and it was not read from a version that is past.
    public var canInteractWithDb: Bool {
        guard let attachment = lock({ attachment }) else { return false }
        return attachment.isCurrent && attachment.types.engine.isOpen
    }

    /// Why the last read failed; nil where it went well. The collection is then as if the store had
    /// nothing of it, and nothing is removed because of that.
    public var failure: DaybookError? { lock { lastFailure } }

    /// Forgets what was read, and what was changed and not written: the next use reads anew. Does
    /// nothing where the object that has the relation was never put.
    public func reset() {
        let dropped: MemberList<Target>? = lock {
            guard attachment != nil else { return nil }
            let old = list
            list = MemberList(after: old)
            (lostChange, lastFailure) = (nil, nil)
            (generation, readStamp) = (generation + 1, readStamp + 1)
            return old
        }
        // Released outside the lock: what an object does at its end is not ours.
        withExtendedLifetime(dropped) {}
    }

    /// Reads the objects, unless they are in memory.
    ///
    /// Throws as ``Box/get(_:)-(Id)`` does.
    public func resolve() throws {
        guard let (attachment, stamp) = unread() else { return }
        try noting {
            let rows = try attachment.rows(of: Target.self)
            try keep(rows, attachment, stamp)
        }
    }

    /// The same as ``resolve()``.
    public func resolveFromDb() throws { try resolve() }

    // MARK: Reading

    /// Call under the lock.
    var isResolved: Bool { attachment == nil || list.hasBase }

    /// What a read needs; nil where none is needed.
    func unread() -> (Attachment, Int)? {
        lock {
            guard let attachment, !isResolved else { return nil }
            return (attachment, readStamp)
        }
    }

    /// Keeps what was read, behind it what was added meanwhile.
    func keep(_ rows: [StoredRow], _ attachment: Attachment, _ stamp: Int) throws {
        keep(rows.map(\.id), try attachment.decode(rows), stamp)
    }

    func keep(_ ids: [Id], _ objects: [Target], _ stamp: Int) {
        let read = MemberList<Target>(ids, stored: objects)
        let attachment: Attachment? = lock {
            guard readStamp == stamp, !isResolved else { return nil }
            let added = list
            list = read
            list.take(over: added)
            return self.attachment
        }
        guard let attachment, attachment.isCurrent else { return }
        forgetWhenAbandoned(attachment)
    }

    /// Sees to it that what was read in a transaction is not kept where that is rolled back.
    private func forgetWhenAbandoned(_ attachment: Attachment) {
        guard let transaction = attachment.types.engine.changingTransaction else { return }
        let generation = lock { self.generation }
        transaction.whenAbandoned { [weak self] in
            self?.forgetUncommitted(attachment, generation)
        }
    }

    private func forgetUncommitted(_ attachment: Attachment, _ generation: Int) {
        let isNeeded = lock { self.generation == generation && !list.removed.isEmpty }
        let ids = isNeeded ? Result { try attachment.ids(of: Target.self) } : nil
        // What goes is released outside the lock.
        let old = lock {
            let old = list
            guard self.generation == generation, list.hasBase, !list.isWhole else { return old }
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

    /// Remembers how a read went.
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

    /// Gives `body` what it shows, read where it has to be.
    ///
    /// Whatever the body takes out it returns, so that it is let go outside of the lock.
    func shown<Result>(_ body: (inout MemberList<Target>) -> Result) -> Result {
        // Another thread may reset it between the read and the use.
        for _ in 0..<attemptCountMax {
            do { try resolve() } catch { break }
            if let result = lock({ isResolved ? .some(body(&list)) : nil }) { return result }
        }
        return lock { body(&list) }
    }

    /// Gives `body` what it shows, to change it. Where that could not be read it is not known what
    /// the change is, and the next attempt to write throws that.
    func edited<Result>(_ body: (inout MemberList<Target>) -> Result) -> Result {
        let result = shown(body)
        lock {
            if !isResolved, lostChange == nil { lostChange = lastFailure }
        }
        return result
    }
}

/// How often a relation is read for one use, where others reset it meanwhile.
private let attemptCountMax = 100
