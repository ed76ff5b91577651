import DaybookBytes
import DaybookEngine
import DaybookRecords

// Reading of lists of objects, and the calls that generated code makes for them.

extension ListRelation {
    /// The elements of the list. If the list cannot be read, only the elements in memory.
    package var elements: [Element] {
        try? resolve()
        return slots.map(\.element)
    }

    /// The number of elements. If the list cannot be read, the number of elements in memory.
    package var count: Int {
        try? resolve()
        return slots.count
    }

    /// The element at a position. A position outside the list traps, as with an array.
    package subscript(position: Int) -> Element {
        try? resolve()
        return slots[position].element
    }

    /// A description with the ids that are in memory. Does not read the store.
    package var idDescription: String {
        describe("List<\(Element.self)>", slots.map(id(of:)), isRead: isResolved)
    }
}

extension ListRelation where Element: Entity {
    /// Makes a list that is not stored yet.
    ///
    /// - Parameter isSet: Whether a put replaces the whole stored list with the elements.
    package convenience init(_ elements: [Element], isSet: Bool) {
        self.init(elements, isSet: isSet, Self.access(isKeyed: false))
    }

    /// Makes a map that is not stored yet.
    ///
    /// - Parameter isSet: Whether a put replaces the whole stored map with the elements.
    package convenience init(_ elements: [(key: String, element: Element)], isSet: Bool) {
        self.init(keyed: elements, isSet: isSet, Self.access(isKeyed: true))
    }

    /// The elements of a map by their keys. If the map cannot be read, only the elements in memory.
    package var keyedElements: [String: Element] {
        try? resolve()
        let pairs = slots.compactMap { slot in slot.key.map { ($0, slot.element) } }
        // Two keys may differ only in the form of their characters.
        return Dictionary(pairs) { first, _ in first }
    }

    fileprivate static func access(isKeyed: Bool) -> Access {
        Access(
            read: { attachment in
                let (list, rows) = try attachment.listRows(of: Element.self)
                return try attachment.elements(list, rows, as: Element.self)
            }, id: { $0.entityId }, add: { object, puts in try puts.add(object) },
            target: Element.self, isKeyed: isKeyed)
    }

    /// The ids of the objects, in order; 0 for an object that is not stored yet. Reads the links
    /// but no objects.
    package var ids: [Id] {
        guard let attachment = unread()?.attachment,
            let stored = try? attachment.list(of: Element.self)
        else { return slots.map(id(of:)) }
        return stored.map(\.target) + slots.filter { $0.position == nil }.map(id(of:))
    }

    /// Reads the list, unless it is in memory, without blocking the thread.
    package nonisolated(nonsending) func resolve() async throws {
        guard let unread = unread() else { return }
        let attachment = unread.attachment
        let (list, rows) = try await attachment.types.engine.readElsewhere {
            try attachment.listRows(of: Element.self)
        }
        keep(try attachment.elements(list, rows, as: Element.self), unread)
    }
}

extension ListRelation: LoadableRelation where Element: Entity {
    /// The type of the objects at the other end.
    typealias Target = Element

    /// Reads the objects of many lists in one pass: see ``ObjectRelation/load(_:)``.
    package static func load(_ relations: [ListRelation]) throws {
        _ = try RelationLoad.load(relations)
    }

    /// Reads the objects of many lists in one pass, without blocking the thread.
    package nonisolated(nonsending) static func load(_ relations: [ListRelation]) async throws {
        _ = try await RelationLoad.load(relations)
    }

    static var isList: Bool { true }

    func pendingLoad() -> (item: RelationLoad.Item, keep: Keep)? {
        guard let unread = unread() else { return nil }
        return (
            .init(attachment: unread.attachment, known: nil),
            { links, objects in
                self.keep(
                    links.compactMap { link in objects[link.target].map { (link, $0) } }, unread)
            }
        )
    }

    var loaded: [(id: Id, object: Element)] { slots.map { (id(of: $0), $0.element) } }
}

extension ListRelation: RelationProperty {}

extension RowReader {
    /// Returns the list of objects at `index`; nil if the row does not belong to a stored object.
    /// The first use of the list reads the objects.
    package func list<E: Entity>(_ index: Int) throws -> ListRelation<E>? {
        try list(index, .objects)
    }

    /// Returns the map of objects at `index`, as ``list(_:)``.
    package func map<E: Entity>(_ index: Int) throws -> ListRelation<E>? {
        try list(index, .keyedObjects)
    }

    private func list<E: Entity>(_ index: Int, _ type: FieldType) throws -> ListRelation<E>? {
        try links(index, type).map {
            ListRelation($0, ListRelation.access(isKeyed: type == .keyedObjects))
        }
    }

    /// Returns the Swift name of the property that the backlink at `index` inverts; empty if the
    /// row does not belong to a stored object.
    package func backlinkOrigin(_ index: Int) -> String {
        let place = RelationPlace.backlink(index)
        return Attachment(types, place, host: id)?.owner.relations[place]?.origin ?? ""
    }
}

extension RowWriter {
    /// Adds the links of a list of objects to the put. The row contains no data of them.
    package mutating func write<E: Entity>(_ relation: ListRelation<E>, at index: Int) throws {
        try add(relation, at: index, .objects)
    }
}

extension RowWriter {
    /// Adds the links of a map of objects to the put, after `checkKeys` accepted its keys in
    /// memory. `checkKeys` takes the keys and the property's name.
    package mutating func writeMap<E: Entity>(
        _ relation: ListRelation<E>, at index: Int,
        checkKeys: (_ keys: [String], _ property: String) throws -> Void
    ) throws {
        try check(index, .keyedObjects)
        try checkKeys(relation.slots.compactMap(\.key), name(of: index))
        try add(relation, at: index, .keyedObjects)
    }
}

extension PropertyDescription {
    /// Describes a relation.
    package init(relation name: String, _ type: PropertyType, _ attributes: [PropertyAttribute]) {
        self.init(name, type, isOptional: true, attributes)
    }
}
