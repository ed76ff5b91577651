import DaybookRecords
import DaybookQuery

/// The model of the query text tests: packages with a property of each kind, their maintainers,
/// dependencies and files.
enum PackageModel {
    static let declarations: [EntityDeclaration] = [
        EntityDeclaration(
            name: "Address", kind: .embedded,
            fields: [
                FieldDeclaration(name: "city", type: .string),
                FieldDeclaration(name: "zip", type: .int32, isOptional: true),
            ]),
        EntityDeclaration(
            name: "Person",
            fields: [
                FieldDeclaration(name: "name", type: .string),
                FieldDeclaration(name: "age", type: .int32, isOptional: true),
                FieldDeclaration(name: "isActive", type: .bool),
                FieldDeclaration(
                    name: "home",
                    shape: ValueShape(.embedded, isOptional: true, entityName: "Address")),
            ]),
        EntityDeclaration(
            name: "File",
            fields: [
                FieldDeclaration(name: "path", type: .string),
                FieldDeclaration(name: "bytes", type: .int64),
            ]),
        EntityDeclaration(
            name: "Package",
            fields: [
                FieldDeclaration(name: "name", type: .string),
                FieldDeclaration(name: "section", type: .string, isOptional: true),
                FieldDeclaration(name: "size", type: .int64),
                FieldDeclaration(name: "price", type: .decimal),
                FieldDeclaration(name: "ratio", type: .double),
                FieldDeclaration(name: "share", type: .float),
                FieldDeclaration(name: "released", type: .date),
                FieldDeclaration(name: "stamp", type: .dateNano, isOptional: true),
                FieldDeclaration(name: "key", type: .uuid),
                FieldDeclaration(name: "digest", type: .bytes),
                FieldDeclaration(name: "isEssential", type: .bool),
                FieldDeclaration(name: "order", type: .int32),
                FieldDeclaration(name: "any", type: .int32),
                FieldDeclaration(name: "größe in KiB", type: .int32),
                FieldDeclaration(
                    name: "tags", shape: ValueShape(.list, element: ValueShape(.string))),
                FieldDeclaration(
                    name: "scores", shape: ValueShape(.set, element: ValueShape(.float))),
                FieldDeclaration(
                    name: "labels",
                    shape: ValueShape(.map, isOptional: true, element: ValueShape(.string))),
                relation("maintainer", .toOne, "Person"),
                relation("dependencies", .toMany, "Package"),
                relation("files", .objects, "File"),
            ]),
        EntityDeclaration(
            name: "Visit", kind: .event, fields: [FieldDeclaration(name: "page", type: .string)]),
    ]

    static func relation(
        _ name: String, _ type: FieldType, _ target: String
    ) -> FieldDeclaration {
        FieldDeclaration(
            name: name, shape: ValueShape(type, isOptional: true, entityName: target))
    }

    /// Returns the schema after a series of declarations.
    static func schema(_ releases: [EntityDeclaration]...) throws -> Schema {
        var schema = Schema()
        for declarations in releases {
            for layout in try schema.reconcile(declarations).changed { try schema.add(layout) }
        }
        return schema
    }

    static func model() throws -> QueryModel { QueryModel(try schema(declarations)) }
}
