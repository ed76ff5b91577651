#if Macros
import DaybookModel
import Testing

/// Text indexes, and indexes of several properties in comments.
@Suite struct TextIndexTests {
    @Test(arguments: [
        "@Index(.text) var a: String", "@Index(.caseInsensitive) var a: String?",
        "// objectbox: index = \"text\"\nvar a: String",
        "// objectbox: index = caseInsensitive\nvar a = \"\"", "@Index(.text) var a: Alias",
    ])
    func `text indexes require strings, or types that may be strings`(member: String) throws {
        let read = try ReadSource("@Entity struct A {\nvar id: Id = 0\n\(member)\n}")
        #expect(read.problems == [])
        let attributes = try #require(read.model?.properties.first?.attributes)
        let kinds = [EntityModel.Property.Attribute.index(kind: "text")]
        #expect(attributes == kinds || attributes == [.index(kind: "caseInsensitive")])
        let model = try #require(read.model)
        let text = EntityCode(model).extensionText(statingConformance: true)
        #expect(["text", "caseInsensitive"].contains { text.contains(", .index(.\($0))),") })
    }

    @Test(arguments: [
        ("@Index(.text)", "Int"), ("@Index(.caseInsensitive)", "Date?"), ("@Index(.text)", "URL"),
    ])
    func `a property that is no string cannot have a text index`(attribute: String, type: String)
        throws
    {
        let read = try ReadSource(
            "@Entity struct A {\nvar id: Id = 0\n\(attribute) var a: \(type)\n}")
        let column = attribute.count + 6
        #expect(
            read.problems == [
                "3:\(column) 'a' cannot have '@Index': such an index requires 'String', and its "
                    + "type is '\(type)'"
            ])
        #expect(read.fixItTitles == ["change it to '@Index'"])
        #expect(try ReadSource(read.fixed).problems == [])
    }

    @Test func `a comment on a wrong type gets the same error`() throws {
        let read = try ReadSource(
            "@Entity struct A {\nvar id: Id = 0\n// objectbox: index = \"text\"\nvar a: Bool\n}")
        #expect(
            read.problems == [
                "4:5 'a' cannot have 'index': such an index requires 'String', and its type is "
                    + "'Bool'"
            ])
    }

    @Test(arguments: [
        (
            #"@Index("s", "t", kind: .text)"#,
            "1:13 's, t' cannot have '@Index': a text index covers one property: mark each "
                + "of them @Index(.text)"
        ),
        (
            #"@Index("n", kind: .text)"#,
            "1:8 'n' cannot have '@Index': such an index requires 'String', and its type is 'Int'"
        ),
        (
            #"@Index("n", "b", kind: .caseInsensitive)"#,
            "1:13 'n, b' cannot have '@Index': a case-insensitive index requires a 'String', and "
                + "none of these has that type"
        ),
    ])
    func `compound indexes have the same type rules`(attribute: String, problem: String) throws {
        let read = try ReadSource(
            "\(attribute) @Entity struct A { var id: Id; var s: String; var t: String; "
                + "var n: Int; var b: Bool }")
        #expect(read.problems == [problem])
    }

    @Test func `a case-insensitive index may combine a string with other properties`() throws {
        let read = try ReadSource(
            "@Index(\"n\", \"s\", kind: .caseInsensitive) "
                + "@Entity struct A { var id: Id; var s: String; var n: Int }")
        #expect(read.problems == [])
        #expect(read.model?.attributes == [.index(["n", "s"], kind: "caseInsensitive")])
    }

    // MARK: Comments at a type

    @Test(arguments: [
        (#"index = ["a", "b"]"#, EntityModel.Attribute.index(["a", "b"], kind: nil)),
        (#"index = "a, b""#, .index(["a", "b"], kind: nil)),
        (#"index = {"properties": "a,b"}"#, .index(["a", "b"], kind: nil)),
        (#"index = {"properties": ["a", "b"], "kind": "hash"}"#, .index(["a", "b"], kind: "hash")),
        (#"unique = ["a", "b"]"#, .unique(["a", "b"], onConflict: nil)),
        (
            #"unique = {"onConflict": "replace", "properties": ["b", "a"]}"#,
            .unique(["b", "a"], onConflict: "replace")
        ),
        (#"primaryKey = ["a", "b"]"#, .primaryKey(["a", "b"])),
        (#"primaryKey = {"properties": "b, a"}"#, .primaryKey(["b", "a"])),
    ])
    func `a comment at a type names several properties`(
        comment: String, expected: EntityModel.Attribute
    ) throws {
        let read = try ReadSource(
            "// objectbox: \(comment)\n@Entity struct A { var id: Id; var a: String; var b: Int }")
        #expect(read.problems == [])
        #expect(read.model?.attributes == [expected])
    }

    @Test func `a type may have several indexes`() throws {
        let read = try ReadSource(
            """
            // objectbox: entity, index = ["a", "b"], unique = ["b", "c"]
            // objectbox: index = ["c", "a"], unique = ["a"]
            struct A { var id: Id; var a: Int; var b: Int; var c: Int }
            """)
        #expect(read.problems == [])
        #expect(
            read.model?.attributes == [
                .index(["a", "b"], kind: nil), .index(["c", "a"], kind: nil),
                .unique(["b", "c"], onConflict: nil), .unique(["a"], onConflict: nil),
            ])
    }

    @Test(arguments: [
        "index", "index = 1", "index = []", #"index = ["a", 1]"#, #"index = "a,""#, "index = {}",
        #"index = {"properties": "a", "kind": "btree"}"#, #"index = {"kind": "hash"}"#,
        #"index = {"properties": "a", "properties": "b"}"#, #"index = {"onConflict": "fail"}"#,
        "unique", #"unique = {"properties": "a", "kind": "hash"}"#,
        #"unique = {"properties": "a", "onConflict": "abort"}"#, "primaryKey", "primaryKey = [[]]",
        #"primaryKey = {"properties": []}"#, #"primaryKey = {"kind": "hash"}"#,
    ])
    func `the error for an unsuitable value shows the form for a type`(text: String) throws {
        let read = CommentSource("// objectbox: \(text)\nstruct A { var a = 1 }")
        let name = text.prefix { $0.isLetter }
        #expect(read.problems.count == 1)
        let problem = try #require(read.problems.first)
        #expect(
            problem.hasPrefix(
                "1:15 annotation '\(name)' in a comment must be written as "
                    + "\(name) = [\"first\", \"second\"]"))
    }

    @Test func `a second primary key and an unknown name are reported`() throws {
        let twice = CommentSource(
            "// objectbox: primaryKey = [\"a\"], primaryKey = [\"b\"]\nstruct A { var a = 1 }")
        #expect(twice.problems.count == 1)
        let unknown = try ReadSource(
            "// objectbox: index = [\"a\", \"x\"]\n@Entity struct A { var id: Id; var a: Int }")
        #expect(
            unknown.problems == [
                "2:16 @Index names 'x', which is not a stored property of 'A'"
            ])
    }
}
#endif
