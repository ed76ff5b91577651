import DaybookBytes

// A list of objects as a property: their ids, in order.

extension RowReader {
    /// Reads a list of objects: their ids. Throws as ``read(_:as:)`` does.
    public func read<E: Object & Entity>(_ index: Int) throws -> List<E> {
        List(stored: try read(index, as: [Id].self))
    }
}

extension RowWriter {
    /// Writes a list of objects: their ids. Throws `.cannotRelateToUnsaved` for one that is not
    /// stored yet.
    public mutating func write<E: Object & Entity>(_ value: List<E>, at index: Int) throws {
        let ids = value.ids
        if let place = ids.firstIndex(of: 0) {
            try check(index, .list)
            let name = name(of: index)
            throw DaybookError(
                .cannotRelateToUnsaved,
                "The \(E.self) at \(place) in the list '\(name)' is not stored. Put it first.",
                details: ["property": name, "entity": "\(E.self)", "index": "\(place)"])
        }
        try write(ids, at: index)
    }
}

extension PropertyDescription {
    /// Describes a list of objects.
    public static func property<E: Object & Entity>(
        _ name: String, _ type: List<E>.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, [Id].propertyType, isOptional: false, attributes)
    }

    /// Describes a list of objects whose type only the compiler knows.
    public static func property<Root, E: Object & Entity>(
        _ name: String, _ path: KeyPath<Root, List<E>>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, [Id].propertyType, isOptional: false, attributes)
    }

    /// Not there: one object inside another is a relation.
    @available(*, unavailable, message: "an object inside an object is a relation: use ToOne")
    public static func property<E: Object & Entity>(
        _ name: String, _ type: E?.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, .uint64, isOptional: true, attributes)
    }
}
