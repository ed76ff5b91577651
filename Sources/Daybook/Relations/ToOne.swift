public import DaybookBytes
import DaybookEngine

/// A relation from an object to at most one other.
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
/// The link is no part of the order's row: a put of the host writes it where it was set, and leaves
/// it as it is where it was not. The target is read when it is first asked for, and kept;
/// ``reset()`` forgets it. A target that is stored is not put along: only the link is.
///
/// Objects share it as objects of a class do; a struct that is copied shares its relations with the
/// copy. It may be used by one thread after another, and from several at once it stays whole.
public final class ToOne<Target: Entity>: ExpressibleByNilLiteral {
    enum State {
        /// As the store has it; not looked up yet.
        case stored
        /// To the object under an id, which is not read yet; nowhere with nil.
        case id(Id?)
        /// To an object that was read, or given; nil for one that is not there.
        case object(Id, Target?)
        /// To an object that had no id when it was given.
        case new(Target)
    }

    let lock = RelationLock()
    /// Where the relation is kept; nil until the host is put.
    var attachment: Attachment?
    var state: State
    /// Whether it was set, and not put since.
    var isEdited = false
    /// Whether it was put in a transaction that was then rolled back, so that a new target, which
    /// keeps its id, is not stored.
    var isTakenBack = false
    var lastFailure: DaybookError?
    /// Counts what changes ``state``, so that a read that took long does not undo it.
    var generation = 0

    /// Leads to an object; nowhere with nil. One without an id is put along with the host.
    public init(_ target: Target?) {
        state = Self.state(of: target)
        isEdited = true
    }

    /// Leads to an object; nowhere with nil. As ``init(_:)``.
    public convenience init(target: Target?) { self.init(target) }

    /// Leads to the object under an id; nowhere with nil.
    public init(targetId: EntityId<Target>?) {
        state = .id(targetId?.value)
        isEdited = true
    }

    /// Leads nowhere.
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

    /// The object that it leads to; nil where it leads nowhere, where the object is removed, and
    /// where it cannot be read: ``failure`` then says why, and ``resolve()`` throws it.
    ///
    /// The first read is a look-up in the store, what it found is kept. What is set is written when
    /// the host is put; nil removes the link, and never an object.
    public var target: Target? {
        get { try? resolve() }
        set { set(Self.state(of: newValue)) }
    }

    /// The id of the object that it leads to; nil where it leads nowhere, or cannot be read. 0 is
    /// of an object that is not stored yet.
    ///
    /// To put the host with an id of 0 that was set is `.cannotRelateToUnsaved`, with an id that no
    /// object has `.notFound`.
    public var targetId: EntityId<Target>? {
        get { (try? resolveId()).flatMap { $0 }.map { EntityId($0) } }
        set { set(.id(newValue?.value)) }
    }

    /// Whether it leads to an object. As ``targetId``.
    public var hasValue: Bool { targetId != nil }

    /// Why the last read failed; nil where it went well.
    public var failure: DaybookError? { lock { lastFailure } }

    /// Forgets what was read, and what was set and not put: the next read is of what the store has
    /// then. Does nothing where the host was never put.
    public func reset() {
        let dropped: State? = lock {
            guard attachment != nil else { return nil }
            let old = state
            (state, isEdited, lastFailure) = (.stored, false, nil)
            generation += 1
            return old
        }
        // Released outside the lock: what an object does at its end is not ours.
        withExtendedLifetime(dropped) {}
    }

    /// The object that it leads to; nil where it leads nowhere, or the object is removed.
    ///
    /// Throws as ``Box/get(_:)-(Id)`` does.
    public func resolve() throws -> Target? {
        try noting {
            guard let (attachment, generation) = unread() else { return known }
            let (id, rows) = try attachment.targetRow(of: Target.self, knownId)
            let target = try attachment.decode(rows, as: Target.self).first
            keep(id.map { .object($0, target) } ?? .id(nil), generation)
            return target
        }
    }

    func resolveId() throws -> Id? {
        try noting {
            let (known, unread) = lock { () -> (State, (Attachment, Int)?) in
                guard case .stored = state, let attachment else { return (state, nil) }
                return (state, (attachment, generation))
            }
            if let (attachment, generation) = unread {
                let id = try attachment.ids(of: Target.self, limit: 1).first
                keep(.id(id), generation)
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

    /// The target, where no read is needed.
    var known: Target? {
        lock {
            switch state {
            case .stored, .id: nil
            case .object(_, let target): target
            case .new(let target): target
            }
        }
    }

    /// What a read needs; nil where none is needed, or possible.
    func unread() -> (Attachment, Int)? {
        lock {
            guard let attachment else { return nil }
            switch state {
            case .stored: return (attachment, generation)
            case .id(let id): return id == nil || id == 0 ? nil : (attachment, generation)
            case .object, .new: return nil
            }
        }
    }

    /// The id that it leads to, where that needs no look-up; nil within where it leads nowhere.
    var knownId: Id?? { lock { if case .id(let id) = state { id } else { nil } } }

    /// Keeps what was read, unless the relation was changed meanwhile.
    func keep(_ read: State, _ generation: Int) {
        lock {
            guard self.generation == generation else { return }
            state = read
        }
    }

    private func set(_ new: State) {
        let old = lock {
            let old = state
            (state, isEdited, lastFailure) = (new, true, nil)
            isTakenBack = false
            generation += 1
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
}

extension ToOne: Equatable {
    /// Whether both lead to the same object. As ``targetId``.
    public static func == (one: ToOne, other: ToOne) -> Bool {
        one === other || one.targetId == other.targetId && one.targetId != 0
    }
}

extension DaybookError {
    /// What reading a relation threw; a user's own error, too, becomes one of ours.
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
