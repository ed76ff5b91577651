#if Macros
import DaybookModel
import Testing

@Suite struct CommentDiagnosticTests {
    /// Expects the problems of a comment above a property. Columns count from the slashes.
    private func expect(
        _ comment: String, problems: [String], at location: SourceLocation = #_sourceLocation
    ) {
        let found = CommentSource("struct Note {\n// objectbox: \(comment)\nvar a = 1\n}").problems
        #expect(found == problems.map { "2:\($0)" }, sourceLocation: location)
    }

    @Test(arguments: [
        ("indx", "index"), ("uniqe", "unique"), ("dateNano", "date-nano"),
        ("Transent", "transient"), ("relations", "relation"), ("onDelete", nil),
        ("renamed", nil), ("searchable", nil), ("a", nil), ("ix", nil),
    ])
    func `an unknown annotation is reported with the most similar one`(
        name: String, nearest: String?
    ) {
        let source = "struct Note {\n    // objectbox: \(name), id\n    var a = 1\n}"
        let read = CommentSource(source)
        let hint = nearest.map { ": did you mean '\($0)'?" } ?? ""
        #expect(read.problems == ["2:19 comment with unknown annotation '\(name)'\(hint)"])
        #expect(read.properties["a"]?.isIdentity == true)
        #expect(read.fixItTitles == (nearest.map { ["change '\(name)' to '\($0)'"] } ?? []))
        #expect(read.fixed == source.replacing(name, with: nearest ?? name))
        #expect(CommentSource(read.fixed).problems.isEmpty == (nearest != nil))
    }

    @Test func `an edit is also correct in a comment after a property`() {
        let source = "struct Note { // objectbox: entty\nvar a = 1 /* objectbox: indx */\n}"
        let read = CommentSource(source)
        #expect(read.problems.map { $0.prefix(5) } == ["1:29 ", "2:25 "])
        #expect(
            read.fixed == source.replacing("entty", with: "entity").replacing("indx", with: "index")
        )
    }

    @Test func `the error for an unsupported annotation names the alternative`() {
        expect(
            #"id-companion, externalType="uuid""#,
            problems: [
                "15 annotation 'id-companion' in a comment: ids are assigned in the order of puts. "
                    + "Write 'index' to search by the date",
                "29 annotation 'externalType' in a comment has no effect: Daybook has no connection"
                    + " to another database. The stored name is set by 'name = \"…\"'",
            ])
        expect(
            #"hnswIndex: dimensions=2, neighborsPerNode=30, distanceType="manhattan""#,
            problems: [
                "15 annotation 'hnswIndex' in a comment must be written as hnswIndex: "
                    + "dimensions=3, neighborsPerNode=16, indexingSearchCount=128, "
                    + "distanceType=\"euclidean\", \"cosine\", \"dotProduct\" or \"geo\""
            ])
        expect(
            #"hnswIndex: dimensions=2, flags="debugLogs", reparationBacklinkProbability=0.95"#,
            problems: [
                "15 annotation 'flags', 'reparationBacklinkProbability' in a comment has no effect:"
                    + " it tunes ObjectBox's own index"
            ])
        for wrong in ["hnswIndex", "hnswIndex:", "hnswIndex: neighborsPerNode=3"] {
            #expect(CommentSource.property("// objectbox: \(wrong)").1.count == 1)
        }
        let sync = CommentSource("// objectbox: sync = {\"sharedGlobalIds\": true}\nclass A {}")
        #expect(
            sync.problems == [
                "1:15 annotation 'sync' in a comment has no effect: Daybook does not synchronise"
                    + " stores"
            ])
        for name in ["syncClock", "syncPrecedence", "externalName"] {
            #expect(CommentSource.property("// objectbox: \(name)").1.count == 1)
        }
    }

    @Test func `the error for an empty uid names the number to write`() {
        expect(
            "uid",
            problems: [
                "15 annotation 'uid' in a comment needs a number: write 'uid = N' with any number "
                    + "of your choice, or "
                    + "'renamedFrom = \"oldName\"'"
            ])
    }

    @Test(arguments: [
        "id = true", #"id = {"assignable": 1}"#, #"id = {"asignable": true}"#, "id = {}",
        "index = 1", #"index = "btree""#, #"unique = "replace""#, "unique = {}",
        #"unique = {"onConflict": "abort"}"#, "transient = true", "primaryKey = 1", "encoded = 1",
        #"date-nano = "x""#, "uid = 0", "uid = -1", "uid = 18446744073709551616", #"uid = "1""#,
        "name", "name = 1", #"name = """#, "renamedFrom", "renamedFrom = []",
        #"renamedFrom = ["a", 1]"#, "backlink", #"backlink = "a.b""#, #"backlink = "1a""#,
        #"type = "float""#, "convert = 1", #"convert = {"dbtype": "Int"}"#,
        #"convert = {"converter": "C"}"#,
        #"convert = {"converter": "C", "dbType": "Int", "default": "a"}"#,
        #"convert = {"dbType": "Int", "dbType": "Int"}"#, "relation = true", "relation = {}",
        #"relation = {"onDelete": "remove"}"#, #"relation = {"removesOrphans": "yes"}"#,
        #"relation = {"onDelete": "deny", "onDelete": "deny"}"#, #"relation = {"rule": "deny"}"#,
    ])
    func `the error for an invalid value shows the right form`(text: String) throws {
        let (_, problems) = CommentSource.property("// objectbox: \(text)")
        let name = text.prefix { $0.isLetter || $0 == "-" }
        #expect(problems.count == 1)
        let problem = try #require(problems.first)
        #expect(
            problem.hasPrefix("2:15 annotation '\(name)' in a comment must be written as \(name)"))
    }

    @Test func `code in a string must be valid Swift`() {
        expect(
            #"convert = {"default": ".a) + ("}"#,
            problems: ["15 comment with '.a) + (', which is not an expression"])
        expect(
            #"convert = {"default": ""}"#,
            problems: ["15 comment with '', which is not an expression"])
        expect(
            #"convert = {"dbType": "Int", "converter": "A B"}"#,
            problems: ["15 comment with 'A B', which is not a type"])
    }

    @Test func `the error for a misplaced annotation says where it belongs`() {
        expect(
            "entity",
            problems: ["15 annotation 'entity' in a comment is for a type, not for a property"])
        let read = CommentSource("// objectbox: transient\nstruct A {}")
        #expect(
            read.problems == [
                "1:15 annotation 'transient' in a comment is for a property, not for a type"
            ])
    }

    @Test func `an annotation occurs once, and a property has one conversion`() {
        expect(
            "index, index", problems: ["22 annotation 'index' occurs twice in these comments"])
        let twice = "// objectbox: index\n// objectbox: index = \"hash\""
        #expect(CommentSource.property(twice).1.count == 1)
        expect(
            "encoded, date-nano",
            problems: [
                "24 comments that convert this property in two ways: use only one of 'convert', "
                    + "'encoded', 'date-nano' and 'type'"
            ])
        expect(#"date-nano, type = "date-nano""#, problems: [])
    }

    @Test func `an annotation without a property is reported`() {
        let problem =
            "comment with an annotation, but no stored property follows: put it directly above "
            + "its property"
        let read = CommentSource(
            """
            struct Note {
                // objectbox: index
                func a() {}
                // objectbox: index
                struct B {}
                // objectbox: unique
            }
            """)
        #expect(read.problems == ["2:7 \(problem)", "6:7 \(problem)"])
    }

    @Test func `an invalid annotation is reported at its location, and the others are read`() {
        expect(
            "index unique",
            problems: [
                "21 comment with annotations that are not separated: put a comma before 'unique'"
            ])
        expect("", problems: ["3 comment 'objectbox:' without an annotation after the colon"])
        expect(
            "index – for names",
            problems: ["21 comment with '–' at an invalid position in an annotation"])
        expect("index.", problems: ["20 comment with '.' at an invalid position in an annotation"])
        expect(
            "\"index\"",
            problems: ["15 comment with 'index' at an invalid position in an annotation"])
        expect(
            "name =",
            problems: ["21 comment with an annotation that ends where its value is expected"])
        expect(
            "name = , id",
            problems: ["22 comment with ',' at an invalid position in an annotation"])
        expect(
            #"name = "DB"#,
            problems: [
                "22 comment with an annotation whose quotation mark is not closed in its line"
            ])
        expect(
            #"convert = {"dbType": "Int""#,
            problems: ["25 comment with an annotation whose '{' is never closed"])
        expect(
            #"convert = {"a" 1, "b": {}}, index"#,
            problems: ["30 comment with '1' at an invalid position in an annotation"])
        let (annotations, problems) = CommentSource.property(
            #"// objectbox: convert = {"a" 1, "b": {}}, index"#)
        #expect(annotations?.index == "")
        #expect(problems.count == 1)
    }
}
#endif
