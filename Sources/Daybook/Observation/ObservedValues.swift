import DaybookBytes
import DaybookEngine
import DaybookQuery

/// A value computed from the store, followed by the value after each change: see
/// ``Store/values(observing:_:)``.
///
/// Each iterator begins with the current value.
public struct ObservedValues<Value>: AsyncSequence, Sendable {
    /// The value.
    public typealias Element = Value
    /// The errors of the store. An error of another type, thrown by the closure, is the `cause`.
    public typealias Failure = DaybookError

    let types: StoreTypes
    let entities: [any Entity.Type]
    let compute: @Sendable () throws -> sending Value
    var isSame: (@Sendable (Value, Value) -> Bool)?
    var includesUnsynced = false

    init(
        _ types: StoreTypes, _ entities: [any Entity.Type],
        _ compute: @escaping @Sendable () throws -> sending Value
    ) {
        self.types = types
        self.entities = entities
        self.compute = compute
    }

    /// Returns a new iterator. Reads nothing before the first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Returns the values that report commits as soon as they are visible, even if they are not
    /// durable yet: a program sees its own writes at once. A power failure may undo the last
    /// commits that were reported. No effect at ``Durability/always``, where a commit is durable
    /// before it is visible.
    public func includingUnsynced() -> ObservedValues {
        var values = self
        values.includesUnsynced = true
        return values
    }

    /// Iterates over the values. Not for concurrent use by several tasks.
    public struct Iterator: AsyncIteratorProtocol {
        private var iterator: ChangeIterator<ValueSteps<Value>>

        init(_ values: ObservedValues) { iterator = ChangeIterator(ValueSteps(values)) }

        /// ``next(isolation:)`` with the caller's isolation.
        public nonisolated(nonsending) mutating func next() async throws(DaybookError) -> Value? {
            try await next(isolation: #isolation)
        }

        /// Returns the value at the first call, and then the value after each change, suspending
        /// until there is one. Returns nil when the store is closed or the task is cancelled.
        ///
        /// Throws the errors of the closure, `.entityNotRegistered`, and `.closed` if the store was
        /// closed before the first value. The sequence ends after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(DaybookError) -> Value? {
            do {
                return try await iterator.next(isolation: actor)
            } catch {
                throw Self.failure(error)
            }
        }

        private static func failure(_ error: any Error) -> DaybookError {
            if let known = error as? DaybookError { return known }
            return DaybookError(
                .invalidValue,
                "An observed value cannot be computed: its closure throws \(error). The values end"
                    + " with this error. Return a result for such a state of the store, or begin"
                    + " again.", cause: error)
        }
    }
}

@available(*, unavailable)
extension ObservedValues.Iterator: Sendable {}

extension ObservedValues where Value: Equatable & SendableMetatype {
    /// Returns the values without a value that equals the one before. The closure still runs after
    /// each change.
    public func removingDuplicates() -> ObservedValues {
        var values = self
        values.isSame = { $0 == $1 }
        return values
    }
}

extension Store {
    /// A value that a closure computes from the store, followed by the value after each commit that
    /// changes an observed entity.
    ///
    /// ```swift
    /// let numbers = store.values(observing: [Order.self, Customer.self]) {
    ///     (orders: try orders.count(), customers: try customers.query { $0.age > 65 }.count())
    /// }
    /// for try await number in numbers { show(number) }
    /// ```
    ///
    /// The closure is one read transaction: all reads of the store's boxes in it see the same
    /// version. It runs on a thread of the store, at first when the first element is requested.
    /// Commits that arrive while the consumer is busy are combined into one value, so a slow
    /// consumer misses intermediate values, and always receives the newest one. Writers do not
    /// wait for it.
    ///
    /// The sequence ends when the store is closed or the task is cancelled. It ends with an error
    /// if the closure throws. Only durable commits are reported, unless the values are
    /// ``ObservedValues/includingUnsynced()``.
    ///
    /// Cost: one run of the closure for each value. A commit that changes no observed entity costs
    /// a look at its changes.
    ///
    /// - Parameters:
    ///   - entities: The entities that the closure reads. A commit counts if it changes their
    ///     objects, or links from or to them. If empty, every commit that changes objects or links
    ///     counts. Changes of entities that the closure reads, but that are missing here, are not
    ///     noticed.
    ///   - compute: Returns the value. Objects that it returns belong to the consumer. It must not
    ///     write. Captured boxes, unlike a captured store, do not keep the store open.
    public func values<Value>(
        observing entities: [any Entity.Type] = [],
        _ compute: @escaping @Sendable () throws -> sending Value
    ) -> ObservedValues<Value> {
        ObservedValues(types, entities, compute)
    }
}
