import DaybookBytes
import DaybookEngine
import DaybookQuery

/// A section of a query's result: objects with equal keys.
public struct QuerySection<Key, Element> {
    /// The key of the section.
    public let key: Key
    /// The objects, in the order of the query.
    public let objects: [Element]

    init(_ key: Key, _ objects: [Element]) {
        self.key = key
        self.objects = objects
    }
}

extension QuerySection: Sendable where Key: Sendable, Element: Sendable {}

extension QuerySection: RandomAccessCollection {
    /// The position of the first object: 0.
    public var startIndex: Int { 0 }
    /// The position after the last object.
    public var endIndex: Int { objects.count }
    /// The object at a position. Traps if the position is out of bounds, like an array.
    public subscript(position: Int) -> Element { objects[position] }
}

extension Query {
    /// Returns the objects of ``find()``, limit and offset included, in sections with
    /// equal values of a property.
    ///
    /// The sections are sorted by the property with `flags`; the objects of each section are in the
    /// query's order. Nil equals nil and has a section of its own with every flag; NaN equals NaN.
    /// Strings are equal if their Unicode scalars are equal. Sections whose keys differ only in
    /// case are adjacent, unless ``OrderFlags/caseSensitive`` sorts them by their scalars.
    public func sections<Key>(
        by path: KeyPath<E.Type, Property<E, Key>>, flags: OrderFlags = []
    ) throws -> [QuerySection<Key, E>] { try sections(by: E.self[keyPath: path], flags: flags) }

    /// Returns the objects in sections with equal values of a property; see
    /// ``sections(by:flags:)``.
    public func sections<Key>(
        by property: Property<E, Key>, flags: OrderFlags = []
    ) throws -> [QuerySection<Key, E>] {
        let sectioned = try sections(property.term, flags)
        let binding = try binding()
        return try types.query { access in
            let sections = try sectioned.sections(access)
            return try sections.map { key, rows in
                QuerySection(
                    try property.conversion.value(of: key, types),
                    try loaded(rows.map { try binding.decode($0, as: E.self, types) }))
            }
        }
    }

    /// Returns the objects in sections for which `key` returns equal keys. The sections are in the
    /// order of their first objects in the result. Rethrows the errors of `key`.
    public func sections<Key: Hashable>(
        by key: (E) throws -> Key
    ) throws -> [QuerySection<Key, E>] { try Self.sections(try find(), by: key) }

    /// `sections` by a property without blocking.
    public nonisolated(nonsending) func sections<Key>(
        by path: KeyPath<E.Type, Property<E, Key>>, flags: OrderFlags = []
    ) async throws -> [QuerySection<Key, E>] {
        try await sections(by: E.self[keyPath: path], flags: flags)
    }

    /// `sections` by a property without blocking.
    public nonisolated(nonsending) func sections<Key>(
        by property: Property<E, Key>, flags: OrderFlags = []
    ) async throws -> [QuerySection<Key, E>] {
        let sectioned = try sections(property.term, flags)
        let binding = try binding()
        var made: [QuerySection<Key, E>] = []
        for (key, rows) in try await elsewhere({ try sectioned.sections($0) }) {
            let objects = try rows.map { try binding.decode($0, as: E.self, types) }
            made.append(
                QuerySection(
                    try property.conversion.value(of: key, types),
                    try await loadedElsewhere(objects)))
        }
        return made
    }

    /// `sections` by a closure without blocking. The closure runs in the caller's isolation.
    public nonisolated(nonsending) func sections<Key: Hashable>(
        by key: (E) throws -> Key
    ) async throws -> [QuerySection<Key, E>] { try Self.sections(try await find(), by: key) }

    private static func sections<Key: Hashable>(
        _ objects: [E], by key: (E) throws -> Key
    ) rethrows -> [QuerySection<Key, E>] {
        var places: [Key: Int] = [:]
        var sections: [(key: Key, objects: [E])] = []
        for object in objects {
            let key = try key(object)
            if let place = places[key] {
                sections[place].objects.append(object)
            } else {
                places[key] = sections.count
                sections.append((key, [object]))
            }
        }
        return sections.map { QuerySection($0.key, $0.objects) }
    }
}

extension Query {
    fileprivate func sections(
        _ term: PropertyTerm, _ flags: OrderFlags
    ) throws(DaybookError) -> QuerySections {
        try QuerySections(
            try runner(), by: try term.only("A section"), try QueryOrder(term, flags))
    }
}
