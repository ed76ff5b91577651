#if Macros
import DaybookModel
import Testing

/// Entities, embedded types and events, in Daybook's spelling and in Realm's.
@Suite struct KindTests {
    private func model(_ source: String) throws -> EntityModel {
        let read = try ReadSource(source)
        #expect(read.problems == [])
        return try #require(read.model)
    }

    @Test(arguments: [
        ("@Embedded struct A { var id: Id }", EntityModel.Kind.embedded),
        ("@Event final class A { var id: UUID }", .event),
        ("// objectbox: embedded\nstruct A { var b: Int }", .embedded),
        ("/// objectbox: event\nclass A { var b = 1 }", .event),
        ("struct A: Embedded { var b: Int }", .embedded),
        ("struct A: Sendable, Daybook.Event { var b: Int }", .event),
    ])
    func `embedded types and events have no id`(
        source: String, kind: EntityModel.Kind
    ) throws {
        let found = try model(source)
        #expect(found.kind == kind)
        #expect(found.identity == .none)
        #expect(found.properties.count == 1)
    }

    @Test(arguments: [
        ("Object", EntityModel.Kind.entity, EntityModel.Identity.inherited),
        ("RealmSwift.Object", .entity, .inherited),
        ("DaybookRealm.EmbeddedObject", .embedded, .none),
        ("AsymmetricObject", .event, .none),
    ])
    func `the base class of Realm determines the kind`(
        base: String, kind: EntityModel.Kind, identity: EntityModel.Identity
    ) throws {
        for attribute in ["@\(kind.rawValue) ", ""] {
            let found = try model("\(attribute)class A: \(base) { @Persisted var b: Int }")
            #expect(found.kind == kind && found.identity == identity)
            #expect(found.style == .assignment && found.shape == .inheritableClass)
            #expect(found.emptyInitializer == .unneeded)
            #expect(found.declaresEntityId == (kind == .entity))
        }
    }

    @Test(arguments: ["Other.Object", "Objects", "A.RealmSwift.Object"])
    func `a class with another name is no base class of Realm`(base: String) throws {
        let found = try model("@Entity class A: \(base) { var id: Id = 0 }")
        #expect(found.identity == .property("id") && found.style == .initializer)
    }

    @Test func `a class with one persisted property stores only persisted properties`() throws {
        let found = try model(
            """
            @Entity class Person: Object {
                @Persisted(primaryKey: true) var _id: ObjectId
                @Persisted(indexed: true) var name = ""
                @Persisted(wrappedValue: 3, indexed: false) var level: Int
                @Persisted var dogs: List<Dog>
                @Persisted(originProperty: "parents") var children: LinkingObjects<Person>
                var draft: Int!
                lazy var late = 1
                let other: Int = 1
                var (x, y) = (1, 2)
            }
            """)
        #expect(found.properties.map(\.name) == ["_id", "name", "level", "dogs"])
        #expect(found.properties.map(\.type) == ["ObjectId", nil, "Int", "List<Dog>"])
        #expect(found.properties.map(\.attributes) == [[.primaryKey], [.index(kind: "")], [], []])
        #expect(found.backlinks.map(\.origin) == ["parents"])
        #expect(found.backlinks.map(\.target) == ["Person"])
        #expect(found.attributes == [])
    }

    @Test func `a mapping of names is evaluated at run time`() throws {
        let found = try model(
            """
            class Person: Object {
                @Persisted var name = ""
                override class public func propertiesMapping() -> [String: String] { [:] }
            }
            """)
        #expect(found.attributes == [.mapped])
    }

    @Test func `the primary key of an asymmetric object is a plain property`() throws {
        let found = try model(
            "class A: AsymmetricObject { @Persisted(primaryKey: true) var _id: ObjectId }")
        #expect(found.properties.map(\.attributes) == [[]])
    }

    @Test func `without Persisted a Realm class is read like any other`() throws {
        let found = try model("class A: Object { @objc dynamic var b = 1; var c = 2 }")
        #expect(found.properties.map(\.name) == ["b", "c"])
    }

    @Test(arguments: [
        ("@Entity @Embedded struct A { var id: Id = 0 }", "an entity and embedded"),
        ("@Event struct A: Entity { var id: Id = 0 }", "an entity and an event"),
        ("class A: AsymmetricObject, Embedded {}", "an event and embedded"),
    ])
    func `a type has only one kind`(source: String, words: String) throws {
        let read = try ReadSource(source)
        #expect(read.problems.count == 1)
        #expect(
            read.problems.first?.hasSuffix(
                "'A' is declared as \(words): it can be only one of them") == true
        )
    }

    @Test(
        arguments: [
            ("struct A {}", nil), ("class A: B {}", nil), ("@Index struct A {}", nil),
            ("@Entity enum A {}", .entity), ("@Embedded class A: Object {}", .entity),
            ("class A: AsymmetricObject {}", .event), ("struct A: B, Embedded {}", .embedded),
            ("// objectbox: Entity\nstruct A {}", .entity),
        ] as [(String, EntityModel.Kind?)])
    func `the kind is known from the declaration alone`(source: String, kind: EntityModel.Kind?)
        throws
    {
        #expect(try ReadSource(source).kind == kind)
    }

    @Test(arguments: [
        ("@Entity", "EmbeddedObject", "@Embedded"), ("@Event", "EmbeddedObject", "@Embedded"),
        ("@Entity", "AsymmetricObject", "@Event"), ("@Embedded", "Object", "@Entity"),
    ])
    func `the suggested attribute is the one of the base class`(
        attribute: String, base: String, suitable: String
    ) throws {
        let read = try ReadSource("\(attribute) class A: \(base) { @Persisted var b: Int }")
        #expect(read.problems == ["1:1 'A' is a subclass of '\(base)': mark it \(suitable)"])
        #expect(read.fixed == "\(suitable) class A: \(base) { @Persisted var b: Int }")
        #expect(try ReadSource(read.fixed).problems == [])
    }

    // MARK: The style of decoding

    @Test func `in another file a class is created and then assigned`() throws {
        for source in [
            "final class A: Entity { var id: Id = 0 }",
            "class A: Entity { var id: Id = 0; required init() {} }",
            "final class A: Entity { var id: Id; convenience init() { self.init(1) } }",
        ] {
            let read = try ReadSource(source, placement: .otherFile)
            #expect(read.problems == [])
            #expect(read.model?.style == .assignment)
            #expect(read.model?.statesConformance == true)
            #expect(read.model?.emptyInitializer == .unneeded)
        }
        let structure = try ReadSource("struct A: Entity { var id: Id }", placement: .otherFile)
        #expect(structure.model?.style == .initializer)
    }

    @Test func `an initializer that is not required creates objects of the class itself`() throws {
        for (source, makesSelf) in [
            ("class A: Entity { var id: Id = 0 }", false),
            ("class A: Entity { var id: Id = 0; init() {} }", false),
            ("class A: Entity { var id: Id = 0; required init() {} }", true),
            ("final class A: Entity { var id: Id = 0 }", true),
            ("class A: Object { @Persisted var b = 0 }", true),
        ] {
            let read = try ReadSource(source, placement: .otherFile)
            #expect(read.problems == [])
            let model = try #require(read.model)
            #expect(model.makesSelf == makesSelf)
            let text = EntityCode(model, placement: .otherFile)
                .extensionText(statingConformance: true)
            let made =
                makesSelf ? "= Self()" : "= try Daybook.RowReader.exactly(A(), as: Self.self)"
            #expect(text.contains(made))
        }
    }

    @Test func `an initializer in another file sets properties without defaults`() throws {
        let source =
            "class A: Entity { var id: Id; @Transient var b: Int; "
            + "required init() { id = 0; b = 1 } }"
        #expect(try ReadSource(source, placement: .otherFile).problems == [])
        #expect(try ReadSource(source).problems.count == 1)
    }

    @Test func `in another file a type is visible at most as far as its enclosing types`() throws {
        let cases: [(String, EntityModel.Access)] = [
            ("public struct A: Entity { var id: Id }", .public),
            ("enum B { public struct A: Entity { var id: Id } }", .inherited),
            ("package enum B { @Entity public struct A { var id: Id } }", .package),
            ("extension B { @Entity public struct A { var id: Id } }", .public),
        ]
        for (source, access) in cases {
            let marked = source.replacing("@Entity ", with: "").replacing(
                "public struct", with: "@Entity public struct")
            #expect(try ReadSource(marked, placement: .otherFile).model?.access == access)
        }
    }
}
#endif
