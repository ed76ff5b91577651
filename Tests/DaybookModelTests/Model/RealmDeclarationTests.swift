#if Macros
import DaybookModel
import Testing

/// Declarations of Realm before `@Persisted`.
@Suite struct RealmDeclarationTests {
    private func read(_ members: String, base: String = "Object") throws -> ReadSource {
        try ReadSource(
            """
            @objcMembers class Dog: \(base) {
            \(members)
            }
            """, placement: .otherFile)
    }

    @Test func `dynamic properties and constants with collections are stored`() throws {
        let model = try #require(
            try read(
                """
                @objc dynamic var name = ""
                dynamic var age: Int = 0
                let tags = List<String>()
                let keys: Map<String, Dog?> = Map()
                let height = RealmOptional<Int>()
                let weight = RealmProperty<Int?>()
                let constant = 7
                """
            ).model)
        #expect(
            model.properties.map(\.name) == ["name", "age", "tags", "keys", "height", "weight"])
        #expect(
            model.properties.map(\.isConstant) == [false, false, true, true, true, true])
        let types = model.descriptors.map { $0.type ?? "?" }
        #expect(types == ["String", "Int", "?", "Map<String, Dog?>", "?", "?"])
    }

    @Test(arguments: ["let", "var"])
    func `linking objects name their type and property in the initial value`(
        specifier: String
    ) throws {
        let source =
            "\(specifier) owners = LinkingObjects(fromType: Person.self, property: \"dogs\")"
        let backlink = try #require(try read(source).model?.backlinks.first)
        #expect(backlink.target == "Person" && backlink.origin == "dogs")
        #expect(backlink.isConstant == (specifier == "let"))
    }

    @Test func `functions name the key, the indexes and the properties that are not stored`() throws
    {
        let model = try #require(
            try read(
                """
                @objc dynamic var id = ""
                @objc dynamic var name = ""
                @objc dynamic var draft = ""
                override static func primaryKey() -> String? { return "id" }
                override class func indexedProperties() -> [String] { ["name"] }
                override class func ignoredProperties() -> [String] { ["draft"] }
                """
            ).model)
        #expect(model.properties.map(\.name) == ["id", "name"])
        #expect(model.properties.map(\.attributes) == [[.primaryKey], [.index(kind: "")]])
        let none = "var id = 0\noverride static func primaryKey() -> String? { nil }"
        #expect(try read(none).model?.properties.map(\.attributes) == [[]])
    }

    @Test(arguments: [
        (
            "override static func primaryKey() -> String? { \"idd\" }",
            "'primaryKey()' names 'idd', which is not a stored property of 'Dog'"
        ),
        (
            "override static func primaryKey() -> String? { key }",
            "'primaryKey()' is read at compile time, so it must return a name in quotation marks"
        ),
        (
            "override static func ignoredProperties() -> [String] { [\"a\"] + names }",
            "'ignoredProperties()' is read at compile time, so it must return an array of names in"
                + " quotation marks"
        ),
        (
            "override static func indexedProperties() -> [String] { super.indexedProperties() }",
            "'indexedProperties()' is read at compile time, so it must return an array of names in"
                + " quotation marks"
        ),
    ])
    func `a function whose names cannot be read is an error`(
        source: String, problem: String
    ) throws {
        let reading = try read("var id = 0\n" + source)
        #expect(reading.model == nil)
        #expect(reading.problems.count == 1 && reading.problems[0].hasSuffix(problem))
    }

    @Test func `constants of other classes are not stored`() throws {
        let source = try ReadSource(
            "@Entity class Dog { var id: Id = 0; let tags = List<String>(); init() {} }")
        #expect(source.model == nil && source.problems[0].contains("must be 'var'"))
        let persisted = try read("@Persisted var name = \"\"\nlet tags = List<String>()")
        #expect(persisted.model?.properties.map(\.name) == ["name"])
    }
}
#endif
