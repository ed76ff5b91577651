public import DaybookBytes
import DaybookEngine

/// A to-one relation: a link from an object to at most one other object, the target.
///
/// ```swift
/// @Entity final class Order {
///     var id: Id = 0
///     var customer: ToOne<Customer> = nil
/// }
///
/// order.customer.target = customer
/// try store.box(for: Order.self).put(order)   // puts the customer too, if it is new
/// ```
///
/// The link is not part of the row of its owner, the object that has the relation. A put of the
/// owner writes the link only if the link was set. It also puts a target that is not stored yet.
/// For a stored target it writes only the link, never the fields.
///
/// The first use reads the target and keeps it until ``reset()``. After a put of the owner, the
/// next use reads the link again, so it shows a link that was changed elsewhere. The target in
/// memory stays the same object as long as the link refers to it.
///
/// All references to a class instance share one relation, and so do all copies of a struct.
/// Threads may use the relation one after another. Concurrent use does not damage it.
public final class ToOne<Target: Entity>: ExpressibleByNilLiteral {
    let lock = RelationLock()
    /// The link of the relation in the store; nil until the object is put.
    var attachment: Attachment?
    var state: LinkState
    /// Whether the host was put since the link was read or set. The link may have changed in the
    /// store since then.
    var isStale = false
    /// The last commit in which a put wrote the link.
    var settled = SettledCommit()
    /// Whether the target was set and not put.
    var isEdited = false
    /// Whether the target was put in a transaction that was rolled back. The target then has an id
    /// but is not stored.
    var isRolledBack = false
    var lastFailure: DaybookError?
    /// The number of resets and changes of the target. A put in progress must not undo them.
    var generation = 0
    /// The number of changes, resets and settled puts. A read in progress must not undo them.
    var readStamp = 0

    /// Creates a relation to an object, or an empty relation from nil.
    ///
    /// A put of the owner also puts a target that has no id.
    public init(_ target: Target?) {
        state = Self.state(of: target)
        isEdited = true
    }

    /// Creates a relation to the object with the given id, or an empty relation from nil.
    public init(targetId: EntityId<Target>?) {
        state = .id(targetId?.value)
        isEdited = true
    }

    /// Creates a relation without a target.
    public init(nilLiteral: ()) {
        state = .id(nil)
        isEdited = true
    }

    init(_ attachment: Attachment?) {
        self.attachment = attachment
        state = attachment == nil ? .id(nil) : .stored
    }

    deinit {
        switch state {
        case .object(_, .some), .new:
            DeferredRelease.release(now: { state = .id(nil) }, later: state)
        case .stored, .id, .object: break
        }
    }

    private static func state(of target: Target?) -> LinkState {
        guard let target else { return .id(nil) }
        return target.entityId == 0 ? .new(target) : .object(target.entityId, target)
    }

    /// The target; nil if the relation has no target, if the target was removed, or if it cannot be
    /// read. After a failed read ``failure`` is the error, and ``get()`` throws it.
    ///
    /// The first use reads the target from the store and keeps it. The next put of the owner writes
    /// a target that was set. Setting nil removes the link, never an object.
    public var target: Target? {
        get { try? get() }
        set { set(Self.state(of: newValue)) }
    }

    /// The id of the target; nil if the relation has no target, or if the link cannot be read. The
    /// id is 0 if the target is not stored yet.
    ///
    /// A put of the owner throws `.cannotRelateToUnsaved` if the id was set to 0, and `.notFound`
    /// if no object has the id.
    public var targetId: EntityId<Target>? {
        get { (try? resolveId()).flatMap { $0 }.map { EntityId($0) } }
        set { set(.id(newValue?.value)) }
    }

    /// Whether the relation has a target: whether ``targetId`` is not nil.
    public var hasValue: Bool { targetId != nil }

    /// The error of the last read; nil if the read succeeded.
    public var failure: DaybookError? { lock { lastFailure } }

    /// Discards the link and the target that were read, and a target that was set and not put.
    ///
    /// The next use reads the link again. Does nothing if the owner was never put.
    public func reset() {
        let dropped: LinkState? = lock {
            guard attachment != nil else { return nil }
            let old = state
            (state, isEdited, lastFailure) = (.stored, false, nil)
            isStale = false
            (generation, readStamp) = (generation + 1, readStamp + 1)
            return old
        }
        // Release the target outside the lock: an object's deinit is user code.
        withExtendedLifetime(dropped) {}
    }

    /// Returns the target, like ``target``, and throws if it cannot be read.
    ///
    /// Cost: one read of the link and the target at the first use; afterwards nothing is read.
    ///
    /// - Returns: The target; nil if the relation has no target or the target was removed.
    /// - Throws: The errors of ``Box/get(_:)``: `.closed` if the store is closed,
    ///   `.corruption` if the row of the target is damaged.
    @discardableResult
    public func get() throws -> Target? {
        try noting {
            guard let unread = unread() else { return known }
            let read = try unread.attachment.targetRow(
                of: Target.self, unread.id, held: unread.held?.id)
            return try keep(read, unread)
        }
    }

    func resolveId() throws -> Id? {
        try noting {
            let (known, unread) = linkAndUnread()
            if let unread, unread.id == nil {
                let id = try unread.attachment.ids(of: Target.self, limit: 1).first
                keep(.id(id), unread)
                return id
            }
            switch known {
            case .stored: return nil
            case .id(let id): return id
            case .object(let id, _): return id
            case .new(let target): return target.entityId
            }
        }
    }

    // MARK: Reading

    /// A target of the relation as an object of its type.
    static func own(_ target: any Entity) -> Target {
        func opened<E: Entity>(_ target: E) -> Target {
            guard let own = cast(target, toSame: Target.self) else {
                preconditionFailure("the relation converts its own targets only")
            }
            return own
        }
        return opened(target)
    }

    /// The target in memory; nil if it was not read.
    var known: Target? {
        lock { state.target }.map(Self.own)
    }

    /// Returns the input of a read; nil if the target is in memory, or the relation has no target.
    func unread() -> UnreadLink? { linkAndUnread().unread }

    /// Returns the link in memory, and the input of a read of the target.
    private func linkAndUnread() -> (link: LinkState, unread: UnreadLink?) {
        while true {
            let settled = lock { self.settled }
            let isOutdated = lock({ linkToRead }).map { settled.isAhead(of: $0) } ?? false
            let known: (LinkState, UnreadLink?)? = lock {
                // Another thread may put or reset the relation in the meantime.
                guard self.settled == settled else { return nil }
                return (state, unread(isOutdated: isOutdated))
            }
            if let known { return known }
        }
    }

    /// The attachment if the link must be read. Requires the lock.
    private var linkToRead: Attachment? {
        if case .stored = state { return attachment }
        return isStale ? attachment : nil
    }

    /// The input of a read. If the read would not see the link that a put wrote, the link in memory
    /// is used. Requires the lock.
    private func unread(isOutdated: Bool) -> UnreadLink? {
        guard let attachment else { return nil }
        var unread = UnreadLink(attachment: attachment, stamp: readStamp, isOutdated: isOutdated)
        let usesLink = !isStale || isOutdated
        switch state {
        case .stored: return unread
        case .id(let id):
            guard usesLink else { return unread }
            if id == nil || id == 0 { return nil }
            unread.id = .some(id)
            return unread
        case .object(let id, let object):
            if usesLink { return nil }
            unread.held = object.map { (id, $0) }
            return unread
        case .new: return nil
        }
    }

    /// Keeps a link and a row that were read, and returns the target.
    func keep(_ read: (id: Id?, rows: [StoredRow]), _ unread: UnreadLink) throws -> Target? {
        guard let id = read.id else {
            keep(.id(nil), unread)
            return nil
        }
        var target = unread.held.map { Self.own($0.object) }
        if unread.held?.id != id {
            target = try unread.attachment.decode(read.rows, as: Target.self).first
        }
        keep(.object(id, target), unread)
        return target
    }

    /// Keeps the state that was read, unless the relation was changed or put during the read.
    func keep(_ read: LinkState, _ unread: UnreadLink) {
        let (before, wasStale, attachment) = lock { () -> (LinkState, Bool, Attachment?) in
            let before = (state, isStale)
            guard readStamp == unread.stamp else { return (before.0, before.1, nil) }
            isStale = unread.isOutdated
            // Keep the target in memory when only its link was read again.
            if case .id(let id?) = read, case .object(id, .some) = state {
                return (before.0, before.1, self.attachment)
            }
            state = read
            return (before.0, before.1, self.attachment)
        }
        guard let attachment, attachment.isCurrent,
            let transaction = attachment.types.engine.changingTransaction
        else { return }
        forgetWhenAbandoned(before, wasStale, transaction)
    }

    /// Discards the state that was read in a transaction if the transaction is rolled back.
    private func forgetWhenAbandoned(
        _ before: LinkState, _ wasStale: Bool, _ transaction: WriteTransaction
    ) {
        let generation = lock { self.generation }
        transaction.whenAbandoned { [weak self] in
            guard let self else { return }
            let old = self.lock { () -> LinkState in
                let old = self.state
                guard self.generation == generation else { return old }
                (self.state, self.isStale) = (before, wasStale)
                self.readStamp += 1
                return old
            }
            withExtendedLifetime(old) {}
        }
    }

    private func set(_ new: LinkState) {
        let old = lock {
            let old = state
            (state, isEdited, lastFailure) = (new, true, nil)
            (isRolledBack, isStale) = (false, false)
            (generation, readStamp) = (generation + 1, readStamp + 1)
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
}

extension ToOne: Equatable {
    /// Returns whether both relations have the same ``targetId``.
    ///
    /// Relations to objects that are not stored yet (id 0) are equal only if they are the same
    /// relation.
    public static func == (one: ToOne, other: ToOne) -> Bool {
        one === other || one.targetId == other.targetId && one.targetId != 0
    }
}

extension DaybookError {
    /// Creates the error of a failed read of a relation. An error of user code becomes the cause.
    init(reading error: any Error) {
        if let error = error as? DaybookError {
            self = error
        } else {
            self.init(
                .invalidValue,
                "An object of a relation cannot be decoded. The cause is the decoding error.",
                cause: error)
        }
    }
}

/// The link of a ``ToOne`` in memory.
///
/// It does not depend on the type of the target, so its use needs no lookup of generic metadata.
enum LinkState {
    /// The link was not read.
    case stored
    /// The id of a target that was not read; nil without a target.
    case id(Id?)
    /// The id of a target, and the target that was read or set; nil if the object was removed.
    case object(Id, (any Entity)?)
    /// A target that had no id when it was set.
    case new(any Entity)

    /// The target in memory.
    var target: (any Entity)? {
        switch self {
        case .stored, .id: nil
        case .object(_, let target): target
        case .new(let target): target
        }
    }
}

/// The input of a read of the target of a ``ToOne``.
struct UnreadLink {
    var attachment: Attachment
    var stamp: Int
    /// The id of the target; the outer value is nil if the link must be read.
    var id: Id??
    /// The target in memory. It stays if the link still refers to it.
    var held: (id: Id, object: any Entity)?
    /// Whether the read does not see the link that a put wrote. The next use reads again.
    var isOutdated = false
}
