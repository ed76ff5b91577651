#if Macros
import Testing

@Suite struct EntityDiagnosticTests {
    /// Expects one problem whose fix-it turns the source into `fixed`, which has no problem.
    private func expect(
        _ source: String, problem: String, fixIt title: String, fixed: String,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let read = try ReadSource(source)
        #expect(read.problems == [problem], sourceLocation: location)
        #expect(read.model == nil, sourceLocation: location)
        #expect(read.fixItTitles == [title], sourceLocation: location)
        #expect(read.fixed == fixed, sourceLocation: location)
        #expect(try ReadSource(read.fixed).problems == [], sourceLocation: location)
    }

    /// Expects one problem without a fix-it.
    private func expect(
        _ source: String, problem: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        let read = try ReadSource(source)
        #expect(read.problems == [problem], sourceLocation: location)
        #expect(read.model == nil, sourceLocation: location)
        #expect(read.fixItTitles == [], sourceLocation: location)
    }

    // MARK: The type

    @Test(arguments: [
        ("enum", "an enum"), ("actor", "an actor"), ("protocol", "a protocol"),
    ])
    func `only a struct or class can be an entity`(keyword: String, words: String) throws {
        try expect(
            "@Entity \(keyword) Mood {}",
            problem: "1:9 an entity is a class or a struct, but 'Mood' is \(words)")
    }

    @Test func `an entity cannot be generic`() throws {
        try expect(
            "@Entity struct Note<Body> { var id: Id = 0 }",
            problem: "1:20 'Note' cannot be generic: the store has one list of properties per type")
    }

    @Test func `an entity cannot be nested in a generic type`() throws {
        try expect(
            "struct Outer<Value> { enum Middle { @Entity struct Note { var id: Id = 0 } } }",
            problem: "1:52 'Note' is generic, because it is declared inside the generic "
                + "type 'Outer': move it out")
    }

    private func nestedPrivately(_ name: String) -> String {
        "nested type '\(name)' must be 'fileprivate' instead of 'private': its generated "
            + "extension is outside the enclosing type"
    }

    @Test func `a private nested type must be fileprivate`() throws {
        try expect(
            "enum Outer { @Entity private struct Note { var id: Id = 0 } }",
            problem: "1:22 \(nestedPrivately("Note"))", fixIt: "change 'private' to 'fileprivate'",
            fixed: "enum Outer { @Entity fileprivate struct Note { var id: Id = 0 } }")
        try expect(
            "extension Outer { @Entity private struct Note { var id: Id = 0 } }",
            problem: "1:27 \(nestedPrivately("Note"))", fixIt: "change 'private' to 'fileprivate'",
            fixed: "extension Outer { @Entity fileprivate struct Note { var id: Id = 0 } }")
    }

    @Test func `a private enclosing type must be fileprivate unless it is the outermost`() throws {
        let note = "@Entity struct Note { var id: Id = 0 }"
        // The compiler gives a macro the enclosing declarations only for reading, so there is no
        // fix-it.
        let read = try ReadSource("enum A { private enum B { \(note) } }")
        #expect(read.problems.count == 1)
        #expect(read.problems.first?.hasSuffix(nestedPrivately("B")) == true)
        #expect(read.fixItTitles == [])
        #expect(try ReadSource("private enum A { \(note) }").problems == [])
        #expect(try ReadSource("@Entity private struct Note { var id: Id = 0 }").problems == [])
    }

    private let isolated =
        "'Note' cannot be isolated to the main actor: its objects are read and written on "
        + "any thread"

    @Test func `an entity cannot be isolated to the main actor`() throws {
        try expect(
            "@Entity @MainActor final class Note { var id: Id = 0 }", problem: "1:9 \(isolated)",
            fixIt: "remove '@MainActor'", fixed: "@Entity final class Note { var id: Id = 0 }")
        try expect(
            "@Entity\n@MainActor\nfinal class Note { var id: Id = 0 }", problem: "2:1 \(isolated)",
            fixIt: "remove '@MainActor'", fixed: "@Entity\nfinal class Note { var id: Id = 0 }")
    }

    // MARK: Properties

    @Test func `a stored property cannot be isolated to the main actor`() throws {
        try expect(
            "@Entity struct Note {\n    var id: Id = 0\n    @MainActor var a = 1\n}",
            problem: "3:5 'a' is stored, so it cannot be isolated to the main actor: objects are "
                + "read and written on any thread",
            fixIt: "remove '@MainActor'",
            fixed: "@Entity struct Note {\n    var id: Id = 0\n    var a = 1\n}")
    }

    private let constant = "a stored property must be 'var', because reading an object assigns it"

    @Test func `a constant of a class without an initial value must be a variable`() throws {
        try expect(
            "@Entity final class Note { var id: Id = 0; let a, b: Int, c = 1; init() {} }",
            problem: "1:44 \(constant): 'a', 'b'", fixIt: "change 'let' to 'var'",
            fixed: "@Entity final class Note { var id: Id = 0; var a, b: Int, c = 1; init() {} }")
    }

    @Test(arguments: ["let id: Id = 0", "let id = 0 as Id"])
    func `an id cannot be a constant with a value`(property: String) throws {
        try expect(
            "@Entity struct Note { \(property) }", problem: "1:23 \(constant): 'id'",
            fixIt: "change 'let' to 'var'",
            fixed: "@Entity struct Note { \(property.replacing("let", with: "var")) }")
    }

    @Test(arguments: [
        ("var text: String; var size: Int", "'text', 'size'"),
        ("var text: String; convenience init(a: Int) { self.init(row: a) }", "'text'"),
    ])
    func `a class that no program can create is a warning`(
        members: String, properties: String
    ) throws {
        let read = try ReadSource("@Entity final class Note { var id: Id = 0; \(members) }")
        #expect(
            read.missingInitializers == [
                "1:21 class 'Note' has no initializer, so a program cannot create its objects: "
                    + "write one, or give these properties initial values: \(properties)"
            ])
        #expect(read.model != nil)
    }

    @Test(arguments: [
        "class Note { var id: Id = 0; var text: String; init(text: String) {} }",
        "class Note { var id: Id = 0; var text: String? }",
        "struct Note { var id: Id; let a: Int }",
        "class Note: Object { @Persisted(primaryKey: true) var key: Int; var text: String }",
    ])
    func `a type that a program can create has no warning`(declaration: String) throws {
        let read = try ReadSource("@Entity " + declaration)
        #expect(read.problems == [] && read.missingInitializers == [])
    }

    @Test func `a lazy property must be transient or plain`() throws {
        try expect(
            "@Entity struct Note { var id: Id = 0; private lazy var a = 1 }",
            problem: "1:47 lazy property 'a' cannot be stored: mark it @Transient or make it a "
                + "plain 'var'",
            fixIt: "mark it @Transient",
            fixed: "@Entity struct Note { var id: Id = 0; @Transient private lazy var a = 1 }")
    }

    @Test(arguments: ["weak", "unowned", "unowned(unsafe)"])
    func `a property without a stored value must be transient`(modifier: String) throws {
        let word = modifier.prefix { $0 != "(" }
        try expect(
            "@Entity class Note { var id: Id = 0; \(modifier) var a: A? }",
            problem: "1:38 \(word) property 'a' cannot be stored, because nothing else would "
                + "retain the value that is read: mark it @Transient",
            fixIt: "mark it @Transient",
            fixed: "@Entity class Note { var id: Id = 0; @Transient \(modifier) var a: A? }")
    }

    @Test func `a stored property cannot be inside an if directive`() throws {
        try expect(
            "@Entity struct Note {\n    var id: Id = 0\n    #if DEBUG\n"
                + "    var a = 1\n    #endif\n}",
            problem: "4:9 'a' is inside '#if', so only some builds would store it: move it "
                + "out or mark it @Transient",
            fixIt: "mark it @Transient",
            fixed: "@Entity struct Note {\n    var id: Id = 0\n    #if DEBUG\n"
                + "    @Transient var a = 1\n    #endif\n}")
    }

    @Test func `a tuple pattern cannot be stored`() throws {
        try expect(
            "@Entity struct Note { var id: Id = 0; var (a, b) = (1, 2) }",
            problem: "1:43 a tuple pattern cannot be stored: declare each stored property by itself"
        )
    }

    @Test(arguments: [
        "@Transient var draft: Int", "@Transient let draft: Int?",
        "@Transient var draft: Optional<Int>",
    ])
    func `a transient property needs a default value`(property: String) throws {
        for head in ["struct", "final class"] {
            let read = try ReadSource("@Entity \(head) Note {\nvar id: Id = 0\n\(property)\n}")
            #expect(
                read.problems == [
                    "3:16 @Transient property 'draft' needs a default value, because an object "
                        + "read from the store has no other"
                ])
        }
    }

    // MARK: The id

    private let missing = "entity 'Note' has no id property: add 'var id: Id = 0'"
    private let insert = "insert 'var id: Id = 0'"

    @Test(arguments: [
        ("{\n    var a = 1\n}", "{\n    var id: Id = 0\n    var a = 1\n}"),
        ("{ // text\n\n\tvar a = 1\n}", "{\n\tvar id: Id = 0 // text\n\n\tvar a = 1\n}"),
        ("{ var a = 1 }", "{ var id: Id = 0; var a = 1 }"),
        ("{\n}", "{\n    var id: Id = 0\n}"),
        ("{}", "{ var id: Id = 0 }"),
        ("{ }", "{ var id: Id = 0 }"),
    ])
    func `the error for an entity without an id suggests one`(body: String, fixed: String) throws {
        try expect(
            "@Entity struct Note \(body)", problem: "1:16 \(missing)", fixIt: insert,
            fixed: "@Entity struct Note \(fixed)")
    }

    @Test func `the id of another entity is not an id`() throws {
        try expect(
            "@Entity struct Note { var owner: EntityId<Person> }", problem: "1:16 \(missing)",
            fixIt: insert,
            fixed: "@Entity struct Note { var id: Id = 0; var owner: EntityId<Person> }")
    }

    private func ambiguous(_ names: String) -> String {
        "which of \(names) is the id of 'Note'? Name it 'id' and give it the type 'Id' or "
            + "'EntityId<Note>', or mark it @Id"
    }

    @Test func `several id properties are ambiguous unless one is named or annotated`() throws {
        let read = try ReadSource(
            "@Entity struct Note { var a: Id; var b: EntityId<Note>; var c: Id }")
        #expect(read.problems == ["1:38 \(ambiguous("'a', 'b', 'c'"))"])
        #expect(read.fixItTitles == ["mark 'a' @Id", "mark 'b' @Id", "mark 'c' @Id"])
        for fixed in read.alternatives { #expect(try ReadSource(fixed).problems == []) }
        #expect(
            read.alternatives.last
                == "@Entity struct Note { var a: Id; var b: EntityId<Note>; @Id var c: Id }")
        let together = try ReadSource("@Entity struct Note { var a, b: Id }")
        #expect(together.problems.count == 1)
        #expect(together.fixItTitles == [])
    }

    @Test func `a property named id is not ignored if its type may be an alias`() throws {
        let read = try ReadSource("@Entity struct Note { var id: NoteId; var parent: Id }")
        #expect(read.problems == ["1:43 \(ambiguous("'id', 'parent'"))"])
        #expect(read.alternatives.count == 2)
        for fixed in read.alternatives { #expect(try ReadSource(fixed).problems == []) }
    }

    @Test(arguments: [
        ("id: Int = 0", 31, "id: Id = 0"),
        ("id: String = \"\"", 31, "id: Id = 0"),
        ("id: UUID", 31, "id: Id"),
        ("id: Id? = nil", 31, "id: Id = 0"),
        ("id: EntityId<Person> = 0", 31, "id: Id = 0"),
        ("id: [Int] = []", 31, "id: Id = 0"),
        ("id = 0", 27, "id: Id = 0"),
        ("id = UUID()", 27, "id: Id = 0"),
    ])
    func `the error for an id of another type suggests the right type`(
        property: String, column: Int, fixed: String
    ) throws {
        try expect(
            "@Entity struct Note { var \(property) }",
            problem: "1:\(column) the id property 'id' must have the type 'Id' or "
                + "'EntityId<Note>'",
            fixIt: "change the type to 'Id'", fixed: "@Entity struct Note { var \(fixed) }")
    }

    @Test(arguments: [
        "var id: Id = 0; var entityId: Id = 0", "var id: Id = 0; var entityId = 1",
        "var entityId: EntityId<Note>",
    ])
    func `the name entityId is reserved for the protocol`(members: String) throws {
        let read = try ReadSource("@Entity struct Note { \(members) }")
        #expect(read.model == nil)
        #expect(
            read.problems.contains {
                $0.hasSuffix(
                    "'entityId' is a requirement of Entity and represents the id property: give "
                        + "this property another name")
            })
    }

    @Test func `the name entityId is reserved for Realm's base class`() throws {
        let read = try ReadSource("class A: Object { @Persisted var entityId: Int }")
        #expect(
            read.problems == [
                "1:34 'entityId' is a requirement of Entity and represents the id property: give "
                    + "this property another name"
            ])
    }

    @Test func `all problems of a declaration are reported at once`() throws {
        let read = try ReadSource(
            """
            @Entity @MainActor class Note {
                let a: Int
                lazy var b = 1
                @Transient var c: Int
            }
            """)
        #expect(read.problems.count == 5)
        #expect(
            read.fixed == """
                @Entity class Note {
                    var id: Id = 0
                    var a: Int
                    @Transient lazy var b = 1
                    @Transient var c: Int
                }
                """)
    }
}
#endif
