import DaybookBytes
import DaybookEngine
import DaybookQuery

/// The objects of a query that have the same key.
public struct QuerySection<Key, Element> {
    /// What they have in common.
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
    /// The position behind the last object.
    public var endIndex: Int { objects.count }
    /// The object at a position. As with an array, one outside is a programming error that traps.
    public subscript(position: Int) -> Element { objects[position] }
}

extension Query {
    /// The objects in sections of those that agree in a property: the sections in the order of the
    /// property, the objects in each in the query's order. Nil agrees with nil; texts have to agree
    /// in each letter.
    public func sections<Key>(
        by path: KeyPath<E.Type, Property<E, Key>>, flags: OrderFlags = []
    ) throws -> [QuerySection<Key, E>] { try sections(by: E.self[keyPath: path], flags: flags) }

    /// The objects in sections of those that agree in a property.
    public func sections<Key>(
        by property: Property<E, Key>, flags: OrderFlags = []
    ) throws -> [QuerySection<Key, E>] {
        let sectioned = try SectionedRows(self, property.term, flags)
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

    /// The objects in sections of those of which a closure makes the same key: the sections in the
    /// order in which their first objects are found.
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
        let sectioned = try SectionedRows(self, property.term, flags)
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

    /// `sections` by a closure without blocking; it runs where the caller does.
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

/// A query whose rows are taken in sections.
private struct SectionedRows: Sendable {
    private let runner: QueryRunner
    private let key: QueryAggregates

    init<E>(_ query: Query<E>, _ term: PropertyTerm, _ flags: OrderFlags) throws {
        var order = try QueryOrder(term, flags)
        // Otherwise texts that differ in case alone would stand mixed.
        order.isCaseSensitive = true
        runner = try query.changed { $0.orders.insert(order, at: 0) }.runner()
        key = try QueryAggregates(runner, of: try term.only("A section"))
    }

    func sections(_ access: QueryAccess) throws -> [(key: QueryValue, rows: [StoredRow])] {
        let reader = key.reader(access)
        var sections: [(key: QueryValue, rows: [StoredRow])] = []
        for row in try runner.rows(access) {
            let key = try reader.value(in: row.bytes, layout: row.layout, id: row.id)
            if let last = sections.last, last.key.isSameKey(as: key) {
                sections[sections.count - 1].rows.append(row)
            } else {
                sections.append((key, [row]))
            }
        }
        return sections
    }
}

extension QueryValue {
    /// Equality as conditions have it, in which what is not a number is equal to itself.
    fileprivate func isSameKey(as other: QueryValue) -> Bool {
        if case .number(let one) = self, case .number(let two) = other, one.isNaN {
            return two.isNaN
        }
        return isEqual(to: other)
    }
}
