import DaybookBytes
import DaybookEngine

extension Store {
    /// The commits from a position on: those of the past, then those that come. See ``Changes``.
    ///
    /// - Parameters:
    ///   - position: what was seen already; nil for all up to now.
    ///   - entities: whose changes are wanted, events included, with the links that lead from their
    ///     objects or to them. None: everything.
    ///   - properties: names of properties of these types in Swift. Where there are any, updates
    ///     count where one of them changed, and links where they are of one of them; inserts and
    ///     removals count always. Costs a look at each version before.
    ///   - truncation: what is done where a compaction has dropped some of what is to follow.
    ///
    /// Never fails and reads nothing: errors are thrown by the walk along it.
    public func changes(
        from position: ChangePosition? = nil, of entities: [any Storable.Type] = [],
        properties: Set<String> = [], whenTruncated truncation: Changes.Truncation = .fails
    ) -> Changes {
        Changes(
            source: ChangeSource(
                types: types, start: .after(position ?? engine.position),
                entities: entities, properties: .success(properties), truncation: truncation))
    }

    /// The commits from a position on that change an entity's objects; with properties, in these:
    /// `store.changes(from: position, of: Order.self, properties: \.status, \.customer)`. Else as
    /// ``changes(from:of:properties:whenTruncated:)``.
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

    /// The store's whole state as it is when the walk begins, in parts that say so
    /// (``Commit/isState``), and then the commits behind it.
    ///
    /// Where a compaction overtakes the walk, it begins again with the state. Parameters as in
    /// ``changes(from:of:properties:whenTruncated:)``.
    public func stateAndChanges(of entities: [any Storable.Type] = []) -> Changes {
        Changes(
            source: ChangeSource(
                types: types, start: .state, entities: entities, properties: .success([]),
                truncation: .givesState))
    }
}
