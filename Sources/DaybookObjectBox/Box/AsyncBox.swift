public import Daybook

/// Puts and removals that the caller does not wait for. They are added to a queue of the store and
/// run in their order on another thread; writes that wait together share a commit.
///
/// ```swift
/// let id = try box.async.put(person)
/// store.awaitAsyncSubmitted()
/// ```
///
/// Objects are encoded, and new objects get their ids, before a call returns. An error of the later
/// write, such as a unique violation, throws nowhere: it is the event
/// ``Daybook/StoreEvent/backgroundFailed(_:_:)`` of a ``Daybook/StoreObserver``. `close()` waits
/// for the queue. In new code, prefer `try await box.put(…)`, which returns after the commit and
/// throws its errors.
public struct AsyncBox<E: Entity>: Sendable {
    /// The type of the objects.
    public typealias EntityType = E

    private let box: Box<E>
    private let enqueueTimeout: TimeInterval

    /// Creates the queue's interface for a box.
    ///
    /// - Parameters:
    ///   - box: the box to which the queue writes.
    ///   - enqueueTimeout: how long a call waits for a place in the queue, in seconds, if 4,096
    ///     writes wait.
    public init(box: Box<E>, enqueueTimeout: TimeInterval) {
        self.box = box
        self.enqueueTimeout = enqueueTimeout
    }

    /// Adds the put of an object to the queue, and returns the object's id. Also sets the id of an
    /// object of a class.
    ///
    /// - Throws: `.invalidArgument` for a type with a primary key and for a changed list of
    ///   objects; `.interrupted` after the timeout; the errors of encoding, as `put` of a box;
    ///   `.closed`, `.readOnly`.
    @discardableResult
    public func put(_ object: E, mode: PutMode = .put) throws -> EntityId<E> {
        try put(CollectionOfOne(object), mode: mode)[0]
    }

    /// Adds the put of an object to the queue, and returns the object's id. As `put`, which is
    /// chosen unless the context requires a plain ``Id``.
    @_disfavoredOverload
    @discardableResult
    public func put(_ object: E, mode: PutMode = .put) throws -> Id {
        try box.enqueuePut(CollectionOfOne(object), mode: mode, timeoutSeconds: enqueueTimeout)[0]
    }

    /// Adds the put of several objects, in one commit, to the queue, and returns their ids in
    /// order. Throws as `put` of one object.
    @discardableResult
    public func put(_ objects: some Collection<E>, mode: PutMode = .put) throws -> [EntityId<E>] {
        try box.enqueuePut(objects, mode: mode, timeoutSeconds: enqueueTimeout).map { EntityId($0) }
    }

    /// As `put` of an array.
    @discardableResult
    public func put(
        _ first: E, _ second: E, _ others: E..., mode: PutMode = .put
    ) throws -> [EntityId<E>] { try put([first, second] + others, mode: mode) }

    /// Adds the removal of an object to the queue. An id without an object is skipped.
    ///
    /// Throws `.interrupted` after the timeout; `.closed`, `.readOnly`.
    public func remove(_ id: EntityId<E>) throws { try remove(CollectionOfOne(id.value)) }

    /// Adds the removal of an object to the queue. Throws as `remove` of a typed id.
    @_disfavoredOverload
    public func remove(_ id: Id) throws { try remove(CollectionOfOne(id)) }

    /// Adds the removal of an object to the queue. Throws as `remove` of an id.
    public func remove(_ object: E) throws { try remove(CollectionOfOne(object)) }

    /// Adds the removal of several objects, in one commit, to the queue. Throws as `remove` of an
    /// id.
    public func remove(_ objects: some Collection<E>) throws {
        try remove(try box.storedIds(of: objects))
    }

    /// Adds the removal of several objects, in one commit, to the queue. Throws as `remove` of an
    /// id.
    public func remove(_ ids: some Collection<EntityId<E>>) throws { try remove(ids.map(\.value)) }

    /// Adds the removal of several objects, in one commit, to the queue. Throws as `remove` of an
    /// id.
    @_disfavoredOverload
    public func remove(_ ids: some Collection<Id>) throws {
        guard !ids.isEmpty else { return }
        try box.enqueueRemove(Array(ids), timeoutSeconds: enqueueTimeout)
    }

    /// As `remove` of an array.
    public func remove(_ first: E, _ second: E, _ others: E...) throws {
        try remove([first, second] + others)
    }

    /// As `remove` of an array.
    public func remove(
        _ first: EntityId<E>, _ second: EntityId<E>, _ others: EntityId<E>...
    ) throws { try remove([first, second] + others) }

    /// As `remove` of an array.
    @_disfavoredOverload
    public func remove(_ first: Id, _ second: Id, _ others: Id...) throws {
        try remove([first, second] + others)
    }
}

extension Box {
    /// Puts and removals that the caller does not wait for. If 4,096 writes wait, a call waits up
    /// to ten seconds for a place.
    public var async: AsyncBox<E> { AsyncBox(box: self, enqueueTimeout: 10) }
}

extension Store {
    /// Waits until all writes that were submitted to ``Box/async`` before are committed or have
    /// failed. Returns false in a closed store; and without waiting inside a write transaction of
    /// this thread, because the writes wait for its end.
    @discardableResult
    public func awaitAsyncSubmitted() -> Bool { waitForQueue() }

    /// As ``awaitAsyncSubmitted()``.
    @discardableResult
    public func awaitAsyncCompleted() -> Bool { waitForQueue() }
}
