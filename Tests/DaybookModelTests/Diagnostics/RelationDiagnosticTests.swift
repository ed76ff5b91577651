#if Macros
import Testing

/// Diagnostics of wrong relations and backlinks.
@Suite struct RelationDiagnosticTests {
    private func note(_ member: String) -> String {
        "@Entity final class Note { var id: Id = 0; \(member) }"
    }

    /// Expects one problem of the property `a` in `member`, whose only fix-it turns the member into
    /// `fixed`, which has no problem.
    private func expect(
        _ member: String, _ words: String, fixed: String,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let read = try ReadSource(note(member))
        let problems = read.problems.map { $0.drop { $0 != " " }.dropFirst() }
        #expect(problems.map(String.init) == [words], sourceLocation: location)
        #expect(read.model == nil, sourceLocation: location)
        #expect(read.fixItTitles.count == 1, sourceLocation: location)
        #expect(read.fixed == note(fixed), sourceLocation: location)
        #expect(try ReadSource(read.fixed).problems == [], sourceLocation: location)
    }

    // MARK: Marks of a relation

    @Test(arguments: ["Int", "String?", "[B]", "Set<Int>", "List<Int>", "Data"])
    func `a value cannot be a relation`(type: String) throws {
        try expect(
            "@Relation(onDelete: .deny) var a: \(type)",
            "'a' cannot have '@Relation': it requires a relation, and its type is '\(type)'",
            fixed: "var a: \(type)")
        let comment = try ReadSource(note("/* objectbox: relation */ var a: \(type)"))
        #expect(
            comment.problems.map { $0.drop { $0 != " " } } == [
                " 'a' cannot have 'relation': it requires a relation, and its type is '\(type)'"
            ])
    }

    @Test func `a relation has no value that could be indexed or converted`() throws {
        let words = ": it is a relation, which has no value of its own"
        let marks = [
            "@Unique", "@PrimaryKey", "@Encoded", "@Nanoseconds", "@Convert(default: .b)",
            "@Unique(onConflict: .replace)",
        ]
        for mark in marks {
            for type in ["ToOne<B>", "ToMany<B>", "Reference<B>", "References<B>"] {
                let name = mark.prefix { $0 != "(" }
                try expect(
                    "@Relation \(mark) var a: \(type) = nil", "'a' cannot have '\(name)'\(words)",
                    fixed: "@Relation var a: \(type) = nil")
            }
            try expect(
                "@Backlink(\"c\") \(mark) var a: ToMany<B> = nil",
                "'a' cannot have '\(mark.prefix { $0 != "(" })'\(words)",
                fixed: "@Backlink(\"c\") var a: ToMany<B> = nil")
        }
    }

    @Test(arguments: ["ToOne<B>", "ToMany<B>", "Reference<B>"])
    func `an index of a relation is unnecessary and has no other effect`(type: String) throws {
        let read = try ReadSource(note("@Index var a: \(type) = nil"))
        #expect(
            read.problems == [
                "1:55 '@Index' has no effect here: 'a' is a relation, which is indexed in both "
                    + "directions already"
            ])
        #expect(read.model?.properties.map(\.attributes) == [[]])
        #expect(read.fixed == note("var a: \(type) = nil"))
        let comment = try ReadSource(note("/* objectbox: index */ var a: \(type) = nil"))
        #expect(comment.model != nil && comment.fixItTitles == [])
    }

    @Test func `a relation cannot be part of a compound key`() throws {
        let read = try ReadSource(
            "@Unique(\"a\", \"b\") @Entity class Note { var id: Id = 0; var a: ToOne<B> = nil; "
                + "var b = 1 }")
        #expect(
            read.problems == [
                "1:9 'a' cannot have '@Unique': it is a relation, which has no value of its own"
            ])
    }

    @Test(arguments: [
        ("ToOne<B>?", "ToOne<B> = nil"), ("ToMany<B>!", "ToMany<B> = nil"),
        ("Optional<Daybook.ToMany<B>>", "Daybook.ToMany<B> = nil"),
        ("ToOne<B>? = nil", "ToOne<B> = nil"), ("Reference<B>?", "Reference<B> = nil"),
        ("References<B>? = []", "References<B> = []"),
    ])
    func `a relation cannot be optional`(type: String, fixed: String) throws {
        try expect(
            "var a: \(type)",
            "relation 'a' cannot be optional: it can be empty already, and '= nil' makes it empty",
            fixed: "var a: \(fixed)")
    }

    @Test(arguments: [
        "a: ToMany<B> = nil", "a = ToOne<B>(target: b)", "a: List<B> = List()", "a = Map<B, C>()",
        "a: MutableSet<Int> = []",
    ])
    func `a constant with a different value in each object is not ignored`(
        member: String
    ) throws {
        let read = try ReadSource(note("let \(member)"))
        #expect(
            read.problems == [
                "1:44 a stored property must be 'var', because reading an object assigns it: 'a'"
            ])
        #expect(read.fixed == note("var \(member)"))
        #expect(try ReadSource(read.fixed).problems == [])
        #expect(try ReadSource(note("@Transient let \(member)")).problems == [])
    }

    @Test func `an embedded type cannot have relations`() throws {
        for mark in ["@Relation", "@Backlink(\"b\")"] {
            let read = try ReadSource("@Embedded struct A { \(mark) var a: ToMany<B> = nil }")
            #expect(
                read.problems == [
                    "1:\(27 + mark.count) 'a' cannot have '\(mark.prefix { $0 != "(" })': an "
                        + "embedded object has no id, key or index of its own"
                ])
            #expect(read.fixItTitles.count == 1)
        }
        let event = try ReadSource("@Event struct A { @Backlink(\"b\") var a: ToMany<B> }")
        #expect(
            event.problems == [
                "1:38 'a' cannot have '@Backlink': an event is appended and has no index"
            ])
        #expect(try ReadSource("@Event struct A { @Relation var a: ToOne<B> }").problems == [])
    }

    @Test func `the id cannot be a relation`() throws {
        let read = try ReadSource("@Entity struct A { @Relation var id: Id = 0 }")
        #expect(
            read.problems == [
                "1:34 'id' cannot have '@Relation': it is the id, which is unique and indexed "
                    + "already"
            ])
    }

    // MARK: Rules

    @Test(arguments: [
        ("casade", "cascade"), ("Deny", "deny"), ("nullfy", "nullify"), ("delete", "cascade"),
        ("setNull", "nullify"), ("restrict", "deny"),
    ])
    func `the error for a misspelled rule names the right one`(name: String, rule: String) throws {
        let words =
            "is read at compile time, so its argument must be '.nullify', '.cascade' or "
            + "'.deny'"
        try expect(
            "@Relation(onTargetDelete: .\(name)) var a: ToOne<B> = nil", "@Relation \(words)",
            fixed: "@Relation(onTargetDelete: .\(rule)) var a: ToOne<B> = nil")
        try expect(
            "@Backlink(\\B.c, onDelete: DeleteRule.\(name)) var a: ToMany<B> = nil",
            "@Backlink \(words)",
            fixed: "@Backlink(\\B.c, onDelete: .\(rule)) var a: ToMany<B> = nil")
        let unknown = try ReadSource(note("@Relation(onDelete: .maybe) var a: ToOne<B> = nil"))
        #expect(unknown.problems.count == 1 && unknown.fixItTitles == [])
    }

    @Test func `a repeated attribute of a relation is refused`() throws {
        try expect(
            "@Relation(onDelete: .deny) @Relation(onDelete: .cascade) var a: ToOne<B> = nil",
            "@Relation is attached twice: combine both into one",
            fixed: "@Relation(onDelete: .deny) var a: ToOne<B> = nil")
        try expect(
            "@Backlink(\"b\") @Backlink(\"c\") var a: ToMany<B> = nil",
            "@Backlink is attached twice: combine both into one",
            fixed: "@Backlink(\"b\") var a: ToMany<B> = nil")
    }

    @Test func `a transient relation has no rules`() throws {
        let read = try ReadSource(note("@Transient @Relation var a: ToOne<B> = nil"))
        #expect(read.problems.count == 1)
        #expect(
            read.problems.first?.contains(
                "is transient and not stored, so '@Relation' has no effect")
                == true)
    }

    // MARK: Backlinks

    @Test(arguments: ["ToMany<B> = nil", "Others = nil"])
    func `the rules of a backlink are arguments of its attribute`(type: String) throws {
        try expect(
            "@Backlink(\\B.c) @Relation(onDelete: .deny) var a: \(type)",
            "'a' cannot have '@Relation': it is a backlink, whose rules are arguments of @Backlink",
            fixed: "@Backlink(\\B.c) var a: \(type)")
    }

    @Test func `the relation determines the effect of a removal on the owner of a backlink`() throws
    {
        let read = try ReadSource(
            note(
                "/* objectbox: backlink = \"c\", relation = {\"onTargetDelete\": \"deny\"} */ "
                    + "var a: ToMany<B> = nil"))
        #expect(read.problems.count == 1)
        #expect(
            read.problems.first?.hasSuffix(
                "'a' cannot have 'onTargetDelete': it is a backlink, and this rule is 'onDelete' "
                    + "of the relation that it reads in reverse") == true)
    }

    @Test(arguments: ["Int", "ToOne<B>", "[B]", "List<B>", "Reference<B>"])
    func `a backlink must be a to-many relation`(type: String) throws {
        try expect(
            "@Backlink(\"b\") var a: \(type)",
            "'a' cannot have '@Backlink': it requires 'ToMany' or 'LinkingObjects', and its type "
                + "is '\(type)'",
            fixed: "var a: \(type)")
    }

    @Test func `a backlink names the relation that it reads`() throws {
        let unnamed = try ReadSource(note("var a: LinkingObjects<B>"))
        #expect(
            unnamed.problems == [
                "1:48 'a' does not name the relation that it reads in reverse: mark it "
                    + "@Backlink, with the key path of that relation"
            ])
        #expect(unnamed.model == nil)
        for member in ["var a: Others", "var a: ToMany<_> = b", "var a = others()"] {
            let unknown = try ReadSource(note("@Backlink(\"c\") \(member)"))
            #expect(
                unknown.problems == [
                    "1:63 the type of 'a' does not show which entity declares 'c': write the "
                        + "type, such as 'ToMany<Order>', or a key path, such as "
                        + "@Backlink(\\Order.c)"
                ])
        }
    }

    @Test(arguments: ["@Name(\"b\")", "@Renamed(from: \"b\")"])
    func `a backlink has no stored name`(mark: String) throws {
        try expect(
            "@Backlink(\"c\") \(mark) var a: ToMany<B>",
            "'a' cannot have '\(mark.prefix { $0 != "(" })': it is a backlink, which has no "
                + "stored name",
            fixed: "@Backlink(\"c\") var a: ToMany<B>")
    }

    @Test func `two key paths must agree`() throws {
        let read = try ReadSource(
            note("@Backlink(\\B.c) /* objectbox: backlink = \"d\" */ var a: ToMany<B> = nil"))
        #expect(read.problems.count == 1)
        #expect(
            read.problems.first?.hasSuffix(
                "the annotations of 'a' contradict each other about 'Backlink': keep one") == true)
    }
}
#endif
