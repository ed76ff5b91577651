public import DaybookBytes
import DaybookEngine

/// A relation from an object to at most one other object.
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
/// The link is not part of the order's row: a put of the order writes the link only if it was set.
/// The target is read at its first use and kept; ``reset()`` discards it. After a put of the order
/// the next use reads the link again, so that it shows a link that was changed elsewhere; the
/// target in memory stays the same object while the link leads to it. A stored target is not put
/// along: only the link is written.
///
/// Objects of a class share the relation; so do copies of a struct. Threads may use it one after
/// another; concurrent use does not damage it.
public final class ToOne<Target: Entity>: ExpressibleByNilLiteral {
    enum State {
        /// The link was not read.
        case stored
        /// The id of a target that was not read; nil if there is no target.
        case id(Id?)
        /// A target that was read or set; nil for a removed object.
        case object(Id, Target?)
        /// A target that had no id when it was set.
        case new(Target)
    }

    let lock = RelationLock()
    /// The link of the relation in the store; nil until the object is put.
    var attachment: Attachment?
    var state: State
    /// Whether the object was put since the link was read or set, so that the link may have changed
    /// in the store.
    var isStale = false
    /// Whether the target was set and not put.
    var isEdited = false
    /// Whether the target was put in a transaction that was rolled back: it keeps its id, and is
    /// not stored.
    var isRolledBack = false
    var lastFailure: DaybookError?
    /// Counts changes of the target and resets. A put that is under way must not undo them.
    var generation = 0
    /// Counts changes, resets and settled puts. A read that is under way must not undo them.
    var readStamp = 0

    /// Makes a relation to an object; to none with nil. A put of the host also puts a target that
    /// has no id.
    public init(_ target: Target?) {
        state = Self.state(of: target)
        isEdited = true
    }

    /// Makes a relation to an object, like ``init(_:)``.
    public convenience init(target: Target?) { self.init(target) }

    /// Makes a relation to the object with an id; to none with nil.
    public init(targetId: EntityId<Target>?) {
        state = .id(targetId?.value)
        isEdited = true
    }

    /// Makes a relation without a target.
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
        case .object(_, .some), .new: DeferredRelease.empty(&state, leaving: .id(nil))
        case .stored, .id, .object: break
        }
    }

    private static func state(of target: Target?) -> State {
        guard let target else { return .id(nil) }
        return target.entityId == 0 ? .new(target) : .object(target.entityId, target)
    }

    /// The object to which the relation leads; nil if there is none, if it was removed, or if it
    /// cannot be read: ``failure`` is the error then, and ``get()`` throws it.
    ///
    /// The first use reads the target from the store and keeps it. A put of the host writes a
    /// target that was set; nil removes the link, never an object.
    public var target: Target? {
        get { try? resolve() }
        set { set(Self.state(of: newValue)) }
    }

    /// The id of the object to which the relation leads; nil if there is none, or if the link
    /// cannot be read. 0 for an object that is not stored yet.
    ///
    /// A put of the host throws `.cannotRelateToUnsaved` if the id was set to 0, and `.notFound` if
    /// no object has the id.
    public var targetId: EntityId<Target>? {
        get { (try? resolveId()).flatMap { $0 }.map { EntityId($0) } }
        set { set(.id(newValue?.value)) }
    }

    /// Whether there is a target, like ``targetId``.
    public var hasValue: Bool { targetId != nil }

    /// The error of the last read; nil if it succeeded.
    public var failure: DaybookError? { lock { lastFailure } }

    /// Discards what was read, and a target that was set and not put. The next use reads the link
    /// again. Does nothing if the host was never put.
    public func reset() {
        let dropped: State? = lock {
            guard attachment != nil else { return nil }
            let old = state
            (state, isEdited, lastFailure) = (.stored, false, nil)
            isStale = false
            (generation, readStamp) = (generation + 1, readStamp + 1)
            return old
        }
        // Released outside the lock: the deinit of an object is the user's code.
        withExtendedLifetime(dropped) {}
    }

    /// The object to which the relation leads, like ``target``, but a read that fails throws.
    ///
    /// Returns nil if there is no target, or the target was removed; neither is an error. Cost:
    /// that of the first use of ``target``; afterwards nothing is read.
    ///
    /// Throws as ``Box/get(_:)-(Id)`` does: `.closed` if the store is closed, `.corruption` if the
    /// row of the target is damaged.
    public func get() throws -> Target? { try resolve() }

    /// Reads the target, unless it is in memory, and returns it, like ``get()``.
    @discardableResult
    public func resolve() throws -> Target? {
        try noting {
            guard let unread = unread() else { return known }
            let read = try unread.attachment.targetRow(
                of: Target.self, unread.id, held: unread.held?.id)
            return try keep(read, unread)
        }
    }

    func resolveId() throws -> Id? {
        try noting {
            let (known, unread) = lock { () -> (State, (Attachment, Int)?) in
                guard let attachment else { return (state, nil) }
                if case .stored = state { return (state, (attachment, readStamp)) }
                return (state, isStale ? (attachment, readStamp) : nil)
            }
            if let (attachment, stamp) = unread {
                let id = try attachment.ids(of: Target.self, limit: 1).first
                keep(.id(id), stamp)
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

    /// The target in memory; nil if it was not read.
    var known: Target? {
        lock {
            switch state {
            case .stored, .id: nil
            case .object(_, let target): target
            case .new(let target): target
            }
        }
    }

    /// What a read of the target needs.
    struct Unread {
        var attachment: Attachment
        var stamp: Int
        /// The id of the target, if the link need not be read.
        var id: Id??
        /// The target in memory, which stays if the link still leads to it.
        var held: (id: Id, object: Target)?
    }

    /// What a read needs; nil if the target is in memory, or there is none.
    func unread() -> Unread? {
        lock {
            guard let attachment else { return nil }
            var unread = Unread(attachment: attachment, stamp: readStamp)
            switch state {
            case .stored: return unread
            case .id(let id):
                if isStale { return unread }
                if id == nil || id == 0 { return nil }
                unread.id = .some(id)
                return unread
            case .object(let id, let object):
                guard isStale else { return nil }
                unread.held = object.map { (id, $0) }
                return unread
            case .new: return nil
            }
        }
    }

    /// Keeps a link and a row that were read. Returns the target.
    func keep(_ read: (id: Id?, rows: [StoredRow]), _ unread: Unread) throws -> Target? {
        guard let id = read.id else {
            keep(.id(nil), unread.stamp)
            return nil
        }
        var target = unread.held?.object
        if unread.held?.id != id {
            target = try unread.attachment.decode(read.rows, as: Target.self).first
        }
        keep(.object(id, target), unread.stamp)
        return target
    }

    /// Keeps what was read, unless the relation was changed or put during the read.
    func keep(_ read: State, _ stamp: Int) {
        let (before, wasStale, attachment) = lock { () -> (State, Bool, Attachment?) in
            let before = (state, isStale)
            guard readStamp == stamp else { return (before.0, before.1, nil) }
            isStale = false
            // A target in memory stays when its link is read again.
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

    /// Discards what was read in a transaction if that is rolled back.
    private func forgetWhenAbandoned(
        _ before: State, _ wasStale: Bool, _ transaction: WriteTransaction
    ) {
        let generation = lock { self.generation }
        transaction.whenAbandoned { [weak self] in
            guard let self else { return }
            let old = self.lock { () -> State in
                let old = self.state
                guard self.generation == generation else { return old }
                (self.state, self.isStale) = (before, wasStale)
                self.readStamp += 1
                return old
            }
            withExtendedLifetime(old) {}
        }
    }

    private func set(_ new: State) {
        let old = lock {
            let old = state
            (state, isEdited, lastFailure) = (new, true, nil)
            (isRolledBack, isStale) = (false, false)
            (generation, readStamp) = (generation + 1, readStamp + 1)
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
}

extension ToOne: Equatable {
    /// Whether both lead to the same object. Compares the ids, like ``targetId``.
    public static func == (one: ToOne, other: ToOne) -> Bool {
        one === other || one.targetId == other.targetId && one.targetId != 0
    }
}

extension DaybookError {
    /// The error of a read of a relation. An error of the user's code becomes the cause.
    init(reading error: any Error) {
        if let error = error as? DaybookError {
            self = error
        } else {
            self.init(
                .invalidValue, "An object of a relation could not be read. Its decoding says why.",
                cause: error)
        }
    }
}
