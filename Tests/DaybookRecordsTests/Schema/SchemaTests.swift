import DaybookBytes
import DaybookRecords
import Testing

@Suite struct SchemaTests {
    static let name = FieldDeclaration(name: "name", type: .string)
    static let age = FieldDeclaration(name: "age", type: .int32)

    /// Reconciles and adds the changed layouts, like the engine.
    private func declare(
        _ name: String, _ fields: [FieldDeclaration], attributes: [String: String] = [:],
        in schema: inout Schema
    ) throws -> EntityLayout {
        try schema.settle(
            [EntityDeclaration(name: name, fields: fields, attributes: attributes)])[0]
    }

    @Test func `a new entity gets the next numbers`() throws {
        var schema = Schema()
        let first = try declare("Person", [Self.name, Self.age], in: &schema)
        #expect(first.layoutID == 1 && first.entityID == 1 && first.version == 1)
        #expect(first.fields.map(\.propertyID) == [1, 2])
        let second = try declare("Order", [], in: &schema)
        #expect(second.layoutID == 2 && second.entityID == 2 && second.version == 1)
        #expect(schema.entity(named: "Order")?.id == 2)
        #expect(schema.entity(1)?.name == "Person")
        #expect(schema.currentLayout(ofEntity: 1) == first)
        #expect(schema.layout(2) == second)
        #expect(schema.layout(0) == nil && schema.layout(3) == nil && schema.entity(3) == nil)
        #expect(schema.entity(named: "Nobody") == nil)
    }

    @Test func `added, removed, reordered and optional properties make new layouts`() throws {
        var schema = Schema()
        _ = try declare("Person", [Self.name, Self.age], in: &schema)
        let height = FieldDeclaration(name: "height", type: .double)
        let added = try declare("Person", [Self.name, Self.age, height], in: &schema)
        #expect(added.version == 2 && added.fields.map(\.propertyID) == [1, 2, 3])
        let removed = try declare("Person", [Self.name, height], in: &schema)
        #expect(removed.version == 3 && removed.fields.map(\.propertyID) == [1, 3, 2])
        #expect(removed.fields.map(\.isUndeclared) == [false, false, true])
        #expect(removed.fields[2].isOptional)
        let reordered = try declare("Person", [height, Self.name], in: &schema)
        #expect(reordered.version == 4 && reordered.fields.map(\.propertyID) == [3, 1, 2])
        var optional = height
        optional.isOptional = true
        let relaxed = try declare("Person", [optional, Self.name], in: &schema)
        #expect(relaxed.version == 5 && relaxed.fields[0].isOptional)
        #expect(schema.entity(1)?.layoutIDs == [1, 2, 3, 4, 5])
    }

    @Test func `a restored property has its old number, and a new one never gets it`() throws {
        var schema = Schema()
        _ = try declare("Person", [Self.name, Self.age], in: &schema)
        _ = try declare("Person", [Self.name], in: &schema)
        let other = try declare(
            "Person", [Self.name, FieldDeclaration(name: "email", type: .string)], in: &schema)
        #expect(other.fields.map(\.propertyID) == [1, 3, 2])
        let back = try declare("Person", [Self.age, Self.name], in: &schema)
        #expect(back.fields.map(\.propertyID) == [2, 1, 3])
        #expect(back.fields.map(\.isUndeclared) == [false, false, true])
    }

    @Test func `attributes of an entity or a property are part of the layout`() throws {
        var schema = Schema()
        _ = try declare("Person", [Self.name], in: &schema)
        var indexed = Self.name
        indexed.attributes = ["index": "hash"]
        let second = try declare("Person", [indexed], in: &schema)
        #expect(second.version == 2 && second.fields[0].attributes == ["index": "hash"])
        let third = try declare("Person", [indexed], attributes: ["uid": "7"], in: &schema)
        #expect(third.version == 3 && third.attributes == ["uid": "7"])
    }

    @Test func `a type that cannot represent the old values needs a migration`()
        throws
    {
        var schema = Schema()
        _ = try declare("Person", [Self.name, Self.age], in: &schema)
        let text = FieldDeclaration(name: "age", type: .string)
        let changed = try schema.reconcile([
            EntityDeclaration(name: "Person", fields: [Self.name, text])
        ])
        #expect(changed.retyped.count == 1)
        #expect(changed.layouts[0].fields.map(\.propertyID) == [1, 2])
        let error = try #require(changed.retyped.first).mismatch()
        #expect(error.code == .schemaMismatch)
        #expect(
            error.details == [
                "entity": "Person", "property": "age", "declared": "string", "stored": "int32",
            ])
        for word in ["Person", "age", "string", "int32", "Declare it", "migration"] {
            #expect(error.message.contains(word))
        }
        let wide = FieldDeclaration(name: "age", type: .int64, isOptional: true)
        let widened = try declare("Person", [Self.name, wide], in: &schema)
        #expect(widened.version == 2 && widened.fields.map(\.propertyID) == [1, 2])
    }

    @Test func `a property that is restored with an incompatible type is a new one`() throws {
        var schema = Schema()
        _ = try declare("Person", [Self.name, Self.age], in: &schema)
        _ = try declare("Person", [Self.name], in: &schema)
        let text = FieldDeclaration(name: "age", type: .string)
        let back = try declare("Person", [text, Self.name], in: &schema)
        #expect(back.fields.map(\.propertyID) == [3, 1])
    }

    @Test func `empty and duplicate names are rejected`() {
        let schema = Schema()
        let many = (0...RecordFormat.fieldCountMax).map {
            FieldDeclaration(name: "field\($0)", type: .bool)
        }
        let person = EntityDeclaration(name: "Person", fields: [Self.name])
        let former = FieldDeclaration(
            name: "age", shape: ValueShape(.int8), formerNames: ["years", "name"])
        let refused: [[EntityDeclaration]] = [
            [EntityDeclaration(name: "", fields: [])],
            [EntityDeclaration(name: "A", fields: [Self.name, Self.age, Self.name])],
            [EntityDeclaration(name: "A", fields: [FieldDeclaration(name: "", type: .bool)])],
            [EntityDeclaration(name: "A", fields: many)],
            [EntityDeclaration(name: "A", fields: [Self.name, former])],
            [person, EntityDeclaration(name: "B", fields: [], formerNames: ["Person"])],
            [EntityDeclaration(name: "B", fields: [], formerNames: ["B"])],
            [person, EntityDeclaration(name: "Person", fields: [Self.age])],
            [
                EntityDeclaration(
                    name: "A", fields: [Self.name], indexes: [IndexDeclaration(columns: ["age"])])
            ],
            [
                EntityDeclaration(
                    name: "A", fields: [Self.name], indexes: [IndexDeclaration(columns: [])])
            ],
        ]
        for (index, declarations) in refused.enumerated() {
            #expect(
                code { _ = try schema.reconcile(declarations) } == .schemaMismatch, "\(index)")
        }
        #expect(throws: Never.self) { try schema.reconcile([person, person]) }
    }

    @Test func `adding a layout twice has no effect, and a contradiction is corruption`() throws {
        var schema = Schema()
        let first = try declare("Person", [Self.name, Self.age], in: &schema)
        let before = schema
        try schema.add(first)
        #expect(schema == before)

        func index(_ number: UInt32, _ properties: [UInt32]) -> LayoutIndex {
            LayoutIndex(
                indexID: number, kind: .value, isUnique: false, isPrimaryKey: false,
                propertyIDs: properties)
        }
        func changed(_ change: (inout EntityLayout) -> Void) -> EntityLayout {
            var layout = first
            layout.layoutID = 2
            layout.version = 2
            change(&layout)
            return layout
        }
        let contradictions = [
            changed { $0.layoutID = 1 },
            changed { $0.layoutID = 3 },
            changed { $0.version = 1 },
            changed { $0.version = 3 },
            changed { $0.entityName = "" },
            changed { $0.entityID = 2 },
            changed {
                $0.entityID = 3; $0.entityName = "Other"; $0.version = 1
            },
            changed {
                $0.entityID = 2; $0.entityName = ""; $0.version = 1
            },
            changed { $0.attributes["schemaVersion"] = "one" },
            changed { $0.fields[0].propertyID = 9 },
            changed { $0.fields[0].propertyID = .max },
            changed {
                $0.fields[0].propertyID = 3; $0.fields[1].propertyID = 5
            },
            changed { $0.fields[0].propertyID = 0 },
            changed { $0.fields[0].name = "" },
            changed { $0.fields[0].name = "age" },
            changed { $0.fields.append($0.fields[0]) },
            changed { $0.indexes = [index(2, [1])] },
            changed { $0.indexes = [index(1, [3])] },
            changed { $0.indexes = [index(1, [1]), index(1, [2])] },
        ]
        for (index, layout) in contradictions.enumerated() {
            #expect(code { try schema.add(layout) } == .corruption, "contradiction \(index)")
            #expect(schema == before)
        }
        try schema.add(
            changed {
                $0.fields.removeLast()
                $0.fields[0].name = "title"
                $0.fields[0].type = .bytes
                $0.entityName = "Somebody"
            })
        #expect(schema.currentLayout(ofEntity: 1)?.version == 2)
        #expect(schema.entity(named: "Somebody")?.id == 1 && schema.entity(named: "Person") == nil)
    }

    @Test func `a schema and its layouts round-trip`() throws {
        var numbers = SeededNumbers()
        for _ in 0..<50 {
            var schema = Schema()
            for round in 0..<6 {
                let fields = numbers.layout().fields.map {
                    FieldDeclaration(
                        name: "\($0.name)\($0.type.name)",
                        shape: ValueShape(
                            $0.type, isOptional: $0.isOptional,
                            entityName: $0.type.isRelation ? "Entity\(round % 3)" : ""),
                        attributes: $0.isOptional ? ["note": "é", "index": "hash"] : [:])
                }
                _ = try declare("Entity\(round % 3)", fields, attributes: ["a": "b"], in: &schema)
            }
            var writer = ByteWriter()
            schema.encode(to: &writer)
            var reader = ByteReader(writer.span)
            #expect(try Schema(from: &reader) == schema, "seed \(numbers.seed)")
            #expect(reader.remaining == 0)
            for layout in schema.layouts {
                var single = ByteWriter()
                layout.encode(to: &single)
                #expect(try EntityLayout(decoding: single.span) == layout)
                let longer = single.bytes + [0]
                #expect(code { _ = try EntityLayout(decoding: longer.span) } == .corruption)
            }
        }
    }

    @Test func `an unknown type is a newer format`() {
        var writer = ByteWriter()
        RowTests.texts(1).encode(to: &writer)
        var bytes = writer.bytes
        let type = bytes.count - 4
        #expect(bytes[type] == FieldType.string.rawValue)
        bytes[type] = 99
        #expect(code { _ = try EntityLayout(decoding: bytes.span) } == .formatTooNew)
        bytes[type] = FieldType.string.rawValue
        bytes[type + 1] = 3
        #expect(code { _ = try EntityLayout(decoding: bytes.span) } == .formatTooNew)
    }

    @Test func `a damaged schema gives a typed error or a schema, never a trap`() throws {
        var numbers = SeededNumbers()
        var schema = Schema()
        _ = try declare("Person", [Self.name, Self.age], in: &schema)
        _ = try declare("Person", [Self.name], attributes: ["a": "b", "c": "d"], in: &schema)
        var writer = ByteWriter()
        schema.encode(to: &writer)
        let whole = writer.bytes
        for place in whole.indices {
            for _ in 0..<50 {
                var damaged = whole
                damaged[place] = .random(in: 0...255, using: &numbers)
                do {
                    var reader = ByteReader(damaged.span)
                    #expect(try Schema(from: &reader).layouts.count < 256)
                } catch {
                    #expect(
                        [.corruption, .formatTooNew].contains(error.code), "seed \(numbers.seed)")
                }
            }
        }
    }

    @Test func `a property with the highest number is corruption`() throws {
        let layout = EntityLayout(
            layoutID: 1, entityID: 1, entityName: "Person", version: 1,
            fields: [Field(propertyID: .max, name: "name", type: .string)])
        var schema = Schema()
        #expect(code { try schema.add(layout) } == .corruption)
        #expect(schema == Schema())
        _ = try declare("Person", [Self.name, Self.age], in: &schema)
    }
}

extension Schema {
    /// Reconciles and adds the changed layouts, like the engine. Repeating the declarations must
    /// then change nothing.
    mutating func settle(
        _ declarations: [EntityDeclaration], version: UInt64 = 0
    ) throws -> [EntityLayout] {
        let result = try reconcile(declarations, version: version)
        for layout in result.changed { try add(layout) }
        let again = try reconcile(declarations, version: version)
        #expect(again.layouts == result.layouts && again.changed.isEmpty && again.retyped.isEmpty)
        return result.layouts
    }
}
