#if Macros
import DaybookModel
import Testing

/// The declaration that objects expire, as an attribute and as a comment.
@Suite struct ExpiryTests {
    @Test(arguments: [
        ("@Entity(expires: \"end\") struct A", nil),
        ("@Entity(name: \"B\", expires: \"end\", after: .seconds(60)) struct A", ".seconds(60)"),
        ("// objectbox: entity, expires = \"end\"\nstruct A", nil),
        (
            "// objectbox: entity, expires = {\"property\": \"end\", \"seconds\": 60}\nstruct A",
            ".seconds(60)"
        ),
    ])
    func `an expiry names a date and a duration`(head: String, after: String?) throws {
        for type in ["Date", "Date?"] {
            let read = try ReadSource("\(head) { var id: Id = 0; var end: \(type) }")
            #expect(read.problems == [])
            #expect(read.model?.attributes == [.expires("end", after: after)])
        }
    }

    @Test func `the generated code has the stored name of the property`() throws {
        let read = try ReadSource(
            "@Entity(expires: \"end\", after: .seconds(60)) struct A "
                + "{ var id: Id = 0; @Name(\"e\") var end: Date }")
        let code = EntityCode(try #require(read.model)).extensionText(statingConformance: true)
        #expect(code.contains("], .expires(\"e\", after: .seconds(60)))"))
    }

    @Test func `a property that is not a date is an error at its name`() throws {
        for (type, isAccepted) in [
            ("String", false), ("[Date]", false), ("ToOne<B>", false), ("Int?", false),
            ("Moment", true),
        ] {
            let read = try ReadSource(
                "@Entity(expires: \"end\") struct A { var id: Id = 0; var end: \(type) }")
            #expect(read.problems.isEmpty == isAccepted)
            if !isAccepted {
                #expect(
                    read.problems.first?.hasPrefix(
                        "1:18 'end' cannot have 'expires': it requires 'Date', and its type is '")
                        == true)
            }
        }
    }

    @Test func `an unknown property is an error with the most similar name`() throws {
        let read = try ReadSource(
            "@Entity(expires: \"valid\") struct A { var id: Id = 0; var valit: Date }")
        #expect(
            read.problems == ["1:18 'expires' names 'valid', which is not a stored property of 'A'"]
        )
        #expect(read.fixItTitles == ["change it to 'valit'"])
        #expect(try ReadSource(read.fixed).problems == [])
    }

    @Test func `an embedded type and an event do not expire, and an entity in one way only`()
        throws
    {
        for kind in ["embedded", "event"] {
            let read = try ReadSource(
                "// objectbox: \(kind), expires = \"end\"\nstruct A { var end: Date }")
            #expect(read.problems.count == 1)
            #expect(read.problems.first?.contains("'A' cannot have 'expires'") == true)
        }
        let twice = try ReadSource(
            "// objectbox: expires = \"start\"\n@Entity(expires: \"end\") struct A "
                + "{ var id: Id = 0; var start: Date; var end: Date }")
        #expect(twice.problems.count == 1)
        #expect(twice.problems.first?.contains("several are given: 'end', 'start'") == true)
    }

    @Test(arguments: ["expires", "expires = 3", "expires = {\"seconds\": 3}", "expires = \"\""])
    func `a comment in another form is an error`(comment: String) throws {
        let read = try ReadSource(
            "// objectbox: entity, \(comment)\nstruct A { var id: Id = 0; var end: Date }")
        #expect(read.problems.count == 1)
        #expect(read.problems.first?.contains("annotation 'expires'") == true)
    }
}
#endif
