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
        private let query: Query<E>
        private var source: ResultSource?
        private var wakes: AsyncStream<Void>.Iterator?
        private var row: StoredRow?
        private var isOver = false

        init(_ query: Query<E>) { self.query = query }

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
            guard !isOver else { return nil }
            do {
                try Task.checkCancellation()
                guard let source else { return try await begin(isolation: actor) }
                while !Task.isCancelled {
                    if let step = try await query.read(source, { try $0.advance() }) {
                        return try advanced(to: step.rows.last?.row)
                    }
                    guard await wakes?.next(isolation: actor) != nil else { break }
                }
            } catch DaybookError.Code.closed where source != nil {
                // The sequence ends with the store.
            } catch is CancellationError {
                // The sequence ends with its task.
            } catch {
                end()
                throw .wrapping(error)
            }
            end()
            return nil
        }

        private mutating func begin(
            isolation actor: isolated (any Actor)?
        ) async throws -> ObjectValue<E> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let source = try ResultSource(query) { continuation.yield() }
            row = try await query.read(source) { try $0.begin() }.first
            let object = try decoded(row)
            self.source = source
            wakes = stream.makeAsyncIterator()
            return ObjectValue(object: object, changedProperties: [])
        }

        /// Returns the element for a new version of the object; nil for its absence.
        private mutating func advanced(to new: StoredRow?) throws -> ObjectValue<E> {
            let names = try query.binding().changedProperties(row, new)
            row = new
            return ObjectValue(object: try decoded(new), changedProperties: names)
        }

        private func decoded(_ row: StoredRow?) throws -> E? {
            let binding = try query.binding()
            return try row.map { try binding.decode($0, as: E.self, query.types) }
        }

        private mutating func end() {
            isOver = true
            source?.end()
            (source, wakes, row) = (nil, nil, nil)
        }
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
