import DaybookBytes
import DaybookRecords
@testable import DaybookQuery
import Testing

@Suite struct ConditionResolverTests {
    private let fixture: QueryFixture

    init() throws { fixture = try QueryFixture() }

    private func path(_ steps: String...) -> QueryExpression { .property(PropertyPath(steps)) }

    private func resolve(_ condition: QueryCondition) throws(DaybookError) -> BoundCondition {
        try ConditionResolver(fixture.model).resolve(condition, of: fixture.number("Thing"))
    }

    /// Returns the error message without the parts that its details contain.
    private func message(_ condition: QueryCondition) -> String {
        do throws(DaybookError) {
            return "resolved to \(try resolve(condition))"
        } catch {
            return error.code == .invalidArgument ? error.message : "\(error)"
        }
    }

    // MARK: Names

    @Test func `the error for a misspelled name suggests the property`() {
        let wrong = QueryCondition.compare(path("int23"), .equal, .value(.integer(1)), [])
        #expect(message(wrong) == "'Thing.int23' is not a property; did you mean 'int32'?")
        let cased = QueryCondition.isNull(path("Names"))
        #expect(message(cased) == "'Thing.Names' is not a property; did you mean 'names'?")
        let inner = QueryCondition.isNull(path("home", "citty"))
        #expect(
            message(inner)
                == "'Place.citty' is not a property (in 'home.citty'); did you mean 'city'?")
        let far = QueryCondition.isNull(path("home", "x"))
        #expect(
            message(far)
                == "'Place.x' is not a property (in 'home.x'). Place has: 'city', 'number',"
                + " 'street'.")
    }

    @Test(arguments: [
        (["friends", "int32"], "'friends.int32' goes through 'friends', which leads to many"),
        (["int32", "x"], "'int32.x' continues after 'int32', which has type int32"),
        (["", "x"], "'id.x' goes through an id"),
        (["home", ""], "'home.id' goes through an id"),
        ([], "A path is empty"),
    ])
    func `an invalid path is refused`(steps: [String], beginning: String) {
        let message = message(.isNull(.property(PropertyPath(steps))))
        #expect(message.hasPrefix(beginning), "\(message)")
    }

    @Test func `an entity that the store was not opened with is refused`() throws {
        #expect {
            _ = try ConditionResolver(QueryModel([])).resolve(
                .isNull(path("a")), of: 7)
        } throws: { DaybookError.Code.entityNotRegistered ~= $0 }
    }

    // MARK: Types

    static let misuses: [(QueryCondition, String)] = [
        (
            compare("int32", .equal, .text("x")),
            "'Thing.int32' is a number (int32), and the value is a string"
        ),
        (
            compare("string", .less, .integer(1)),
            "'Thing.string' is a string, and the value is a number"
        ),
        (
            compare("bool", .equal, .integer(1)),
            "'Thing.bool' is a Boolean, and the value is a number"
        ),
        (compare("numbers", .less, .stored([])), "'Thing.numbers' is a collection, and has no '<'"),
        (
            compare("home", .equal, .stored([])),
            "'Thing.home' is an embedded value, and such values"
        ),
        (
            compare("friends", .equal, .null),
            "'Thing.friends' is a relation to many objects, and is"
        ),
        (compare("friends", .less, .integer(1)), "'Thing.friends' is a relation to many objects"),
        (compare("uuid", .equal, .uuid([1])), "A UUID has 16 bytes, and 1 are given"),
        (
            .compare(
                .property(PropertyPath(["int32"])), .equal, .value(.integer(1)), .caseInsensitive),
            "'Thing.int32' is a number (int32), and has neither case nor diacritics"
        ),
        (
            .text(.property(PropertyPath(["int32"])), .contains, .value(.text("1")), []),
            "'Thing.int32' is a number (int32), and 'contains' is for strings"
        ),
        (
            .near(.property(PropertyPath(["double"])), 1, tolerance: -1),
            "The tolerance -1.0 is not valid"
        ),
        (
            .near(.property(PropertyPath(["double"])), 1, tolerance: .nan),
            "The tolerance nan is not valid"
        ),
        (
            .near(.property(PropertyPath(["string"])), 1, tolerance: 1),
            "'Thing.string' is a string, and"
        ),
        (.matches(PropertyPath(["int32"]), "a"), "'Thing.int32' is a number (int32), and only"),
        (.matches(PropertyPath(["string"]), " -* "), "' -* ' contains no words to search for"),
        (
            .matches(PropertyPath(["string"]), (0...256).map { "w\($0)" }.joined(separator: " ")),
            "A search in 'Thing.string' has 257 words; the maximum is 256"
        ),
        (
            .linked(PropertyPath(["int32"]), .any, .always(true)),
            "'Thing.int32' is a number (int32)"
        ),
        (.elements(PropertyPath(["int32"]), .any, .always(true)), "'Thing.int32' is a number"),
        (.keys(PropertyPath(["numbers"]), .any, .always(true)), "'Thing.numbers' is a collection"),
        (.isNull(.element), "There is no element here:"),
        (
            .elements(PropertyPath(["numbers"]), .any, .isNull(.property(PropertyPath(["int32"])))),
            "'int32' is not a property of an element"
        ),
        (.isNull(.entry(PropertyPath(["numbers"]), key: "a")), "'Thing.numbers' is a collection"),
        (
            .isNull(.aggregate(.sum, PropertyPath(["names"]), of: nil)),
            "'element' is a string, and there is no sum"
        ),
        (
            .isNull(.aggregate(.sum, PropertyPath(["friends"]), of: nil)),
            "The sum over 'Thing.friends' needs a property"
        ),
        (
            .text(
                .property(PropertyPath(["string"])), .like,
                .value(.text(String(repeating: "a", count: 65_537))), []),
            "A pattern for 'like' has 65537 bytes"
        ),
        (
            .compare(
                .property(PropertyPath(["int32"])), .equal, .property(PropertyPath(["friends"])), []
            ), "'Thing.friends' is a relation to many objects, and has no single value"
        ),
        (
            .isNull(
                .aggregate(.sum, PropertyPath(["friends"]), of: PropertyPath(["friends"]))),
            "'Thing.friends' is a relation to many objects, and has no single value"
        ),
    ]

    private static func compare(
        _ name: String, _ comparison: QueryComparison, _ value: QueryValue
    ) -> QueryCondition {
        .compare(.property(PropertyPath([name])), comparison, .value(value), [])
    }

    @Test(arguments: misuses.indices)
    func `a misused value is refused with its path and the remedy`(index: Int) {
        let (condition, beginning) = Self.misuses[index]
        let message = message(condition)
        #expect(message.hasPrefix(beginning), "\(message)")
    }

    @Test func `an order or a group requires one value per object`() throws {
        let resolver = ConditionResolver(fixture.model)
        let thing = fixture.number("Thing")
        #expect(try resolver.resolve(path("owner"), of: thing) != .id)
        #expect {
            _ = try resolver.resolve(path("friends"), of: thing)
        } throws: { DaybookError.Code.invalidArgument ~= $0 }
        var definition = QueryDefinition()
        definition.distinct = [PropertyPath(["friends"])]
        #expect {
            _ = try QueryRunner(definition, of: thing, in: fixture.model)
        } throws: { DaybookError.Code.invalidArgument ~= $0 }
    }

    // MARK: Size

    @Test func `nesting beyond the limit is refused, and long flat lists are accepted`() throws {
        var deep = QueryCondition.isNull(path("int32Optional"))
        for _ in 0..<ConditionResolver.depthMax { deep = .not(deep) }
        #expect(message(deep).hasPrefix("The condition is nested deeper than 200"))
        // The limit also applies to conditions without paths.
        var constant = QueryCondition.always(true)
        for _ in 0..<1_000 { constant = .not(.named("x", constant)) }
        #expect(message(constant).hasPrefix("The condition is nested deeper than 200"))
        var list = QueryCondition.isNull(path("int32Optional"))
        for _ in 0..<5_000 { list = .and([list, .isNull(path("stringOptional"))]) }
        guard case .and(let parts) = try resolve(list) else {
            Issue.record("it is a list")
            return
        }
        #expect(parts.count == 5_001)
    }

    @Test func `a condition with too many parts is refused`() {
        let parts = [QueryCondition](
            repeating: .always(true), count: ConditionResolver.conditionCountMax)
        #expect(message(.or(parts)).hasPrefix("The query has more than 100000 conditions"))
        let lists = [QueryCondition](
            repeating: .or([]), count: ConditionResolver.conditionCountMax)
        #expect(message(.or(lists)).hasPrefix("The query has more than 100000 conditions"))
    }

    @Test func `a path longer than the limit is refused`() {
        let steps = [String](repeating: "owner", count: 300)
        let message = message(.isNull(.property(PropertyPath(steps))))
        #expect(message.hasPrefix("The condition is nested deeper"))
    }

    // MARK: Forms

    @Test func `constants are removed from conditions`() throws {
        #expect(try resolve(.and([])) == .always(true))
        #expect(try resolve(.or([])) == .always(false))
        let test = QueryCondition.isNull(path("int32Optional"))
        let bound = try resolve(test)
        #expect(try resolve(.not(.not(test))) == bound)
        #expect(try resolve(.and([.always(true), .named("x", test)])) == bound)
        #expect(try resolve(.or([.always(true), test])) == .always(true))
        #expect(try resolve(.isNull(path("int32"))) == .always(false))
        #expect(
            try resolve(.compare(.value(.integer(1)), .less, .value(.number(1.5)), []))
                == .always(true))
    }

    @Test func `a comparison at the end of to-one relations compares the id of the target`() throws
    {
        let equal = try resolve(.compare(path("owner", "int32"), .equal, .value(.integer(1)), []))
        guard case .linked(let relation, .column(let column, .equal(.integer(1)))) = equal else {
            Issue.record("\(equal)")
            return
        }
        #expect(relation.name == "owner")
        #expect(column.name == "int32")
        let unequal = try resolve(
            .compare(path("owner", "int32"), .notEqual, .value(.integer(1)), []))
        #expect(unequal == .not(equal))
        let null = try resolve(.compare(.value(.null), .equal, path("owner", "stringOptional"), []))
        guard case .not(.linked(_, .not(.column(_, .isNull)))) = null else {
            Issue.record("\(null)")
            return
        }
    }
}
