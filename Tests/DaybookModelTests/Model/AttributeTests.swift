#if Macros
import DaybookModel
import Testing

/// Native attributes are read into the model.
@Suite struct AttributeTests {
    private func model(_ source: String) throws -> EntityModel {
        let read = try ReadSource(source)
        #expect(read.problems == [])
        return try #require(read.model)
    }

    private func property(_ source: String) throws -> EntityModel.Property {
        let note = try model("@Entity struct Note {\n    var id: Id = 0\n    \(source)\n}")
        return try #require(note.properties.first)
    }

    @Test(
        arguments: [
            ("@Index var a: String", [.index(kind: "")]),
            ("@Index(.hash64) var a: String", [.index(kind: "hash64")]),
            ("@Index(IndexKind.value) var a: Double", [.index(kind: "value")]),
            ("@Unique var a: Int", [.unique(onConflict: "")]),
            ("@Unique(onConflict: .update) var a: Int?", [.unique(onConflict: "update")]),
            ("@PrimaryKey var a: UUID", [.primaryKey]),
            ("@Renamed(from: \"b\", \"c\") var a: Int", [.renamed(["b", "c"])]),
            ("@Daybook.Index var a: Int", [.index(kind: "")]),
            ("@Other.Index var a: Int", []),
            (
                "@Renamed(from: \"b\") @PrimaryKey @Unique @Index var a: Int",
                [.index(kind: ""), .unique(onConflict: ""), .primaryKey, .renamed(["b"])]
            ),
            (
                "@Index\n    // objectbox: uid = 7, index = \"hash\"\n    var a: String",
                [.index(kind: "hash"), .uid(7)]
            ),
        ] as [(String, [EntityModel.Property.Attribute])])
    func `the order of a property's attributes does not matter`(
        source: String, expected: [EntityModel.Property.Attribute]
    ) throws {
        #expect(try property(source).attributes == expected)
    }

    @Test func `a stored name keeps the Swift name`() throws {
        let found = try property("@Name(\"AGE\") var `age`: Int")
        #expect(found.name == "age" && found.storedName == "AGE" && found.spelling == "`age`")
        #expect(found.attributes == [.declared("age")])
    }

    @Test(
        arguments: [
            ("@Convert(default: .unknown) var a: Role", .fallback(".unknown")),
            (
                "@Convert(default: Role.make(1, \"b\")) var a: Role",
                .fallback("Role.make(1, \"b\")")
            ),
            (
                "@Convert(A.Converter.self, as: [Int].self) var a: Role",
                .converter(type: "A.Converter", stored: "[Int]")
            ),
            ("@Nanoseconds var a: Date", .nanoseconds),
            ("@Nanoseconds var a: Foundation.Date?", .nanoseconds),
            ("@Nanoseconds var a = Date()", .nanoseconds),
            ("@Nanoseconds var a = Date.now", .nanoseconds),
            ("@Encoded var a: Settings", .encoded),
        ] as [(String, PropertyAnnotations.Conversion)])
    func `conversions are read as written`(
        source: String, expected: PropertyAnnotations.Conversion
    ) throws {
        #expect(try property(source).conversion == expected)
    }

    @Test func `only an encoded property needs its initial value`() throws {
        #expect(
            try property("@Encoded var a = Settings(level: 2)").initialValue == "Settings(level: 2)"
        )
        #expect(try property("@Encoded var a: Settings? = nil").initialValue == nil)
        #expect(try property("var a = Settings()").initialValue == nil)
    }

    @Test func `attributes of the type are sorted and use stored names`() throws {
        let note = try model(
            """
            @Renamed(from: "Old", "Older")
            @Unique("city", "number", onConflict: .replace)
            @Index("city")
            @Index("number", "city", kind: .hash)
            @PrimaryKey("number", "city")
            @Entity(name: "NOTE")
            struct Note {
                @Id(assignable: true) var key: UInt64
                @Name("CITY") var city: String
                var number: Int
            }
            """)
        #expect(note.storedName == "NOTE")
        #expect(
            note.attributes == [
                .assignableIds, .primaryKey(["number", "CITY"]), .index(["CITY"], kind: nil),
                .index(["number", "CITY"], kind: "hash"),
                .unique(["CITY", "number"], onConflict: "replace"), .renamed(["Old", "Older"]),
            ])
    }

    @Test func `the type's name may be in the attribute and in a comment`() throws {
        #expect(try model("@Name(\"N\") @Entity struct A { var id: Id = 0 }").storedName == "N")
        let source = "// objectbox: name = \"N\", uid = 5\n@Entity struct A { var id: Id = 0 }"
        #expect(try model(source).storedName == "N")
        #expect(try model(source).attributes == [.uid(5)])
    }

    @Test func `a comment alone makes a property transient`() throws {
        let note = try model(
            "@Entity struct Note {\n    var id: Id = 0\n    // objectbox: transient\n"
                + "    var a = 1\n    var b = 2 // objectbox: index\n}")
        #expect(note.properties.map(\.name) == ["b"])
        #expect(note.properties.first?.attributes == [.index(kind: "")])
    }

    @Test func `attributes of other macros are ignored`() throws {
        let note = try model(
            """
            @Entity @Observable final class Note {
                var id: Id = 0
                @ObservationIgnored var a = 1
                @objc dynamic var b = 2
            }
            """)
        #expect(note.properties.map(\.name) == ["a", "b"])
        #expect(note.emptyInitializer == .needed)
    }
}
#endif
