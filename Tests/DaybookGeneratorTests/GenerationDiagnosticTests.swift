#if Macros
import Testing

@Suite struct GenerationDiagnosticTests {
    /// Expects one message about a source, and no generated code.
    private func expect(
        _ source: String, _ message: String, at location: SourceLocation = #_sourceLocation
    ) {
        let module = GeneratedModule(source)
        let messages = module.messages.joined(separator: "\n")
        #expect(messages == "/app/Models.swift:\(message)", sourceLocation: location)
        #expect(module.text == nil, sourceLocation: location)
    }

    @Test func `an entity in a function cannot be reached`() {
        let message =
            "error: entity 'Note' is declared inside a function, where the generated file cannot "
            + "access it: move it out"
        expect("func f() {\n    struct Note: Entity { var id: Id = 0 }\n}", "2:12: \(message)")
        expect("let f = { struct Note: Entity { var id: Id = 0 } }", "1:18: \(message)")
        expect(
            "var f: Int { struct Note: Entity { var id: Id = 0 }; return 1 }", "1:21: \(message)")
    }

    @Test func `two entities of one name are refused because a store identifies entities by name`()
    {
        expect(
            "enum A { struct Note: Entity { var id: Id = 0 } }\n"
                + "struct Note: Entity { var id: Id = 0 }",
            "2:8: error: 'A.Note' already has the stored name 'Note': give one of them another "
                + "name with '// objectbox: name = \"…\"'")
    }

    @Test func `an entity inside an if directive is refused`() {
        expect(
            "#if DEBUG\nstruct Note: Entity { var id: Id = 0 }\n#endif",
            "2:8: error: entity 'Note' is inside '#if', and the generator does not know which "
                + "branch is compiled: move it out, or write @Entity, which is expanded in "
                + "place")
    }

    @Test(arguments: ["private", "fileprivate"])
    func `an entity that is private to its file is refused`(modifier: String) {
        let message =
            "error: entity 'Note' is \(modifier), so the generated file cannot access it: remove "
            + "'\(modifier)', or write @Entity, which is expanded in place"
        let note = "struct Note: Entity { var id: Id = 0 }"
        expect("\(modifier) \(note)", "1:1: \(message)")
        expect("enum A { \(modifier) enum B { \(note) } }", "1:10: \(message)")
        expect("enum A {}\n\(modifier) extension A { \(note) }", "2:1: \(message)")
    }

    @Test(arguments: ["private", "fileprivate"])
    func `a stored property that is private to its file is refused`(modifier: String) {
        expect(
            "struct Note: Entity {\n    var id: Id = 0\n    \(modifier) var a = 1, b: Int\n}",
            "3:5: error: property 'a' is \(modifier), so the generated file cannot access it: "
                + "remove '\(modifier)', or exclude it from the store with '// objectbox: "
                + "transient'\n"
                + "/app/Models.swift:3:5: error: property 'b' is \(modifier), so the generated "
                + "file cannot access it: remove '\(modifier)', or exclude it from the store with "
                + "'// objectbox: transient'")
        expect(
            "struct Note: Entity { \(modifier)(set) var id: Id = 0 }",
            "1:23: error: property 'id' is \(modifier)(set), so the generated file cannot set it: "
                + "remove '\(modifier)(set)', or exclude it from the store with "
                + "'// objectbox: transient'")
    }

    @Test func `private properties that are not stored are accepted`() {
        let module = GeneratedModule(
            """
            struct Note: Entity {
                var id: Id = 0
                // objectbox: transient
                private var draft = 1
                private static var count = 1
                private var half: Int { 1 }
                private let limit = 1
                private func f() {}
            }
            """)
        #expect(module.messages == [])
    }

    @Test func `a type with a macro that is private to its file is omitted with a warning`() {
        let module = GeneratedModule(
            """
            @Entity private struct A { var id: Id = 0 }
            #if DEBUG
            @Entity struct B { var id: Id = 0 }
            #endif
            """)
        #expect(
            module.messages == [
                "/app/Models.swift:1:24: warning: the generated initializer of Store omits 'A', "
                    + "which it cannot access",
                "/app/Models.swift:3:16: warning: the generated initializer of Store omits 'B', "
                    + "which it cannot access",
            ])
        #expect(module.text != nil)
        #expect(module.entities == [])
    }

    @Test func `an error in the entity itself is reported at its location`() {
        expect(
            "\n  struct Note: Entity { var a = 1 }",
            "2:10: error: entity 'Note' has no id property: add 'var id: Id = 0'")
        expect(
            "struct Note: Entity {\n    var id: Id = 0\n    // objectbox: indx\n    var é = 1\n}",
            "3:19: error: comment with unknown annotation 'indx': did you mean 'index'?")
    }

    @Test func `all errors of a module are reported at once`() {
        let module = GeneratedModule([
            "A.swift": "private struct A: Entity { var id: Id = 0 }",
            "B.swift": "struct B: Entity { var a = 1 }\nstruct C: Entity { let id: Id = 0 }",
        ])
        #expect(module.messages.count == 3)
        #expect(module.text == nil)
    }
}
#endif
