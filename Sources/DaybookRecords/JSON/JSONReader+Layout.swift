package import DaybookBytes

/// Reads the output of ``JSONText/members(of:)``.
extension JSONReader {
    /// Reads the members of a layout, without the braces around them. Throws `.dumpInvalid`, and
    /// the error of reading a log for a layout that no log can contain.
    package mutating func layout() throws(DaybookError) -> EntityLayout {
        try member("layout")
        let layoutID: UInt32 = try integer()
        try member("entity")
        let entityID: UInt32 = try integer()
        try member("version")
        let version: UInt32 = try integer()
        try member("kind")
        let kind = try choice(EntityKind.all, \.word)
        try member("name")
        let name = try string()
        let attributes = try pairs("attributes")
        var fields: [Field] = []
        try member("fields")
        try beginArray()
        while try nextElement() { fields.append(try field()) }
        var indexes: [LayoutIndex] = []
        try member("indexes")
        try beginArray()
        while try nextElement() { indexes.append(try index()) }
        let layout = EntityLayout(
            layoutID: layoutID, entityID: entityID, entityName: name, kind: kind, version: version,
            fields: fields, indexes: indexes, attributes: attributes)
        // The decoder of the log checks all invariants of a layout.
        var writer = ByteWriter(capacity: 512)
        layout.encode(to: &writer)
        guard try EntityLayout(decoding: writer.span) == layout else {
            throw problem("the layout before this is invalid")
        }
        return layout
    }

    /// Reads a member of texts by name; empty if the member is missing.
    package mutating func pairs(_ name: String) throws(DaybookError) -> [String: String] {
        guard try hasMember(name) else { return [:] }
        var pairs: [String: String] = [:]
        try beginObject()
        while let key = try nextName() {
            guard pairs.updateValue(try string(), forKey: key) == nil else {
                throw problem("\"\(key)\" occurs twice")
            }
        }
        try endObject()
        return pairs
    }

    private mutating func field() throws(DaybookError) -> Field {
        try beginObject()
        try member("property")
        let property: UInt32 = try integer()
        try member("name")
        let name = try string()
        try member("shape")
        let shape = try shape(depth: 0)
        let attributes = try pairs("attributes")
        var relation: FieldRelation?
        if shape.type.isRelation {
            try member("relation")
            let number: UInt32 = try integer()
            try member("target")
            relation = FieldRelation(relationID: number, targetEntityID: try integer())
        }
        try endObject()
        return Field(
            propertyID: property, name: name, shape: shape, attributes: attributes,
            relation: relation)
    }

    private mutating func shape(depth: Int) throws(DaybookError) -> ValueShape {
        guard depth <= RecordFormat.shapeDepthMax else {
            throw problem("the type is nested too deep")
        }
        try beginObject()
        try member("type")
        let type = try choice(FieldType.allCases, \.name)
        let isOptional = try hasMember("optional") ? try bool() : false
        var entityName = ""
        if type.namesEntity {
            try member("of")
            entityName = try string()
        }
        var element: ValueShape?
        if type.isCollection {
            try member("element")
            element = try shape(depth: depth + 1)
        }
        try endObject()
        return ValueShape(type, isOptional: isOptional, element: element, entityName: entityName)
    }

    private mutating func index() throws(DaybookError) -> LayoutIndex {
        try beginObject()
        try member("index")
        let number: UInt32 = try integer()
        try member("kind")
        let kind = try choice(LayoutIndex.Kind.all, \.word)
        try member("unique")
        let isUnique = try bool()
        try member("primaryKey")
        let isPrimaryKey = try bool()
        var properties: [UInt32] = []
        try member("properties")
        try beginArray()
        while try nextElement() { properties.append(try integer()) }
        let form = kind == .vector ? try vectors() : nil
        try endObject()
        return LayoutIndex(
            indexID: number, kind: kind, isUnique: isUnique, isPrimaryKey: isPrimaryKey,
            propertyIDs: properties, vectors: form)
    }

    private mutating func vectors() throws(DaybookError) -> VectorForm {
        try member("vectors")
        try beginObject()
        try member("distance")
        let metric = try choice(VectorMetric.allCases, \.word)
        try member("dimensions")
        let dimensions: UInt32 = try integer()
        try member("neighbors")
        let neighborCount: UInt32 = try integer()
        try member("candidates")
        let searchCount: UInt32 = try integer()
        try endObject()
        let form = VectorForm(
            dimensions: Int(dimensions), metric: metric, neighborCount: Int(neighborCount),
            searchCount: Int(searchCount))
        if let text = form.problem { throw problem("the index of vectors \(text)") }
        return form
    }

    private mutating func choice<Choice>(
        _ choices: [Choice], _ name: (Choice) -> String
    ) throws(DaybookError) -> Choice {
        let text = try string()
        guard let found = choices.first(where: { name($0) == text }) else {
            let names = choices.map(name).joined(separator: ", ")
            throw problem("'\(text)' is not one of \(names)")
        }
        return found
    }
}
