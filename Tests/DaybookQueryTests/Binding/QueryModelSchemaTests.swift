import DaybookRecords
import DaybookQuery
import Testing

/// The query model that a store's own schema gives.
@Suite struct QueryModelSchemaTests {
    private func entity(_ name: String, in model: QueryModel) throws -> QueryModel.Entity {
        try #require(model.entities.values.first { $0.name == name })
    }

    private func property(_ name: String, of entity: QueryModel.Entity) throws -> QueryProperty {
        guard case .property(let property) = entity.members[name] else {
            throw QueryModelProblem(name: name)
        }
        return property
    }

    private func relation(_ name: String, of entity: QueryModel.Entity) throws -> QueryRelation {
        guard case .relation(let relation) = entity.members[name] else {
            throw QueryModelProblem(name: name)
        }
        return relation
    }

    private struct QueryModelProblem: Error {
        var name: String
    }

    @Test func `entities have their kinds, properties, ids and relations in both directions`()
        throws
    {
        let model = try PackageModel.model()
        #expect(model.entities.count == 5)
        let package = try entity("Package", in: model)
        let person = try entity("Person", in: model)
        let address = try entity("Address", in: model)
        #expect(package.kind == .object)
        #expect(address.kind == .embedded)
        #expect(try entity("Visit", in: model).kind == .event)
        guard case .id = package.members["id"] else { return #expect(Bool(false)) }
        #expect(address.members["id"] == nil)

        let home = try property("home", of: person)
        #expect(home.embeddedEntity == address.entity)
        #expect(home.entity == person.entity)
        #expect(home.shape.isOptional)
        let size = try property("size", of: package)
        #expect(size.propertyID == 3)
        #expect(size.embeddedEntity == nil)

        let maintainer = try relation("maintainer", of: package)
        #expect(maintainer.isToOne && !maintainer.isBackward && !maintainer.isList)
        #expect(maintainer.target == person.entity)
        let maintained = try relation("<-Package.maintainer", of: person)
        #expect(!maintained.isToOne && maintained.isBackward && !maintained.isList)
        #expect(maintained.relationID == maintainer.relationID)
        #expect(maintained.target == package.entity)
        let files = try relation("files", of: package)
        #expect(files.isList && !files.isToOne)
        #expect(try relation("<-Package.files", of: entity("File", in: model)).isList)
        #expect(try relation("<-Package.dependencies", of: package).target == package.entity)
    }

    @Test func `names come from the newest layouts`() throws {
        let address = EntityDeclaration(
            name: "Address", kind: .embedded,
            fields: [FieldDeclaration(name: "city", type: .string)])
        func person(_ fields: [FieldDeclaration], named name: String, former: [String] = [])
            -> EntityDeclaration
        {
            EntityDeclaration(name: name, fields: fields, formerNames: former)
        }
        var full = FieldDeclaration(name: "fullName", type: .string)
        full.formerNames = ["name"]
        let home = FieldDeclaration(
            name: "home", shape: ValueShape(.embedded, isOptional: true, entityName: "Address"))
        let schema = try PackageModel.schema(
            [
                address,
                person(
                    [
                        FieldDeclaration(name: "name", type: .string), home,
                        PackageModel.relation("friends", .toMany, "Person"),
                    ], named: "Person"),
            ],
            [address, person([full, home], named: "Human", former: ["Person"])])
        let model = QueryModel(schema)
        #expect(model.entities.values.map(\.name).sorted() == ["Address", "Human"])
        let human = try entity("Human", in: model)
        #expect(human.members["name"] == nil)
        #expect(try property("fullName", of: human).propertyID == 1)
        #expect(try property("home", of: human).embeddedEntity != nil)
        // Undeclared members can still be queried.
        #expect(try relation("friends", of: human).target == human.entity)
        #expect(try relation("<-Human.friends", of: human).isBackward)
        let query = try TextQuery.parse("Human where any friends (fullName = 'x')", in: model)
        #expect(query.entity == human.entity)
    }

    @Test func `a relation whose name now belongs to another one is found by its number`() throws {
        func person(_ fields: FieldDeclaration...) -> EntityDeclaration {
            EntityDeclaration(name: "Person", fields: fields)
        }
        let schema = try PackageModel.schema(
            [person(PackageModel.relation("friends", .toMany, "Person"))], [person()],
            [person(PackageModel.relation("friends", .objects, "Person"))])
        let person = try entity("Person", in: QueryModel(schema))
        for name in ["friends", "<-Person.friends"] {
            let newest = try relation(name, of: person)
            #expect(newest.isList)
            let older = person.members.keys.filter { $0.hasPrefix("\(name)#") }
            #expect(older.count == 1)
            let other = try relation(older.first ?? "", of: person)
            #expect(!other.isList && other.relationID != newest.relationID)
            #expect(older == ["\(name)#\(other.relationID ?? 0)"])
        }
    }

    @Test func `an embedded type is found under its former name`() throws {
        let field = FieldDeclaration(
            name: "home", shape: ValueShape(.embedded, entityName: "Place"))
        let city = FieldDeclaration(name: "city", type: .string)
        func place(_ name: String, former: [String] = []) -> EntityDeclaration {
            EntityDeclaration(name: name, kind: .embedded, fields: [city], formerNames: former)
        }
        let schema = try PackageModel.schema(
            [place("Place"), EntityDeclaration(name: "Person", fields: [field])],
            [place("Spot", former: ["Place"])])
        let model = QueryModel(schema)
        let home = try property("home", of: entity("Person", in: model))
        #expect(try home.embeddedEntity == entity("Spot", in: model).entity)
    }

    @Test func `a property with the name id is found by that name`() throws {
        let schema = try PackageModel.schema([
            EntityDeclaration(name: "Thing", fields: [FieldDeclaration(name: "id", type: .string)])
        ])
        let query = try TextQuery.parse("Thing where id = 'x'", in: QueryModel(schema))
        #expect(
            query.definition.condition
                == .compare(
                    .property(PropertyPath(["id"])), .equal, .value(.text("x")), []))
    }

    @Test func `a schema without entities has an empty model`() throws {
        let model = QueryModel(Schema())
        #expect(model.entities.isEmpty)
        let error = try #require(throws: (any Error).self) {
            try TextQuery.parse("Package", in: model)
        }
        #expect("\(error)".contains("There are: none."))
    }
}
