import DaybookBytes

/// The types that a store was opened with, embedded ones included, and how each fits the store.
final class StoreTypes: Sendable {
    private let bindings: [ObjectIdentifier: EntityBinding]

    init(_ bindings: [ObjectIdentifier: EntityBinding]) { self.bindings = bindings }

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
}
