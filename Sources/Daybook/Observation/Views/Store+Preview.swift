import Foundation

extension Store {
    /// Returns a store in memory with example objects, for previews of views and for tests.
    ///
    /// ```swift
    /// #Preview {
    ///     PeopleList().daybookStore(try? .preview(entities: Person.self) { store in
    ///         try store.box(for: Person.self).put([Person(name: "Ada"), Person(name: "Bob")])
    ///     })
    /// }
    /// ```
    ///
    /// Each call returns another store. Its content is released with it.
    ///
    /// - Parameters:
    ///   - entities: The types of the store.
    ///   - fill: Puts the example objects.
    /// - Throws: The errors of opening a store, and the errors of `fill`.
    public static func preview(
        entities: any Storable.Type..., filling fill: (Store) throws -> Void = { _ in }
    ) throws -> Store {
        let store = try Store(path: "memory:preview-\(UUID().uuidString)", entities: entities)
        try fill(store)
        return store
    }
}
