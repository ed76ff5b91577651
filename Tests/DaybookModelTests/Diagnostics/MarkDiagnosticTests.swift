#if Macros
import Testing

/// Diagnostics of wrong attributes and comments.
@Suite struct MarkDiagnosticTests {
    /// Expects one problem whose only fix-it turns the source into `fixed`, which has no problem.
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

    private func note(_ member: String) -> String {
        "@Entity struct Note { var id: Id = 0; \(member) }"
    }

    /// Expects a problem with `words` of the only property in `member`, and that removing
    /// `attribute` fixes it.
    private func expect(
        _ member: String, _ words: String, removing attribute: String,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let read = try ReadSource(note(member))
        #expect(read.problems.count == 1, sourceLocation: location)
        let problem = read.problems.first?.split(separator: " ", maxSplits: 1).last
        #expect(problem.map(String.init) == words, sourceLocation: location)
        #expect(
            read.fixed == note(member.replacing("\(attribute) ", with: "")),
            sourceLocation: location)
        #expect(try ReadSource(read.fixed).problems == [], sourceLocation: location)
    }

    // MARK: One property

    @Test(arguments: [
        ("@Index", "[String]"), ("@Unique", "Data"), ("@Index", "Set<Int>?"),
        ("@Index", "List<Int>"), ("@Unique", "[String: Int]"),
    ])
    func `collections and bytes cannot be indexed`(attribute: String, type: String) throws {
        try expect(
            "\(attribute) var a: \(type)",
            "'a' cannot have '\(attribute)': values of '\(type)' cannot be indexed",
            removing: attribute)
    }

    @Test(arguments: ["Float", "Double", "Date", "UUID", "Bool", "Role", "String?"])
    func `other values can be indexed`(type: String) throws {
        #expect(try ReadSource(note("@Index(.value) var a: \(type)")).problems == [])
        #expect(try ReadSource(note("@Unique var a: \(type)")).problems == [])
    }

    @Test func `the compiler checks the stored type of a conversion`() throws {
        let members = "@Index @Convert(Joiner.self, as: String.self) var tags: [String]"
        #expect(try ReadSource(note(members)).problems == [])
    }

    @Test func `only strings can have hashed indexes`() throws {
        try expect(
            note("@Index(.hash) var a: Int"),
            problem: "1:57 'a' cannot have '@Index': only strings can have hashed indexes, and "
                + "its type is 'Int'",
            fixIt: "change it to '@Index'", fixed: note("@Index var a: Int"))
        for member in ["var a: String?", "var a: Role", "var a = \"\""] {
            #expect(try ReadSource(note("@Index(.hash) \(member)")).problems == [])
        }
    }

    @Test(arguments: ["Int", "Int64?", "Instant"])
    func `only a date can have nanoseconds`(type: String) throws {
        try expect(
            "@Nanoseconds var a: \(type)",
            "'a' cannot have '@Nanoseconds': it requires 'Date', and its type is '\(type)'",
            removing: "@Nanoseconds")
    }

    @Test(arguments: ["[Role]", "Set<Role>?", "[String: Role]", "List<Role>", "Int"])
    func `only an enum can have a default for unknown values`(type: String) throws {
        try expect(
            "@Convert(default: .guest) var a: \(type)",
            "'a' cannot have '@Convert': a default replaces the unknown raw values of an enum, and "
                + "its type is '\(type)'; for the elements of a collection, use "
                + "@Convert(Converter.self, as: Stored.self)",
            removing: "@Convert(default: .guest)")
        for rest in ["default: .guest) var a: Role?", "Roles.self, as: [Int].self) var a: [Role]"] {
            #expect(try ReadSource(note("@Convert(\(rest)")).problems == [])
        }
    }

    @Test(arguments: ["@Index", "@Unique", "@PrimaryKey", "@Nanoseconds", "@Encoded"])
    func `the id is already unique and indexed`(attribute: String) throws {
        try expect(
            "@Entity struct Note { \(attribute) var key: Id = 0 }",
            problem: "1:\(28 + attribute.count) 'key' cannot have '\(attribute)': it is the id, "
                + "which is unique and indexed already",
            fixIt: "remove '\(attribute)'", fixed: "@Entity struct Note { var key: Id = 0 }")
    }

    @Test func `a Realm object already has an id`() throws {
        let source = "class A: Object { @Id @Persisted var a: Int }"
        try expect(
            source, problem: "1:38 'a' cannot have '@Id': an 'Object' has its id already",
            fixIt: "remove '@Id'", fixed: source.replacing("@Id ", with: ""))
    }

    @Test(arguments: ["@Id", "@Index", "@Unique", "@PrimaryKey"])
    func `properties of embedded types and events cannot be indexed`(attribute: String) throws {
        try expect(
            "@Embedded struct A { \(attribute) var a: Id }",
            problem: "1:\(27 + attribute.count) 'a' cannot have '\(attribute)': an embedded object "
                + "has no id, key or index of its own",
            fixIt: "remove '\(attribute)'", fixed: "@Embedded struct A { var a: Id }")
        try expect(
            "@Event struct A { \(attribute) var a: Id }",
            problem: "1:\(24 + attribute.count) 'a' cannot have '\(attribute)': an event is "
                + "appended and has no index",
            fixIt: "remove '\(attribute)'", fixed: "@Event struct A { var a: Id }")
    }

    @Test func `diagnostics use Realm's spelling for Realm's attributes`() throws {
        let embedded = "class A: EmbeddedObject { @Persisted(primaryKey: true) var a: Int }"
        #expect(
            try ReadSource(embedded).problems == [
                "1:60 'a' cannot have 'primaryKey': an embedded object has no id, key or index of "
                    + "its own"
            ])
        let event = "class A: AsymmetricObject { @Persisted(indexed: true) var a: Int }"
        #expect(
            try ReadSource(event).problems == [
                "1:59 'a' cannot have 'index': an event is appended and has no index"
            ])
    }

    // MARK: Two spellings

    @Test func `a transient property has no other annotations`() throws {
        let both = try ReadSource(note("@Transient @Index var a = 1"))
        #expect(
            both.problems == [
                "1:61 'a' is transient and not stored, so '@Index' has no effect: remove one of "
                    + "them"
            ])
        #expect(
            both.alternatives == [note("@Transient var a = 1"), note("@Index var a = 1")])
        let comment = try ReadSource(
            "@Entity struct Note {\n    var id: Id = 0\n    // objectbox: transient\n"
                + "    @Index var a = 1\n}")
        #expect(comment.problems.count == 1)
        #expect(comment.fixItTitles == ["remove '@Index'"])
    }

    @Test(arguments: [
        ("@Index(.hash) /* objectbox: index = \"value\" */ var a: String", "Index"),
        ("@Name(\"b\") /* objectbox: name = \"c\" */ var a: Int", "Name"),
        ("@Encoded /* objectbox: convert = {\"default\": \".b\"} */ var a: B", "Convert"),
        (
            "@Unique(onConflict: .fail) "
                + "/* objectbox: unique = {\"onConflict\": \"update\"} */ var a: Int", "Unique"
        ),
        ("@Encoded @Convert(default: .b) var a: B", "Convert"),
        ("@Backlink(\"b\") /* objectbox: backlink = \"c\" */ var a: ToMany<B> = nil", "Backlink"),
        (
            "@Relation(onDelete: .deny) "
                + "/* objectbox: relation = {\"onDelete\": \"cascade\"} */ var a: ToOne<B> = nil",
            "Relation"
        ),
    ])
    func `two spellings must agree`(member: String, mark: String) throws {
        let read = try ReadSource(note(member))
        #expect(read.problems.count == 1)
        let words = "the annotations of 'a' contradict each other about '\(mark)': keep one"
        #expect(read.problems.first?.hasSuffix(words) == true)
    }

    @Test(arguments: [
        "@Index /* objectbox: index = \"value\" */ var a: String",
        "@Name(\"b\") /* objectbox: name = \"b\", unique */ @Unique var a: Int",
        "@Renamed(from: \"b\") /* objectbox: renamedFrom = \"c\" */ var a: Int",
    ])
    func `two spellings may complement each other`(member: String) throws {
        #expect(try ReadSource(note(member)).problems == [])
    }

    @Test func `two names of a type must agree`() throws {
        let read = try ReadSource("@Name(\"B\") @Entity(name: \"C\") struct A { var id: Id = 0 }")
        #expect(
            read.problems == [
                "1:38 the annotations of 'A' contradict each other about 'Name': keep one"
            ])
    }

    @Test func `a comment on a declaration that is not stored has no effect`() throws {
        let read = try ReadSource(
            "@Entity struct Note {\n    var id: Id = 0\n    // objectbox: index\n"
                + "    var a: Int { 1 }\n}")
        #expect(
            read.problems == [
                "4:5 @Index has no effect here: this property is not stored anyway"
            ])
        #expect(read.model != nil)
    }

    // MARK: Arguments

    @Test(arguments: [
        ("@Name(name) var a: Int", "a name in quotation marks"),
        ("@Name(\"a\\(1)\") var a: Int", "a name in quotation marks"),
        ("@Name(\"\") var a: Int", "a name in quotation marks"),
        ("@Index(kind()) var a: Int", "a case such as '.hash'"),
        ("@Id(assignable: yes) var a: Id", "'true' or 'false'"),
        (
            "@Relation(onDelete: rule) var a: ToOne<B> = nil", "'.nullify', '.cascade' or '.deny'"
        ),
        ("@Relation(removesOrphans: yes) var a: ToOne<B> = nil", "'true' or 'false'"),
        ("@Backlink(\"b`\") var a: ToMany<B> = nil", "a key path or a name in quotation marks"),
        ("@Persisted(originProperty: \"\") var a: ToMany<B>", "a name in quotation marks"),
        ("@Backlink(path) var a: ToMany<B> = nil", "a key path or a name in quotation marks"),
        ("@Convert(Role.self) var a: B", "'default: value' or 'Converter.self, as: Stored.self'"),
        ("@Persisted(primaryKey: yes) var a: Int", "'true' or 'false'"),
        ("@Persisted(originProperty: yes) var a: Int", "a name in quotation marks"),
    ])
    func `arguments must be literals`(member: String, expected: String) throws {
        let read = try ReadSource("@Entity class Note: Object { \(member) }")
        let name = try #require(member.dropFirst().split(separator: "(").first)
        let words =
            "@\(name) is read at compile time, so its argument must be \(expected)"
        #expect(read.problems.contains { $0.hasSuffix(words) })
        #expect(read.model == nil)
    }

    @Test func `the stored name of a type must be a literal`() throws {
        let read = try ReadSource("@Entity(name: name) struct Note { var id: Id = 0 }")
        #expect(
            read.problems == [
                "1:15 @Entity is read at compile time, so its argument must be a name in "
                    + "quotation marks"
            ])
    }
}
#endif
