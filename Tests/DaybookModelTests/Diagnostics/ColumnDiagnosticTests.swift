#if Macros
import Testing

/// Diagnostics of attributes that name several properties, and of the type itself.
@Suite struct ColumnDiagnosticTests {
    @Test func `the error for an unknown name suggests the most similar one`() throws {
        let source =
            "@Index(\"name\", \"citi\") "
            + "@Entity struct A { var id: Id; var name: Int; var city: Int }"
        let read = try ReadSource(source)
        #expect(
            read.problems == ["1:16 @Index names 'citi', which is not a stored property of 'A'"])
        #expect(read.fixItTitles == ["change it to 'city'"])
        #expect(try ReadSource(read.fixed).problems == [])
    }

    @Test(arguments: ["@Unique(\"id\")", "@PrimaryKey(\"nothing\")", "@Index(\"late\")"])
    func `a property that is not stored cannot be named`(attribute: String) throws {
        let read = try ReadSource(
            "\(attribute) @Entity struct A { var id: Id = 0; var name: Int; "
                + "@Transient var late = 1; var all: ToMany<B> = nil }"
        )
        #expect(read.problems.count == 1)
        #expect(read.fixItTitles == [])
    }

    @Test func `a collection cannot be named`() throws {
        let read = try ReadSource(
            "@Unique(\"tags\") @Entity struct A { var id: Id; var tags: [Int] }")
        #expect(
            read.problems == [
                "1:9 'tags' cannot have '@Unique': values of '[Int]' cannot be indexed"
            ])
    }

    @Test func `an embedded type and an event have no indexes`() throws {
        let read = try ReadSource("@Index(\"a\") @Embedded struct A { var a: Int }")
        #expect(
            read.problems == [
                "1:30 'A' cannot have '@Index': an embedded object has no id, key or index of its "
                    + "own"
            ])
        #expect(read.fixed == "@Embedded struct A { var a: Int }")
        let event = try ReadSource("@PrimaryKey(\"a\") @Event struct A { var a: Int }")
        #expect(event.fixed == "@Event struct A { var a: Int }")
    }

    @Test func `a primary key of two properties belongs on the type`() throws {
        let read = try ReadSource(
            "@Entity struct A { @PrimaryKey var a: Int; @PrimaryKey var b: Int }")
        #expect(
            read.problems == [
                "1:60 an entity has one primary key, but it is given more than once: 'a', 'b'. A "
                    + "key of several properties belongs on the type: @PrimaryKey(\"a\", \"b\")"
            ])
        #expect(read.fixItTitles == ["write '@PrimaryKey(\"a\", \"b\")' on the type"])
        #expect(
            read.fixed
                == "@Entity @PrimaryKey(\"a\", \"b\") struct A { var a: Int; var b: Int }")
        #expect(try ReadSource(read.fixed).problems == [])
    }

    @Test(arguments: [
        "@PrimaryKey(\"a\", \"b\") @Entity struct A { @PrimaryKey var a: Int; var b: Int }",
        "class A: Object {\n@Persisted(primaryKey: true) var a: Int\n"
            + "@PrimaryKey @Persisted var b: Int }",
    ])
    func `a second primary key is refused in every spelling`(source: String) throws {
        let read = try ReadSource(source)
        #expect(read.problems.count == 1)
        #expect(read.problems.first?.contains("an entity has one primary key") == true)
        #expect(read.fixItTitles == [])
    }

    @Test func `two properties cannot have the same stored name`() throws {
        let read = try ReadSource(
            "@Entity struct A { var id: Id = 0; var a: Int; @Name(\"a\") var b: Int }")
        #expect(
            read.problems == [
                "1:63 'a', 'b' have the same name in the store, 'a': give each its own"
            ])
    }

    // MARK: The class

    @Test func `an entity cannot inherit from another entity`() throws {
        let source = "@Entity class Dog: Animal { var id: Id = 0 }"
        let read = try ReadSource(source, unstated: ["Embedded", "Event"])
        #expect(
            read.problems == [
                "1:20 'Dog' inherits from 'Animal', but an entity cannot inherit from another "
                    + "entity: the store has one list of properties per type. If 'Animal' is a "
                    + "protocol, add 'Entity' after it"
            ])
        let all: Set<String> = ["Entity", "Embedded", "Event"]
        #expect(try ReadSource(source, unstated: all).problems == [])
        let stated = "@Entity class Dog: Animal, Entity { var id: Id = 0 }"
        #expect(try ReadSource(stated, unstated: ["Embedded", "Event"]).problems == [])
        let structure = "@Entity struct Dog: Animal { var id: Id = 0 }"
        #expect(try ReadSource(structure, unstated: []).problems == [])
        let plain = "@Entity class Dog { var id: Id = 0 }"
        #expect(try ReadSource(plain, unstated: []).problems == [])
    }

    @Test(arguments: [
        (
            "class A: Entity {\n    var id: Id\n}",
            "class A: Entity {\n    var id: Id\n    init() {}\n}"
        ),
        (
            "public class A: Entity { var id: Id }",
            "public class A: Entity { var id: Id; public init() {} }"
        ),
        (
            "final class A: Entity { var id: Id = 0; var a: Int }",
            "final class A: Entity { var id: Id = 0; var a: Int; init() {} }"
        ),
        (
            "class A: NSObject, Entity { var id: Id = 0; var a: Int }",
            "class A: NSObject, Entity { var id: Id = 0; var a: Int; override init() {} }"
        ),
    ])
    func `code in another file needs an empty initializer`(source: String, fixed: String) throws {
        let read = try ReadSource(source, placement: .otherFile)
        #expect(read.problems.count == 1)
        let words =
            "class 'A' needs 'init()', or one initializer whose parameters all have defaults: "
            + "generated code outside the class creates an object with it, and then sets the "
            + "properties"
        #expect(read.problems.first?.hasSuffix(words) == true)
        #expect(read.fixed == fixed)
        #expect(try ReadSource(read.fixed, placement: .otherFile).problems == [])
        #expect(try ReadSource(source).problems == [])
    }

    @Test(arguments: [
        "init(name: String = \"\") {}", "convenience init(name: String = \"\") { self.init() }",
        "init(_ names: String...) {}", "required init(a: Int = 1, b: Int = 2) {}",
        "init(a: Int = 1) {}; init(b: Int = 1) {}; init() {}",
    ])
    func `an initializer without required arguments is an empty one`(source: String) throws {
        let source = "class A: Entity { var id: Id = 0; \(source) }"
        #expect(try ReadSource(source, placement: .otherFile).problems == [])
    }

    @Test(arguments: [
        "init(name: String) {}", "init?(name: String = \"\") {}", "init<T>(name: T = 1) {}",
        "init(name: String = \"\") throws {}", "init(a: Int = 1) {}; init(b: Int = 1) {}",
        "init(a: Int = 1, b: Int) {}",
    ])
    func `any other initializer is no empty one`(source: String) throws {
        let source = "class A: Entity { var id: Id = 0; \(source) }"
        #expect(try ReadSource(source, placement: .otherFile).problems.count == 1)
    }
}
#endif
