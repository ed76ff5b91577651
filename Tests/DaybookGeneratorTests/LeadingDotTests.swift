#if Macros
import Testing

/// The members for conditions that begin with a dot.
@Suite struct LeadingDotTests {
    /// The lines with the type of a member, without the surrounding code.
    private func members(_ source: String) throws -> [String] {
        let module = GeneratedModule(source)
        #expect(module.messages == [])
        let text = try #require(module.text)
        return text.split(separator: "\n").filter { $0.contains("static var ") }
            .compactMap { line in
                guard line.contains("Daybook.Property<") else { return nil }
                return String(line.drop { $0 == " " }.dropLast(2))
            }
    }

    @Test func `each entity gets its own extension`() throws {
        let module = GeneratedModule(
            """
            struct A: Entity { var id: Id = 0; var n: Int }
            // objectbox: embedded
            struct B { var n: Int }
            // objectbox: event
            struct C { var n: Int }
            """)
        #expect(module.messages == [])
        #expect(
            module.dottedExtensions == [
                "nonisolated extension Daybook.Property where Root == A {",
                "nonisolated extension Daybook.Property where Root == B {",
            ])
    }

    @Test func `types inside the entity have their full names`() throws {
        let source = """
            final class Shop: Entity {
                enum Kind: Int { case a }
                struct Deep { struct Deeper: Codable {} }
                var id: Id = 0
                var kind: Kind
                var kinds: [String: [Kind?]]
                // objectbox: encoded
                var deep: Deep.Deeper?
                var other: Set<String>
                required init() {}
            }
            """
        #expect(
            try members(source) == [
                "static var id: Daybook.Property<Shop, Id>",
                "static var kind: Daybook.Property<Shop, Shop.Kind>",
                "static var kinds: Daybook.Property<Shop, [String: [Shop.Kind?]]>",
                "static var deep: Daybook.Property<Shop, Shop.Deep.Deeper?>",
                "static var other: Daybook.Property<Shop, Set<String>>",
            ])
    }

    @Test func `a name with another meaning there is omitted`() throws {
        let source = """
            struct Value: RawRepresentable { var rawValue = 1 }
            struct A: Entity {
                var id: Id = 0
                var value: Value
                var own: ToOne<Self>
                var made = make()
                // objectbox: transient
                var left = 1
            }
            """
        #expect(try members(source) == ["static var id: Daybook.Property<A, Id>"])
    }

    @Test func `a member has the access of its property`() throws {
        let source = """
            import Daybook
            public struct A: Entity { public var id: Id = 0; package var n: Int; var m: Int }
            """
        #expect(
            try members(source) == [
                "public static var id: Daybook.Property<A, Id>",
                "package static var n: Daybook.Property<A, Int>",
                "static var m: Daybook.Property<A, Int>",
            ])
    }
}
#endif
