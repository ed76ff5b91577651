#if Macros
import DaybookModel
import Testing

@Suite struct CommentAnnotationsTests {
    private static let properties: [(text: String, expected: PropertyAnnotations)] = [
        ("id", .with { $0.isIdentity = true }),
        (
            #"id = {"assignable": true}"#,
            .with {
                $0.isIdentity = true
                $0.isAssignable = true
            }
        ),
        (#"id = { "assignable" : false }"#, .with { $0.isIdentity = true }),
        (#"name = "DB_NAME""#, .with { $0.storedName = "DB_NAME" }),
        (#"name = "a \"b\" \\ \c""#, .with { $0.storedName = #"a "b" \ \c"# }),
        ("uid = 18446744073709551615", .with { $0.uid = .max }),
        ("index", .with { $0.index = "" }),
        (#"index = "value""#, .with { $0.index = "value" }),
        (#"index="hash""#, .with { $0.index = "hash" }),
        ("index = hash64", .with { $0.index = "hash64" }),
        (
            "hnswIndex: dimensions=2, neighborsPerNode=30, distanceType=\"cosine\"",
            .with { $0.vector = ["dimensions: 2", "metric: .cosine", "neighborsPerNode: 30"] }
        ),
        (
            "hnswIndex: dimensions=2, distanceType=\"geo\"",
            .with { $0.vector = ["dimensions: 2", "metric: .geo"] }
        ),
        (
            "hnswIndex: indexingSearchCount=100, dimensions=7",
            .with { $0.vector = ["dimensions: 7", "indexingSearchCount: 100"] }
        ),
        ("unique", .with { $0.unique = "" }),
        (#"unique = {"onConflict": "replace"}"#, .with { $0.unique = "replace" }),
        (#"unique = {"onConflict": "update"}"#, .with { $0.unique = "update" }),
        (#"unique = {"onConflict": "fail"}"#, .with { $0.unique = "fail" }),
        (#"unique = {onConflict: ignore}"#, .with { $0.unique = "ignore" }),
        ("transient", .with { $0.isTransient = true }),
        ("primaryKey", .with { $0.isPrimaryKey = true }),
        (#"backlink = "customer""#, .with { $0.backlink = "customer" }),
        ("relation", .with { $0.isRelation = true }),
        (
            #"relation = {"onDelete": "cascade", "onTargetDelete": "deny", "#
                + #""removesOrphans": true}"#,
            .with {
                $0.isRelation = true
                $0.rules.onDelete = "cascade"
                $0.rules.onTargetDelete = "deny"
                $0.rules.removesOrphans = true
            }
        ),
        (
            #"relation = {removesOrphans: false}"#,
            .with {
                $0.isRelation = true
                $0.rules.removesOrphans = false
            }
        ),
        (#"renamedFrom = "old""#, .with { $0.formerNames = ["old"] }),
        (#"renamedFrom = ["older", "old"]"#, .with { $0.formerNames = ["older", "old"] }),
        (
            #"renamedFrom = "older", renamedFrom = "old""#,
            .with { $0.formerNames = ["older", "old"] }
        ),
        ("encoded", .with { $0.conversion = .encoded }),
        ("date-nano", .with { $0.conversion = .nanoseconds }),
        (#"type = "date-nano""#, .with { $0.conversion = .nanoseconds }),
        (#"type = "date""#, PropertyAnnotations()),
        (
            #"convert = { "default": ".unknown" }"#,
            .with { $0.conversion = .fallback(".unknown") }
        ),
        (
            #"convert = {"dbType": "Int", "default": "Mood(\"a, b\")"}"#,
            .with { $0.conversion = .fallback(#"Mood("a, b")"#) }
        ),
        (
            #"convert = { "dbType": "Int", "converter": "Outer.RoleConverter" }"#,
            .with { $0.conversion = .converter(type: "Outer.RoleConverter", stored: "Int") }
        ),
        (#"convert = {"dbType": "Int"}"#, PropertyAnnotations()),
        ("convert", PropertyAnnotations()),
    ]

    @Test(arguments: Self.properties)
    func `every annotation of a property is understood`(
        text: String, expected: PropertyAnnotations
    ) {
        let (annotations, problems) = CommentSource.property("// objectbox: \(text)")
        #expect(annotations == expected)
        #expect(problems == [])
    }

    @Test func `every annotation of a type is understood`() {
        let read = CommentSource(
            #"""
            // objectbox: entity, name = "PEOPLE", uid = 7, renamedFrom = ["Human", "Person"]
            class Someone { }
            """#)
        var expected = EntityAnnotations()
        expected.isEntity = true
        expected.storedName = "PEOPLE"
        expected.uid = 7
        expected.formerNames = ["Human", "Person"]
        #expect(read.entity == expected)
        #expect(read.problems == [])
        #expect(CommentSource("// objectbox: embedded\nstruct A {}").entity.isEmbedded)
        #expect(CommentSource("/// objectbox:Event\nstruct A {}").entity.isEvent)
        #expect(CommentSource("// objectbox: Entity\nstruct A {}").entity.isEntity)
    }

    @Test(arguments: [
        "// objectbox: index, unique", "//objectbox:index,unique", "/// objectbox : index , unique",
        "//  OBJECTBOX:\tindex ,unique", "/* objectbox: index, unique */",
        "/** ObjectBox: index, unique **/", "// objectbox: index\n// objectbox: unique",
        "// objectbox: index\n\n// A comment between.\n\n/* objectbox: unique */",
        "/*\n * objectbox: index\n * objectbox: unique\n */",
        "/*\n objectbox: index,\n unique\n */", "// objectbox: index,\n// unique",
        "// objectbox: index\n// , unique", "// objectbox: Index, UNIQUE,",
        "// objectbox: index, unique\r",
        "// Names of people.\n// objectbox: index, unique\n// They are never empty.",
    ])
    func `every kind of comment is read, and several in a row`(comment: String) {
        let (annotations, problems) = CommentSource.property(comment)
        #expect(
            annotations
                == .with {
                    $0.index = ""
                    $0.unique = ""
                })
        #expect(problems == [])
    }

    @Test(arguments: [
        "var a = 1 // objectbox: index", "var a: Int // objectbox: index",
        "var /* objectbox: index */ a = 1", "@Mark // objectbox: index\nvar a = 1",
        "private /* objectbox: index */ var a = 1", "var a /* objectbox: index */ : Int",
        "var a: Int /* objectbox: index */ = 1", "var a: Int /* objectbox: index */ { didSet {} }",
        "var a = 1 { didSet {} } // objectbox: index", "var a = [\n1\n] // objectbox: index",
        "var z = 0; /* objectbox: index */ var a = 1", "var a = 1; // objectbox: index",
        "/* objectbox: index */ var a = 1; // objectbox: unique the next line is\nvar b = 1",
    ])
    func `comments above and after a property belong to it`(members: String) {
        for text in ["struct Note { \(members)\n}", "struct Note {\n\(members)\n}"] {
            let read = CommentSource(text)
            #expect(read.properties["a"]?.index == "")
            let others = read.properties.filter { $0.key != "a" }.values
            #expect(others.allSatisfy { $0 == PropertyAnnotations() })
        }
    }

    @Test(arguments: [
        "@Mark // objectbox: entity\nstruct A {}", "public /* objectbox: entity */ struct A {}",
        "struct /* objectbox: entity */ A {}", "struct A /* objectbox: entity */ {}",
        "struct A: B { // objectbox: entity\nvar a = 1\n}",
        "// objectbox: entity\n@Mark(1)\nfinal class A: B, C { var a = 1 }",
    ])
    func `comments above a type belong to it`(source: String) {
        let read = CommentSource(source)
        #expect(read.entity.isEntity)
        #expect(read.problems == [])
        #expect(read.properties.values.allSatisfy { $0 == PropertyAnnotations() })
    }

    @Test(arguments: [
        "var a = { // objectbox: index\n 1 }()", "var a = 1 { didSet { /* objectbox: index */ } }",
        "var a = [ // objectbox: index\n1]",
        "// An objectbox index.", "// See objectbox: index.", "// objectboxes: index",
        "// objectbox", "// objectbox index: none", "// TODO objectbox: index",
    ])
    func `a comment without an annotation is ignored`(text: String) {
        let member = text.hasPrefix("//") ? "\(text)\nvar a = 1" : text
        let read = CommentSource("struct Note {\n\(member)\n}")
        #expect(read.properties["a"] == PropertyAnnotations())
        #expect(read.problems == [])
    }

    @Test(arguments: [
        "// objectbox: convert = { \"dbType\": \"Int\",\n// \"converter\": \"C\" }",
        "// objectbox: convert =\n// { \"dbType\": \"Int\", \"converter\": \"C\" }",
        "// objectbox: convert\n// = {\n//\n// \"dbType\": \"Int\"\n// , converter: \"C\"\n// }",
        "/* objectbox: convert = {\n  \"dbType\": \"Int\",\n  \"converter\": \"C\",\n} */",
    ])
    func `an annotation may continue in the next lines`(comment: String) {
        let (annotations, problems) = CommentSource.property(comment)
        #expect(annotations == .with { $0.conversion = .converter(type: "C", stored: "Int") })
        #expect(problems == [])
    }

    @Test func `every name of a declaration gets the annotations of its comment`() {
        let read = CommentSource("struct Note {\n// objectbox: index\nvar a, b: Int\n}")
        #expect(read.properties["a"]?.index == "")
    }
}
#endif
