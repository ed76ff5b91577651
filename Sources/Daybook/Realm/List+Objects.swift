public import DaybookBytes
import DaybookEngine

// A list of objects is a relation.

extension List where Element: Object & Entity {
    /// The ids of the objects, in order; 0 for one that is not stored yet. Reads the links, and no
    /// object; none where they cannot be read.
    public var ids: [Id] {
        guard let relation else { return elements.map(\.entityId) }
        let slots = relation.slots
        guard !relation.isResolved, let attachment = relation.attachment,
            let stored = try? attachment.list(of: Element.self)
        else { return slots.map(relation.id(of:)) }
        return stored.map(\.target) + slots.filter { $0.position == nil }.map(relation.id(of:))
    }

    /// Whether the objects are in memory.
    public var resolved: Bool { relation?.isResolved ?? true }

    /// Why the last read failed; nil where it went well. The list is then as if the store had
    /// nothing of it, and nothing is removed because of that.
    public var failure: DaybookError? { relation?.failure }

    /// Reads the objects, unless they are in memory. Throws as ``Box/get(_:)-(Id)`` does.
    public func resolve() throws { try relation?.resolve() }

    /// `resolve` without blocking.
    public nonisolated(nonsending) func resolve() async throws {
        guard let relation, !relation.isResolved, let attachment = relation.attachment else {
            return
        }
        let (list, rows) = try await attachment.types.engine.readElsewhere {
            try attachment.listRows(of: Element.self)
        }
        relation.keep(try attachment.elements(list, rows, as: Element.self))
    }

    /// Forgets what was read, and what was changed and not put: the next use reads anew. Does
    /// nothing where the object that has the list was never put.
    public func reset() { relation?.reset() }

    convenience init(_ attachment: Attachment?) {
        self.init()
        guard let attachment else { return }
        relation = ListRelation(attachment, Self.access)
    }

    private static var access: ListRelation<Element>.Access {
        ListRelation.Access(
            read: { attachment in
                let (list, rows) = try attachment.listRows(of: Element.self)
                return try attachment.elements(list, rows, as: Element.self)
            }, id: { $0.entityId }, add: { object, puts in try puts.add(object) },
            target: Element.self)
    }

    /// The links; from the first put on, a list of objects keeps track of them.
    fileprivate var links: ListRelation<Element> {
        if let relation { return relation }
        let made = ListRelation(elements, isSet: isSet, Self.access)
        relation = made
        elements = []
        return made
    }
}

extension List: RelationProperty where Element: Object & Entity {
    func note(in puts: inout GraphBuilder, of host: GraphHost) throws {
        try links.note(in: &puts, of: host)
    }
}

extension RowReader {
    /// Reads a list of objects: which ones they are is looked up when it is asked for.
    public func read<E: Object & Entity>(_ index: Int) throws -> List<E> {
        _ = try field(index, .objects)
        return List(Attachment(types, .field(index), host: id))
    }

    /// The objects that relate to this one by the backlink at `index` among those of the entity's
    /// description. They are read when they are asked for.
    public func backlink<E: Object & Entity>(_ index: Int) -> LinkingObjects<E> {
        LinkingObjects(Attachment(types, .backlink(index), host: id))
    }
}

extension RowWriter {
    /// Writes nothing to the row: the links are the put's affair.
    public mutating func write<E: Object & Entity>(_ value: List<E>, at index: Int) throws {
        try check(index, .objects)
        relations.append(WrittenRelation(place: .field(index), relation: value))
    }

    /// Writes nothing: objects relate by their own property.
    public mutating func write<E: Object & Entity>(
        _ value: LinkingObjects<E>, backlink index: Int
    ) throws {}
}

extension PropertyDescription {
    /// Describes a list of objects.
    public static func property<E: Object & Entity>(
        _ name: String, _ type: List<E>.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, .objects(E.self), isOptional: true, attributes)
    }

    /// Describes a list of objects whose type only the compiler knows.
    public static func property<Root, E: Object & Entity>(
        _ name: String, _ path: KeyPath<Root, List<E>>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, .objects(E.self), isOptional: true, attributes)
    }

    /// Not there: one object inside another is a relation.
    @available(*, unavailable, message: "an object inside an object is a relation: use ToOne")
    public static func property<E: Object & Entity>(
        _ name: String, _ type: E?.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, .uint64, isOptional: true, attributes)
    }
}
