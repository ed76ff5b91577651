import DaybookBytes
import DaybookRecords
import DaybookTestSupport
import Testing

/// The identity of entities, properties and indexes after renamings.
@Suite struct SchemaEvolutionTests {
    private func field(
        _ name: String, _ type: FieldType = .string, uid: String? = nil, was: [String] = []
    ) -> FieldDeclaration {
        FieldDeclaration(
            name: name, shape: ValueShape(type), attributes: uid.map { ["uid": $0] } ?? [:],
            formerNames: was)
    }

    private func entity(
        _ name: String, _ fields: [FieldDeclaration] = [], uid: String? = nil, was: [String] = [],
        kind: EntityKind = .object, indexes: [IndexDeclaration] = []
    ) -> EntityDeclaration {
        EntityDeclaration(
            name: name, kind: kind, fields: fields, indexes: indexes,
            attributes: uid.map { ["uid": $0] } ?? [:], formerNames: was)
    }

    private func numbers(
        _ fields: [FieldDeclaration], in schema: inout Schema
    ) throws -> [UInt32] {
        let layout = try schema.settle([entity("Person", fields)])[0]
        return layout.fields.filter { !$0.isUndeclared }.map(\.propertyID)
    }

    @Test func `a renamed property keeps its number, by its former name and by its uid`() throws {
        var schema = Schema()
        #expect(try numbers([field("a"), field("b", uid: "7")], in: &schema) == [1, 2])
        #expect(
            try numbers([field("x", was: ["z", "a"]), field("y", uid: "7")], in: &schema) == [1, 2])
        // The same declaration again, and one without the former name.
        #expect(try numbers([field("y"), field("x", was: ["a"])], in: &schema) == [2, 1])
        // An unused name can be given to another property.
        #expect(try numbers([field("a"), field("x"), field("y")], in: &schema) == [3, 1, 2])
    }

    @Test func `an older program finds properties that a newer one renamed`() throws {
        var schema = Schema()
        let old = [field("a"), field("b")]
        #expect(try numbers(old, in: &schema) == [1, 2])
        #expect(try numbers([field("c", was: ["a"]), field("b")], in: &schema) == [1, 2])
        #expect(try numbers(old, in: &schema) == [1, 2])
        #expect(try numbers([field("c", was: ["a"]), field("b")], in: &schema) == [1, 2])
    }

    @Test func `another uid under the same name is another property`() throws {
        var schema = Schema()
        #expect(try numbers([field("a", uid: "1")], in: &schema) == [1])
        #expect(try numbers([field("a", .int8, uid: "2")], in: &schema) == [2])
        #expect(try numbers([field("a", uid: "1")], in: &schema) == [1])
        #expect(try numbers([field("a")], in: &schema) == [1])
    }

    @Test func `two declarations of one property are rejected`() throws {
        var schema = Schema()
        _ = try numbers([field("a", uid: "1"), field("b")], in: &schema)
        for fields in [
            [field("x", was: ["a"]), field("y", was: ["a"])],
            [field("x", was: ["a"]), field("y", uid: "1")],
            [field("x", was: ["a", "b"])],
            [field("a"), field("x", uid: "1")],
        ] {
            #expect(
                code { _ = try schema.reconcile([entity("Person", fields)]) } == .schemaMismatch)
        }
    }

    @Test func `a renamed entity keeps its number`() throws {
        var schema = Schema()
        _ = try schema.settle([entity("A", [field("a")]), entity("B", uid: "5")])
        let renamed = try schema.settle([
            entity("X", [field("a")], was: ["A"]), entity("Y", uid: "5"),
        ])
        #expect(renamed.map(\.entityID) == [1, 2] && renamed.map(\.version) == [2, 2])
        #expect(schema.entity(named: "A") == nil && schema.entity(named: "X")?.id == 1)
        #expect(schema.entity(onceNamed: "A")?.id == 1 && schema.entity(onceNamed: "C") == nil)
        // An unused name can be given to another entity when no declaration has it as a former
        // name.
        let more = try schema.settle([entity("A"), entity("X", [field("a")])])
        #expect(more.map(\.entityID) == [3, 1])
        // An older program finds its objects by the old name.
        #expect(try schema.settle([entity("B")])[0].entityID == 2)
        #expect(schema.entity(named: "Y") == nil)
        // A former name that another entity uses is ignored.
        #expect(
            code { _ = try schema.reconcile([entity("A"), entity("Z", was: ["A"])]) }
                == .schemaMismatch)
    }

    @Test func `names may move between entities in one opening if an order exists`() throws {
        var schema = Schema()
        _ = try schema.settle([entity("A", uid: "1"), entity("B", uid: "2")])
        let chain = try schema.settle([
            entity("B", uid: "1"), entity("C", uid: "2"), entity("A", uid: "3"),
        ])
        #expect(chain.map(\.entityID) == [1, 2, 3])
        #expect(
            code {
                _ = try schema.reconcile([entity("B", uid: "2"), entity("C", uid: "1")])
            } == .schemaMismatch)
        #expect(
            code { _ = try schema.reconcile([entity("X", was: ["A", "B"])]) } == .schemaMismatch)
        #expect(
            code {
                _ = try schema.reconcile([entity("X", was: ["A"]), entity("Y", uid: "3")])
            } == .schemaMismatch)
    }

    @Test func `another kind is rejected after objects were stored`() throws {
        var schema = Schema()
        _ = try schema.settle([entity("A"), entity("B", kind: .embedded)])
        let event = [entity("A", kind: .event)]
        #expect(code { _ = try schema.reconcile(event) } == .schemaMismatch)
        let changed = try schema.reconcile(event, hasRows: { _ in false })
        #expect(changed.changed.map(\.kind) == [.event])
        #expect(
            code { _ = try schema.reconcile([entity("B")], hasRows: { _ in false }) }
                == .schemaMismatch)
    }

    @Test func `a renamed embedded type keeps its properties`() throws {
        func person(_ name: String) -> EntityDeclaration {
            let shape = ValueShape(
                .list, element: ValueShape(.embedded, isOptional: true, entityName: name))
            return entity("Person", [FieldDeclaration(name: "places", shape: shape)])
        }
        var schema = Schema()
        _ = try schema.settle([person("Address"), entity("Address", kind: .embedded)])
        let renamed = try schema.settle([
            person("Place"), entity("Place", was: ["Address"], kind: .embedded),
        ])
        #expect(renamed[0].version == 2 && renamed[0].fields.map(\.propertyID) == [1])
        let other = try schema.reconcile([
            person("Spot"), entity("Spot", kind: .embedded), entity("Place", kind: .embedded),
        ])
        #expect(other.retyped.map(\.property) == ["places"])
        #expect(other.layouts[0].fields.map(\.propertyID) == [2])
    }

    @Test func `an index keeps its number after renamings and gets a new one for a new type`()
        throws
    {
        func person(
            _ field: FieldDeclaration, _ other: String = "b", isUnique: Bool = false
        ) -> [EntityDeclaration] {
            [
                entity(
                    "Person", [field, self.field(other, .int8, was: other == "b" ? [] : ["b"])],
                    indexes: [
                        IndexDeclaration(columns: [field.name], isUnique: isUnique),
                        IndexDeclaration(columns: [other, field.name]),
                    ])
            ]
        }
        var schema = Schema()
        func ids(_ declarations: [EntityDeclaration]) throws -> [UInt32] {
            try schema.settle(declarations)[0].indexes.map(\.indexID)
        }
        #expect(try ids(person(field("a", .int8))) == [1, 2])
        #expect(try ids(person(field("x", .int8, was: ["a"]), "y")) == [1, 2])
        #expect(try ids(person(field("x", .int16), "y")) == [3, 4])
        #expect(try ids(person(field("x", .int16), "y", isUnique: true)) == [5, 4])
        #expect(try ids([entity("Person", [field("x", .int16)])]) == [])
        #expect(try ids(person(field("x", .int16), "y", isUnique: true)) == [6, 7])
    }

    @Test func `no layout keeps an index whose property becomes optional or required`() throws {
        func person(isOptional: Bool) -> [EntityDeclaration] {
            let number = FieldDeclaration(name: "b", type: .int8, isOptional: isOptional)
            return [
                entity(
                    "Person", [field("a"), number],
                    indexes: [
                        IndexDeclaration(columns: ["a"]), IndexDeclaration(columns: ["a", "b"]),
                    ])
            ]
        }
        for isOptional in [false, true] {
            var schema = Schema()
            let before = try schema.settle(person(isOptional: isOptional))[0]
            var wrong = before
            wrong.layoutID += 1
            wrong.version += 1
            wrong.fields[1].isOptional = !isOptional
            #expect(code { try schema.add(wrong) } == .corruption)
            let after = try schema.settle(person(isOptional: !isOptional))[0]
            #expect(before.indexes.map(\.indexID) == [1, 2])
            #expect(after.indexes.map(\.indexID) == [1, 3])
            #expect(schema.layouts == [before, after])
        }
    }

    @Test func `the version of the schema is stored once and read back`() throws {
        var schema = Schema()
        _ = try schema.settle([entity("A"), entity("B")], version: 3)
        #expect(schema.version == 3 && schema.layouts.count == 2)
        _ = try schema.settle([entity("A"), entity("B")], version: 2)
        #expect(schema.version == 3 && schema.layouts.count == 2)
        _ = try schema.settle([entity("A"), entity("B")], version: 9)
        #expect(schema.version == 9 && schema.layouts.count == 3)
        _ = try schema.settle([entity("A", [field("a")]), entity("B")], version: 9)
        #expect(schema.version == 9 && schema.layouts.count == 4)
        var writer = ByteWriter()
        schema.encode(to: &writer)
        var reader = ByteReader(writer.span)
        #expect(try Schema(from: &reader) == schema)
    }

    /// Declarations are rejected or stored, and stored ones are read back unchanged.
    @Test func `random declarations are rejected or give a consistent schema`() throws {
        var random = SeededNumbers()
        var refusals = 0
        for _ in 0..<300 {
            var schema = Schema()
            for _ in 0..<12 {
                let declarations = EntityDeclaration.random(using: &random)
                do {
                    let result = try schema.reconcile(
                        declarations, version: .random(in: 0...3, using: &random))
                    for layout in result.changed { try schema.add(layout) }
                    #expect(result.layouts.count == declarations.count)
                    for (layout, declaration) in zip(result.layouts, declarations) {
                        #expect(layout.entityName == declaration.name)
                        #expect(schema.currentLayout(ofEntity: layout.entityID) == layout)
                        #expect(
                            layout.fields.prefix(declaration.fields.count).map(\.name)
                                == declaration.fields.map(\.name))
                    }
                } catch {
                    refusals += 1
                    #expect(code { throw error } == .schemaMismatch, "seed \(random.seed)")
                }
            }
            var writer = ByteWriter()
            schema.encode(to: &writer)
            var reader = ByteReader(writer.span)
            #expect(try Schema(from: &reader) == schema, "seed \(random.seed)")
        }
        #expect(refusals < 300 * 12)
    }
}
