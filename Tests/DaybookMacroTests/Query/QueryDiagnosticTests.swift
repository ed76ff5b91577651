#if Macros
import Foundation
import Testing

/// The locations and messages of the compiler's errors in queries.
@Suite struct QueryDiagnosticTests {
    private static let models = """
        import Daybook
        import Foundation
        let zone = TimeZone(secondsFromGMT: 3600)!
        enum Role: Int { case reader = 1, admin }
        enum Mood: String { case glad, sad }
        @Embedded struct Address { var city = ""; var floor: Int? }
        @Entity final class Person {
            var id: Id = 0
            var age = 0
            var name: String = ""
            var score: Double?
            var home: Address?
            var isMember = false
            var born = Date(timeIntervalSince1970: 0)
            var role = Role.reader
            var mood: Mood?
            var boss: ToOne<Person> = nil
            @Backlink(\\Order.buyer) var orders: ToMany<Order> = nil
        }
        @Entity final class Order {
            var id: Id = 0
            var total = 0
            var buyer: ToOne<Person> = nil
        }

        """

    /// A wrong query, the word or value at which the first error is reported, and a part of its
    /// message.
    private static let wrong: [(query: String, place: String, says: String)] = [
        (
            #"people.query { Person.age > "x" }"#, #""x""#,
            "cannot convert value of type 'String' to expected argument type 'Int"
        ),
        ("people.query { Person.agee > 1 }", "agee", "has no dynamic member 'agee'"),
        (
            "people.query { Person.name != 1 }", "1",
            "cannot convert value of type 'Int' to expected argument type 'String'"
        ),
        (
            "people.query { Order.total > 1 }", "> 1",
            "cannot convert value of type 'Condition<Order>' to closure result type "
                + "'Condition<Person>'"
        ),
        (
            "people.query { $0.age == nil }", "nil",
            "'nil' is not compatible with expected argument type 'Int'"
        ),
        (
            "people.query { $0.name.startsWith(7) }", "7",
            "cannot convert value of type 'Int' to expected argument type 'String'"
        ),
        // With `$0`, the compiler names the closure and not the member: `query` is overloaded.
        (#"people.query { $0.home.town == "Ulm" }"#, "{", "was used in closure body"),
        (#"people.query { Person.home.town == "Ulm" }"#, "town", "has no dynamic member 'town'"),
        (
            #"people.query { $0.age > 1 && $0.score < "y" }"#, #""y""#,
            "cannot convert value of type 'String' to expected argument type 'Optional<Double>"
        ),
        (
            #"people.query { Person.role == "x" }"#, #""x""#,
            "cannot convert value of type 'String' to expected argument type 'Role'"
        ),
        (
            #"people.query { $0.role > "x" }"#, ">",
            "cannot be applied to operands of type 'Property<Person, Role>' and 'String'"
        ),
        (
            "people.query { $0.mood == 1 }", "==",
            "compare it with a value of its type or a raw value"
        ),
        (
            "people.query { $0.mood != 1 }", "!=",
            "compare it with a value of its type or a raw value"
        ),
        (
            "people.query { $0.mood < 1 }", "1",
            "cannot convert value of type 'Int' to expected argument type 'String'"
        ),
        (
            #"people.query { $0.role.isIn(["a"]) }"#, #""a""#,
            "cannot convert value of type 'String' to expected element type 'Role'"
        ),
        (
            "people.query { $0.age }", "age",
            "cannot convert value of type 'Property<Person, Int>' to closure result type "
                + "'Condition<Person>'"
        ),
        (
            "people.query().ordered(by: Order.total)", "total",
            "cannot convert value of type 'Property<Order, Int>' to expected argument type "
                + "'Property<Person, Int>'"
        ),
        (
            #"people.query { $0.name.lowercased() == "a" }"#, "lowercased",
            "use equals(_:options:) with .caseInsensitive"
        ),
        (
            #"people.query { $0.mood?.isIn([.glad]) }"#, "query",
            "a condition on an optional property needs no '?' or '!'"
        ),
        (
            #"people.query { $0.name.uppercased() == "A" }"#, "uppercased",
            "use equals(_:options:) with .caseInsensitive"
        ),
        (
            #"past.query { $0.mood?.isIn([.glad]) }"#, "query",
            "a condition on an optional property needs no '?' or '!'"
        ),
        (
            #"people.query { $0.score! > 1 }"#, "$0",
            "a condition on an optional property needs no '?' or '!'"
        ),
        (
            #"people.query { $0.orders.total > "a" }"#, #""a""#,
            "cannot convert value of type 'String' to expected argument type 'Optional<Int>"
        ),
    ]

    @Test func `the compiler reports a wrong query at its place`() throws {
        let head =
            Self.models + "func wrong(_ people: Box<Person>, _ past: ViewBox<Person>) throws {\n"
        let first = head.split(separator: "\n", omittingEmptySubsequences: false).count
        let lines = Self.wrong.map { "    _ = \($0.query)" }
        let checked = try TypeChecked(head + lines.joined(separator: "\n") + "\n}\n")
        for (number, (line, expected)) in zip(lines, Self.wrong).enumerated() {
            let place = try #require(line.range(of: expected.place, options: .backwards))
            let column = line.distance(from: line.startIndex, to: place.lowerBound) + 1
            let problem = checked.problems.first { $0.hasPrefix("\(first + number):") } ?? "none"
            #expect(
                problem.hasPrefix("\(first + number):\(column) error: ")
                    && problem.contains(expected.says), "\(expected.query): \(problem)")
        }
        #expect(checked.problems.allSatisfy { !$0.contains("expansion") })
    }

    @Test(arguments: [
        "var spot: Spot", "var spot = Spot()", "var person: Person?", "var persons: [Person] = []",
    ])
    func `the compiler reports the remedy for a type that cannot be stored`(
        property: String
    ) throws {
        let source = """
            struct Spot: Codable { var x = 0 }
            @Entity final class Place {
                var id: Id = 0
                \(property)
                init() { fatalError() }
            }
            """
        let text = try TypeChecked(Self.models + source, hasWrongExpansions: true).text
        #expect(text.contains("use ToOne, ToMany, @Embedded, @Encoded or @Convert"), "\(text)")
    }

    @Test func `the compiler reports the remedy for a type that is not an entity`() throws {
        let source = """
            final class Place { var id: Id = 0 }
            func wrong() throws { _ = try Store(directoryPath: "x", entities: Place.self) }
            """
        let problems = try TypeChecked(Self.models + source).problems
        #expect(problems.contains { $0.contains("each type needs @Entity") }, "\(problems)")
    }

    @Test func `the compiler reports an id of another entity`() throws {
        let source = """
            import Daybook
            @Entity final class Person { var id: EntityId<Person> = 0 }
            @Entity final class Order { var id: EntityId<Order> = 0 }
            func read(_ people: Box<Person>, _ person: Person, _ order: Order) throws {
                _ = try people.get(person.id)
                _ = try people.get(order.id)
            }
            """
        let problems = try TypeChecked(source).problems
        #expect(problems.count == 1 && problems[0].hasPrefix("6:"), "\(problems)")
    }

    @Test func `a query with twelve clauses needs few steps of the type checker`() throws {
        let clauses = [
            "age > 1", #"name.startsWith("S")"#, "score >= 0.5", "score != nil",
            #"home.city == "Ulm""#, "home.floor < 3", #"boss.name != "x""#, "isMember == true",
            "age <= 80", "orders.total > 100", "id != 4", #"name.contains("a")"#,
        ]
        #expect(try Self.problems(clauses: clauses) == [])
    }

    @Test func `twelve clauses with raw values need few steps of the type checker`() throws {
        let clauses = [
            "role == 1", "role == .admin", "role != Role.admin.rawValue", "role < 3", "role >= 1",
            "role.isIn([1, 2])", #"mood == "sad""#, "mood == .glad", "mood != nil",
            #"mood > "a""#, #"mood.isIn("a"..."k")"#, "boss.role != 2",
        ]
        #expect(try Self.problems(clauses: clauses) == [])
    }

    @Test func `an async transaction accepts only objects that nothing else uses`() throws {
        let source =
            Self.models + """
                func right(_ store: Store, _ people: Box<Person>) async throws {
                    let person = Person()
                    try await store.write { try people.put(person) }
                }
                func wrong(_ store: Store, _ people: Box<Person>) async throws {
                    let person = Person()
                    async let _ = store.write { try people.put(person) }
                    print(person.name)
                }

                """
        let checked = try TypeChecked(source, arguments: ["-emit-sil", "-o", "/dev/null"])
        #expect(checked.problems.count == 1)
        #expect(checked.problems.first?.contains("risks causing data races") == true)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let wrong = try #require(lines.firstIndex { $0.contains("async let") }) + 1
        #expect(checked.problems.first?.hasPrefix("\(wrong):") == true)
    }

    @Test func `twelve clauses with calculations need few steps of the type checker`() throws {
        let clauses = [
            "age + 1 > 1", "name.length > 3", "age * 2 >= 5", "score != nil",
            #"home.city == "Ulm""#, "home.floor < 3", #"boss.name != "x""#, "born.year == 2026",
            "age - 3 <= 80", "orders.total > 100", "id != 4", "born.month(in: zone) == 2",
        ]
        #expect(try Self.problems(clauses: clauses) == [])
    }

    /// The problems of queries with all the clauses. The compiler reports an error above a number
    /// of scopes. Unlike a time, the number does not depend on other work of the machine.
    private static func problems(clauses: [String]) throws -> [String] {
        func joined(_ root: String, _ divider: String) -> String {
            clauses.map { $0.hasPrefix("is") ? "!(\(root).\($0))" : "\(root).\($0)" }
                .joined(separator: divider)
        }
        return try TypeChecked(
            models + """
                func right(_ people: Box<Person>) throws {
                    _ = people.query { \(joined("Person", " && ")) }
                    _ = people.query { \(joined("$0", " && ")) }
                    _ = people.query { \(joined("$0", " || ")) }.limit(10)
                }
                """,
            arguments: ["-Xfrontend", "-solver-scope-threshold=5000"]
        ).problems
    }
}
#endif
