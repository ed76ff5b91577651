#if Macros
import Testing

@Suite struct SearchTests {
    private static let body = "{ var id: Id = 0; required init() {} }"

    @Test(arguments: [
        "class Note: Entity \(body)", "class Note: Daybook.Entity \(body)",
        "final class Note: ObjectBox.Entity, Hashable \(body)",
        "class Note: DaybookObjectBox.Entity \(body)",
        "class Note: Printable, Entity \(body)", "// objectbox: entity\nclass Note \(body)",
        "struct Note: Entity { var id: Id = 0 }",
        "/// objectbox:Entity\nstruct Note { var id: Id }",
    ])
    func `a type is found by a protocol or by a comment`(source: String) {
        let module = GeneratedModule(source)
        #expect(module.messages == [])
        #expect(module.extensions.count == 2)
        #expect(module.extensions.first?.hasPrefix("nonisolated extension Note") == true)
        #expect(module.entities == ["Note"])
    }

    @Test(arguments: [
        "class Note { var id: Id = 0 }", "class Note: Entities {}", "protocol Note: Entity {}",
        "class Note: RealityKit.Entity {}", "class Note: Entity<Int> {}",
        "class Note: Printable, Object {}", "struct Note: Object {}", "enum Note {}",
        "// See objectbox: entity\nclass Note {}", "extension Note: Entity {}",
        "protocol Entity {}\nclass Note: Entity {}", "class Object {}\nclass Note: Object {}",
    ])
    func `a type that only resembles an entity is ignored`(source: String) {
        let module = GeneratedModule(source)
        #expect(module.messages == [])
        #expect(module.extensions == [])
    }

    @Test func `a type that the module declares in another file is not Daybook's`() {
        let module = GeneratedModule([
            "Game.swift": "class Ship: Entity {}", "Entity.swift": "class Entity {}",
        ])
        #expect(module.messages == [])
        #expect(module.extensions == [])
    }

    @Test func `types are found inside others and inside extensions`() {
        let module = GeneratedModule(
            """
            enum Shop {
                struct Order: Entity { var id: Id = 0; struct Line: Entity { var id: Id = 0 } }
            }
            extension Shop.Order { struct Note: Entity { var id: Id = 0 } }
            """)
        #expect(module.messages == [])
        #expect(module.entities == ["Shop.Order", "Shop.Order.Line", "Shop.Order.Note"])
    }

    @Test func `the types of a nested type's properties are left to the compiler`() {
        let module = GeneratedModule(
            """
            enum Shop {
                enum Status: Int { case open }
                struct Order: Entity { var id: Id = 0; var status: Status }
            }
            struct Note: Entity { var id: Id = 0; var status: Shop.Status }
            """)
        #expect(module.text?.contains(#".property("status", \Shop.Order.status),"#) == true)
        #expect(module.text?.contains(#".property("status", Shop.Status.self),"#) == true)
    }

    @Test func `code of a nested type has the full names of the enclosing types`() {
        let module = GeneratedModule([
            "Shop.swift": """
            enum Shop {
                struct Order: Entity {
                    var id: Id = 0
                    // objectbox: convert = {"dbType": "Int", "converter": "Converter"}
                    var a = 1
                    // objectbox: convert = {"dbType": "Int", "converter": "Own"}
                    var b = 1
                    // objectbox: convert = {"default": "Status.open"}
                    var c: Status
                    // objectbox: convert = {"default": ".open"}
                    var d: Status
                    enum Own {}
                }
                enum Own {}
            }
            """,
            "More.swift": "extension Shop { enum Converter {}; typealias Status = Global }",
        ])
        #expect(module.messages == [])
        #expect(module.text?.contains("with: Shop.Converter.convert") == true)
        #expect(module.text?.contains("with: Own.convert") == true)
        #expect(module.text?.contains("read(2, default: Shop.Status.open)") == true)
        #expect(module.text?.contains("read(3, default: .open)") == true)
    }

    @Test(arguments: [
        ("Object", "Entity"), ("DaybookRealm.Object", "Entity"),
        ("RealmSwift.Object", "Entity"),
        ("EmbeddedObject", "Embedded"), ("AsymmetricObject", "Event"),
    ])
    func `subclasses of Realm's base classes are found`(base: String, conformance: String) {
        let module = GeneratedModule("class Dog: \(base) { @Persisted var name: String }")
        #expect(module.messages == [])
        #expect(
            module.extensions.first == "nonisolated extension Dog: Daybook.\(conformance) {")
        #expect(module.text?.contains("let object = Self()") == true)
        #expect(module.entities == (conformance == "Embedded" ? [] : ["Dog"]))
    }

    @Test func `embedded types and events are found like entities`() {
        let module = GeneratedModule(
            """
            struct Place: Embedded { var city = "" }
            struct Visit: Daybook.Event { var place: Place }
            // objectbox: embedded
            struct Size { var width = 1 }
            // objectbox: event
            struct Sale { var size: Size }
            """)
        #expect(module.messages == [])
        #expect(
            module.extensions.prefix(4) == [
                "nonisolated extension Place {", "nonisolated extension Visit {",
                "nonisolated extension Size: Daybook.Embedded {",
                "nonisolated extension Sale: Daybook.Event {",
            ])
        #expect(module.entities == ["Visit", "Sale"])
    }

    @Test func `a type with a macro is registered and gets no generated code`() {
        let module = GeneratedModule(
            """
            import Daybook
            @Entity final class Note: Entity { var id: Id = 0 }
            enum Outer { @Daybook.Entity struct Inner { var id: Id = 0 } }
            @Embedded struct Part { var size = 1 }
            """)
        #expect(module.messages == [])
        #expect(module.extensions == ["nonisolated extension Daybook.Store {"])
        #expect(module.entities == ["Note", "Outer.Inner"])
    }

    @Test func `an entity with a handwritten conformance gets no code`() {
        let module = GeneratedModule([
            "A.swift":
                "struct A: Entity { static let entityDescription = EntityDescription(\"A\", []) }",
            "B.swift": "struct B: Entity { var id: Id = 0 }",
            "C.swift": "extension B { static var entityDescription: EntityDescription { make() } }",
        ])
        #expect(module.messages == [])
        #expect(module.extensions == ["nonisolated extension Daybook.Store {"])
        #expect(module.entities == ["A", "B"])
    }

    @Test func `a misspelled comment is reported even where it hides the entity`() {
        let module = GeneratedModule("// objectbox: entty\nclass Note { var id: Id = 0 }")
        #expect(
            module.messages == [
                "/app/Models.swift:1:15: error: comment with unknown annotation 'entty': did you "
                    + "mean 'entity'?"
            ])
        #expect(module.text == nil)
    }
}
#endif
