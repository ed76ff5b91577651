package import DaybookBytes

/// Layouts as JSON, for dumps.
extension JSONText {
    /// Writes the members of a layout, without the braces around them.
    package mutating func members(of layout: EntityLayout) {
        member("layout", layout.layoutID)
        member("entity", layout.entityID)
        member("version", layout.version)
        member("kind", layout.kind.word)
        member("name", layout.entityName)
        member("attributes", layout.attributes)
        name("fields")
        beginArray()
        for field in layout.fields { self.field(field) }
        endArray()
        name("indexes")
        beginArray()
        for index in layout.indexes { self.index(index) }
        endArray()
    }

    private mutating func field(_ field: Field) {
        beginObject()
        member("property", field.propertyID)
        member("name", field.name)
        name("shape")
        shape(field.shape)
        member("attributes", field.attributes)
        if let relation = field.relation {
            member("relation", relation.relationID)
            member("target", relation.targetEntityID)
        }
        endObject()
    }

    private mutating func shape(_ shape: ValueShape) {
        beginObject()
        member("type", shape.type.name)
        if shape.isOptional {
            name("optional")
            bool(true)
        }
        if shape.type.namesEntity { member("of", shape.entityName) }
        if let element = shape.element {
            name("element")
            self.shape(element)
        }
        endObject()
    }

    private mutating func index(_ index: LayoutIndex) {
        beginObject()
        member("index", index.indexID)
        member("kind", index.kind.word)
        name("unique")
        bool(index.isUnique)
        name("primaryKey")
        bool(index.isPrimaryKey)
        name("properties")
        beginArray()
        for property in index.propertyIDs { integer(property) }
        endArray()
        if let vectors = index.vectors {
            name("vectors")
            beginObject()
            member("distance", vectors.metric.word)
            member("dimensions", UInt32(vectors.dimensions))
            member("neighbors", UInt32(vectors.neighborCount))
            member("candidates", UInt32(vectors.searchCount))
            endObject()
        }
        endObject()
    }

    private mutating func member(_ name: String, _ value: UInt32) {
        self.name(name)
        integer(value)
    }

    private mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    /// Writes texts by name, sorted by the names' bytes; nothing if there are none.
    package mutating func member(_ name: String, _ pairs: [String: String]) {
        guard !pairs.isEmpty else { return }
        self.name(name)
        beginObject()
        let sorted = pairs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (key, value) in sorted { member(key, value) }
        endObject()
    }
}

extension EntityKind {
    /// The word for the kind in a dump.
    var word: String {
        switch self {
        case .object: "object"
        case .embedded: "embedded"
        case .event: "event"
        }
    }

    static let all: [EntityKind] = [.object, .embedded, .event]
}

extension LayoutIndex.Kind {
    /// The word for the kind in a dump.
    var word: String {
        switch self {
        case .value: "value"
        case .hash: "hash"
        case .text: "text"
        case .folded: "folded"
        case .vector: "vector"
        }
    }

    static let all: [LayoutIndex.Kind] = [.value, .hash, .text, .folded, .vector]
}

extension VectorMetric {
    /// The word for the distance in a dump and in an explained query.
    package var word: String {
        switch self {
        case .euclidean: "euclidean"
        case .cosine: "cosine"
        case .dotProduct: "dotProduct"
        case .geo: "geo"
        }
    }
}
