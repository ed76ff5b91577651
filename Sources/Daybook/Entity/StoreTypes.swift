import DaybookBytes
import DaybookEngine
import DaybookQuery

/// The types that a store was opened with, embedded ones included, how each fits the store, and
/// where objects are read: in the store as it is now, or in one version of it.
final class StoreTypes: Sendable {
    private let store: Engine?
    /// The version that relations are read in; nil for the newest.
    let view: ReadView?
    /// The entity whose rows are read and written, where that has relations or backlinks: what its
    /// objects are attached to.
    let owner: EntityBinding?
    private let bindings: [ObjectIdentifier: EntityBinding]
    /// What names in conditions mean.
    let names: QueryNames
    /// The queries of the store whose results are kept up to date; nil without a store.
    let liveQueries: LiveQueries?

    init(
        _ bindings: [ObjectIdentifier: EntityBinding], _ engine: Engine?, view: ReadView? = nil,
        owner: EntityBinding? = nil, names: QueryNames? = nil, liveQueries: LiveQueries? = nil
    ) {
        self.bindings = bindings
        self.names = names ?? QueryNames(bindings)
        store = engine
        self.liveQueries = liveQueries ?? engine.map { LiveQueries($0) }
        self.view = view
        self.owner = owner
    }

    /// No types, and no store.
    static let none = StoreTypes([:], nil)

    /// The store.
    var engine: Engine {
        guard let store else { preconditionFailure("types without a store have no relations") }
        return store
    }

    /// Nil for a type that the store was opened without.
    subscript(type: any Storable.Type) -> EntityBinding? { bindings[ObjectIdentifier(type)] }

    /// Throws `.entityNotRegistered` for a type that the store was opened without.
    func binding(of type: any Storable.Type) throws(DaybookError) -> EntityBinding {
        if let known = self[type] { return known }
        throw DaybookError(
            .entityNotRegistered,
            "The store was opened without \(type). Add it to the entities of Store(directory:"
                + "entities:).",
            details: ["entity": String(describing: type)])
    }

    /// The same for rows of an entity. Cost: an allocation, where that has relations.
    func owned(by binding: EntityBinding) -> StoreTypes {
        if !binding.hasRelations || owner === binding { return self }
        return StoreTypes(
            bindings, store, view: view, owner: binding, names: names, liveQueries: liveQueries)
    }

    /// The same in one version of the store; in the newest with nil.
    func reading(in view: ReadView?) -> StoreTypes {
        StoreTypes(
            bindings, store, view: view, owner: owner, names: names, liveQueries: liveQueries)
    }
}
