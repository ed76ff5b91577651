import DaybookBytes
import DaybookEngine

extension Store {
    /// The position after the newest durable commit: ``changes(from:of:properties:whenTruncated:)``
    /// without a position begins there. Never blocks.
    public var position: ChangePosition { engine.position }

    /// The commits after a position: first the past commits, then new ones as they are made. See
    /// ``Changes``.
    ///
    /// Never throws and reads nothing. Errors are thrown by the iterator.
    ///
    /// - Parameters:
    ///   - position: The position after the last processed commit; nil for the newest commit.
    ///   - entities: The types, events included, whose changes are delivered, together with the
    ///     links from and to their objects; all changes if empty.
    ///   - properties: The Swift names of properties of these types. If not empty, an update is
    ///     delivered only if one of these properties changed, and a link only if it belongs to one
    ///     of them; inserts and removals are always delivered. Cost: a read of the version before
    ///     each update.
    ///   - truncation: The behavior if a compaction has dropped some of the requested changes.
    public func changes(
        from position: ChangePosition? = nil, of entities: [any Storable.Type] = [],
        properties: Set<String> = [], whenTruncated truncation: Changes.Truncation = .fails
    ) -> Changes {
        Changes(
            source: ChangeSource(
                types: types, start: .after(position ?? engine.position),
                entities: entities, properties: .success(properties), truncation: truncation))
    }

    /// The commits after a position that change objects of an entity, or only some of its
    /// properties: `store.changes(from: position, of: Order.self, properties: \.status,
    /// \.customer)`. Otherwise like ``changes(from:of:properties:whenTruncated:)``.
    public func changes<E: Entity, each Value>(
        from position: ChangePosition? = nil, of entity: E.Type,
        properties paths: repeat KeyPath<E.Type, Property<E, each Value>>,
        whenTruncated truncation: Changes.Truncation = .fails
    ) -> Changes {
        var names: Set<String> = []
        var failure: DaybookError?
        func add<V>(_ property: Property<E, V>) {
            do throws(DaybookError) {
                names.insert(try property.ownName())
            } catch {
                failure = failure ?? error
            }
        }
        repeat add(E.self[keyPath: each paths])
        return Changes(
            source: ChangeSource(
                types: types, start: .after(position ?? engine.position),
                entities: [entity], properties: failure.map { .failure($0) } ?? .success(names),
                truncation: truncation))
    }

    /// The whole state of the store at the beginning of the iteration in parts
    /// (``Commit/isState``), followed by the later commits.
    ///
    /// If a compaction drops commits that were not delivered yet, the state is delivered again. See
    /// ``changes(from:of:properties:whenTruncated:)`` for `entities`.
    public func stateAndChanges(of entities: [any Storable.Type] = []) -> Changes {
        Changes(
            source: ChangeSource(
                types: types, start: .state, entities: entities, properties: .success([]),
                truncation: .givesState))
    }
}
