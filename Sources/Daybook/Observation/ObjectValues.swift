import DaybookBytes
import DaybookEngine
import DaybookQuery

/// An element of ``ObjectValues``: an object, or the fact that there is none.
public struct ObjectValue<E: Entity> {
    /// The object; nil if the id has no object.
    public let object: E?
    /// The Swift names of the properties whose values differ from the element before. For an object
    /// that was put or removed since then, the properties that have a value. Empty in the first
    /// element, and if only links from the object changed: relations are not included.
    public let changedProperties: Set<String>
}

extension ObjectValue: Sendable where E: Sendable {}

/// An object, followed by its later versions: see ``Box/values(of:)-(Id)``.
///
/// Each iterator begins with the current object.
public struct ObjectValues<E: Entity>: AsyncSequence, Sendable {
    /// The object or its absence.
    public typealias Element = ObjectValue<E>
    /// The errors of the store. An error of another type, thrown by the type's own decoding, is the
    /// `cause`.
    public typealias Failure = DaybookError

    private let query: Query<E>

    init(_ query: Query<E>) { self.query = query }

    /// Returns a new iterator. Reads nothing before the first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(query) }

    /// Returns the values that report commits as soon as they are visible, even if they are not
    /// durable yet; see ``Query/includingUnsynced()``.
    public func includingUnsynced() -> ObjectValues { ObjectValues(query.includingUnsynced()) }

    /// Iterates over the versions of the object. Not for concurrent use by several tasks.
    public struct Iterator: AsyncIteratorProtocol {
        private var iterator: ChangeIterator<ObjectSteps<E>>

        init(_ query: Query<E>) { iterator = ChangeIterator(ObjectSteps(query)) }

        /// ``next(isolation:)`` with the caller's isolation.
        public nonisolated(nonsending) mutating func next()
            async throws(DaybookError) -> ObjectValue<E>?
        {
            try await next(isolation: #isolation)
        }

        /// Returns the object at the first call, and then the object after each change, suspending
        /// until there is one. The object is decoded in the given isolation. Returns nil when the
        /// store is closed or the task is cancelled.
        ///
        /// Throws the errors of `Box.get(_:)`; `.closed` only if the store was closed before the
        /// first element. The sequence ends after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(DaybookError) -> ObjectValue<E>? {
            do {
                return try await iterator.next(isolation: actor)
            } catch {
                throw .wrapping(error)
            }
        }
    }
}

/// The steps of an iterator over the versions of an object.
private struct ObjectSteps<E: Entity>: ChangeSteps {
    private let query: Query<E>
    private var source: ResultSource?
    private var row: StoredRow?

    /// - Parameter query: Finds the object.
    init(_ query: Query<E>) { self.query = query }

    nonisolated(nonsending) mutating func begin(
        _ wake: @escaping @Sendable () -> Void
    ) async throws -> ObjectValue<E> {
        let source = try ResultSource(query, wake)
        row = try await query.read(source) { try $0.begin() }.first
        self.source = source
        return ObjectValue(object: try decoded(row), changedProperties: [])
    }

    nonisolated(nonsending) mutating func advance() async throws -> ObjectValue<E>? {
        guard let source, let step = try await query.advance(source) else { return nil }
        let new = try step.rows.last?.row.get()
        let names = try query.binding().changedProperties(row, new)
        row = new
        return ObjectValue(object: try decoded(new), changedProperties: names)
    }

    mutating func end() {
        source?.end()
        (source, row) = (nil, nil)
    }

    /// Returns the decoded object; nil for its absence.
    private func decoded(_ row: StoredRow?) throws -> E? {
        let binding = try query.binding()
        return try row.map { try binding.decode($0, as: E.self, query.types) }
    }
}

@available(*, unavailable)
extension ObjectValues.Iterator: Sendable {}

extension Box {
    /// The object with an id, followed by its later versions.
    ///
    /// ```swift
    /// for try await value in people.values(of: ada.id) {
    ///     show(value.object)
    ///     if value.changedProperties.contains("name") { … }
    /// }
    /// ```
    ///
    /// The first element is there at once; its object is nil if the id has none. Each later element
    /// follows a commit that changed the object or the links from it. After a removal the object is
    /// nil, and if an object with the id is put again, it is the next one. Commits that arrive
    /// while the consumer is busy are combined into one element. Only durable commits are reported,
    /// unless the values are ``ObjectValues/includingUnsynced()``. Objects are decoded in the
    /// isolation of the loop. The sequence ends when the store is closed or the task is cancelled.
    ///
    /// Cost: a `get` for each element. Commits that do not touch the object cause no work for the
    /// sequence.
    public func values(of id: Id) -> ObjectValues<E> {
        ObjectValues(
            query(Condition(.compare(.property(.ownId), .equal, .value(.integer(Int128(id))), []))))
    }

    /// The object with a typed id, followed by its later versions. As `values` with a plain id.
    @_disfavoredOverload
    public func values(of id: EntityId<E>) -> ObjectValues<E> { values(of: id.value) }
}
