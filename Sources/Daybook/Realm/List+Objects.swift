// A list of objects is kept as their ids. The objects behind the ids are not read with the list, so
// it is no collection of them: `store.box(for:).get(list.ids)` reads them. Positions outside the
// list trap, as with an array.

extension List where Element: Object & Entity {
    /// The ids of the objects, in order; 0 for one that is not stored yet.
    public var ids: [Id] {
        links?.map { link in
            switch link {
            case .stored(let id): id
            case .object(let object): object.entityId
            }
        } ?? elements.map(\.entityId)
    }

    /// How many objects there are.
    public var count: Int { links?.count ?? elements.count }

    /// Whether there are no objects.
    public var isEmpty: Bool { count == 0 }

    /// Adds an object at the end.
    public func append(_ object: Element) { edit { $0.append(.object(object)) } }

    /// Adds objects at the end, in their order.
    public func append(objectsIn objects: some Sequence<Element>) {
        edit { $0.append(contentsOf: objects.map { .object($0) }) }
    }

    /// Puts an object in front of the one at a position; at the end where that is the count.
    public func insert(_ object: Element, at index: Int) {
        edit { $0.insert(.object(object), at: index) }
    }

    /// Takes out the object at a position. It stays in the store.
    public func remove(at index: Int) { edit { _ = $0.remove(at: index) } }

    /// Takes out all objects. They stay in the store.
    public func removeAll() { edit { $0.removeAll() } }

    /// Takes the object at a position out, and puts it in so that it stands at another.
    public func move(from source: Int, to destination: Int) {
        edit { $0.insert($0.remove(at: source), at: destination) }
    }

    convenience init(stored ids: [Id]) {
        self.init()
        links = ids.map { .stored($0) }
    }

    private func edit(_ body: (inout [ObjectLink<Element>]) -> Void) {
        var edited = links ?? elements.map { .object($0) }
        (links, elements) = (nil, [])
        body(&edited)
        links = edited
    }
}
