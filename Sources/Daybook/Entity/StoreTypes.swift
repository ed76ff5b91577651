import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookQuery

/// The types that a store was opened with, including embedded types, and their bindings. Also the
/// state to read objects from: the store's current state, or one version of it.
final class StoreTypes: Sendable {
    private let store: Engine?
    /// The version to read relations in; nil for the newest.
    let view: ReadView?
    /// The entity whose rows are read and written, if it has relations or backlinks. Its objects
    /// are attached to it.
    let owner: EntityBinding?
    private let bindings: [ObjectIdentifier: EntityBinding]
    /// The meanings of names in conditions.
    let names: QueryNames
    /// The store's queries with maintained results; nil without a store.
    let liveQueries: LiveQueries?
    /// The same, for results that include commits before they are durable.
    let unsyncedQueries: LiveQueries?

    init(
        _ bindings: [ObjectIdentifier: EntityBinding], _ engine: Engine?, view: ReadView? = nil,
        owner: EntityBinding? = nil, names: QueryNames? = nil, queriesOf other: StoreTypes? = nil
    ) {
        self.bindings = bindings
        self.names = names ?? QueryNames(bindings)
        store = engine
        liveQueries = other?.liveQueries ?? engine.map { LiveQueries($0) }
        unsyncedQueries =
            other?.unsyncedQueries ?? engine.map { LiveQueries($0, includesUnsynced: true) }
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

    /// Returns the binding of a type; nil if the store was not opened with the type.
    subscript(type: any Storable.Type) -> EntityBinding? { bindings[ObjectIdentifier(type)] }

    /// Returns the binding of a type. Throws `.entityNotRegistered` if the store was not opened
    /// with it.
    func binding(of type: any Storable.Type) throws(DaybookError) -> EntityBinding {
        if let known = self[type] { return known }
        throw DaybookError(
            .entityNotRegistered,
            "The store was opened without \(type). Add it to the entities of Store(directory:"
                + "entities:).",
            details: ["entity": String(describing: type)])
    }

    /// The entities whose objects expire, in the order of their numbers.
    var expiring: [(binding: EntityBinding, expiry: ObjectExpiry)] {
        bindings.values.sorted { $0.entity < $1.entity }
            .compactMap { binding in binding.expiry.map { (binding, $0) } }
    }

    /// The binding of the number of an entity or embedded type; nil if the store was opened without
    /// it.
    func binding(ofEntity number: UInt32) -> EntityBinding? {
        bindings.values.first { $0.entity == number }
    }

    /// The layout of an entity for the type of the program; nil if the store was opened without it.
    func declaredLayout(ofEntity number: UInt32) -> EntityLayout? {
        binding(ofEntity: number)?.layout.layout
    }

    /// Returns the types with an entity as the owner of rows. Cost: one allocation if the entity
    /// has relations.
    func owned(by binding: EntityBinding) -> StoreTypes {
        if !binding.hasRelations || owner === binding { return self }
        return StoreTypes(
            bindings, store, view: view, owner: binding, names: names, queriesOf: self)
    }

    /// Returns the types for reads in one version of the store; nil for the newest.
    func reading(in view: ReadView?) -> StoreTypes {
        StoreTypes(
            bindings, store, view: view, owner: owner, names: names, queriesOf: self)
    }
}
