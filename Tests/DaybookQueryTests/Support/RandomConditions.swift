import DaybookBytes
import DaybookRecords
@testable import DaybookQuery
import DaybookTesting

/// Random objects of a ``QueryFixture``, and random conditions on them.
struct RandomConditions {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    static let texts = [
        "", "a", "A", "ab", "Ab", "abc", "a\0b", "b", "ä", "a\u{308}", "Äb", "Straße", "z", "aab",
    ]

    // MARK: Objects

    /// Returns random values for the properties of an entity; some are omitted.
    mutating func values(_ fields: [Field], of place: [Field]) -> [String: FixtureValue] {
        var values: [String: FixtureValue] = [:]
        for field in fields where field.relation == nil && !chance(8) {
            values[field.name] = value(field.shape, of: place)
        }
        return values
    }

    mutating func value(_ shape: ValueShape, of place: [Field]) -> FixtureValue {
        if shape.isOptional, chance(4) { return .null }
        let element = shape.element ?? ValueShape(.bytes)
        switch shape.type {
        case .list: return .list((0..<pick([0, 1, 2, 3])).map { _ in value(element, of: place) })
        case .set:
            var elements: [FixtureValue] = []
            for _ in 0..<pick([0, 1, 3]) {
                let next = value(element, of: place)
                if !elements.contains(next) { elements.append(next) }
            }
            return .list(elements)
        case .map:
            let keys = ["a", "b", "c"].filter { _ in chance(2) }
            return .map(
                Dictionary(
                    uniqueKeysWithValues: keys.map { ($0, value(element, of: place)) }))
        case .embedded: return .embedded(values(place, of: []))
        default: return .value(value(shape.type))
        }
    }

    mutating func value(_ type: FieldType) -> QueryValue {
        switch type {
        case .bool: return .bool(chance(2))
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
            let limits = type.integerLimits ?? 0...0
            let some: [Int128] = [-3, -1, 0, 1, 2, 3, limits.lowerBound, limits.upperBound]
            return .integer(pick(some.filter(limits.contains)))
        case .float, .double: return .number(pick([-1.5, -0.0, 0, 0.5, 1, 2, .nan, .infinity]))
        case .date: return .moment(Int128(pick([-2, -1, 0, 1, 2])) * 1_000_000)
        case .dateNano: return .moment(pick([-2, 0, 1, 999_999, 1_000_000, 1_000_001]))
        case .string: return .text(pick(Self.texts))
        case .bytes: return .bytes(pick([[], [0], [0, 1], [1], [255]]))
        case .uuid: return .uuid([UInt8](repeating: pick([0, 1, 255]), count: 16))
        case .decimal: return .decimal(pick(["0", "1.0", "1.00", "-2.5", "10", "1e2", "100", "3"]))
        default: return .null
        }
    }

    // MARK: Conditions

    mutating func condition(depth: Int) -> QueryCondition {
        guard depth > 0 else { return simple() }
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return .and((0..<pick([0, 1, 2, 3])).map { _ in condition(depth: depth - 1) })
        case 1: return .or((0..<pick([0, 1, 2, 3])).map { _ in condition(depth: depth - 1) })
        case 2: return .not(condition(depth: depth - 1))
        case 3: return .named("x", condition(depth: depth - 1))
        case 4, 5:
            let path = pick([
                ["owner"], ["friends"], ["playlist"], ["owned"], ["friendOf"], ["inPlaylists"],
                ["owner", "friends"], ["owner", "owner"], ["owner", "owned"],
            ])
            return .linked(PropertyPath(path), quantifier(), condition(depth: depth - 1))
        case 6, 7: return elements()
        case 8: return .always(chance(2))
        default: return simple()
        }
    }

    /// Returns a condition without nested conditions.
    private mutating func simple() -> QueryCondition {
        switch Int.random(in: 0..<14, using: &generator) {
        case 0: return .compare(.property(.ownId), comparison(), .value(number()), [])
        case 1: return .range(.property(.ownId), lower: bound(number()), upper: bound(number()))
        case 2:
            let path = pick([["owner"], ["owner", "owner"]])
            let comparison = pick([QueryComparison.equal, .notEqual])
            return .compare(
                .property(PropertyPath(path)), comparison, .value(chance(3) ? .null : number()), [])
        case 3: return .isNull(.property(PropertyPath(pick([["owner"], ["work"], ["names"]]))))
        case 4: return aggregate()
        case 5: return pair()
        case 6: return chance(2) ? pair() : function()
        default:
            let type = pick(QueryFixture.valueTypes)
            let name = QueryFixture.name(type, isOptional: chance(2))
            let steps = chance(5) ? ["owner", name] : [name]
            if chance(6) {
                let city = pick([["home", "city"], ["work", "city"], ["work", "street"]])
                return test(.property(PropertyPath(chance(3) ? ["owner"] + city : city)), .string)
            }
            return test(.property(PropertyPath(steps)), type)
        }
    }

    /// Returns a comparison of two values of an object.
    private mutating func pair() -> QueryCondition {
        let families: [[FieldType]] = [
            [.int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double],
            [.int8, .uint64, .decimal], [.date, .dateNano], [.string], [.bytes], [.uuid], [.bool],
        ]
        let family = pick(families)
        let sides = (0..<2).map { _ -> QueryExpression in
            let name = QueryFixture.name(pick(family), isOptional: chance(2))
            return .property(PropertyPath(chance(3) ? ["owner", name] : [name]))
        }
        if family == [.string], chance(2) {
            return .text(sides[0], testOfText(), sides[1], options())
        }
        return .compare(sides[0], comparison(), sides[1], family == [.string] ? options() : [])
    }

    /// Returns a comparison of a function of an object's values.
    private mutating func function() -> QueryCondition {
        let zone = QueryZone("+5:45") { _ in 20_700 }
        let functions: [(function: QueryFunction, types: [FieldType])] = [
            (pick([.add, .subtract, .multiply]), [.int8, .int16, .int32, .double]),
            (.add, [.string]), (.length, [.string]),
            (.part(pick(DatePart.allCases), in: pick([.utc, zone])), [.date, .dateNano]),
        ]
        let (function, types) = pick(functions)
        let count = function.isOfTwo ? 2 : 1
        let arguments = (0..<count).map { _ -> QueryExpression in
            let name = QueryFixture.name(pick(types), isOptional: chance(2))
            return .property(PropertyPath(chance(4) ? ["owner", name] : [name]))
        }
        let isText = function.isOfTwo && types == [.string]
        let other: QueryExpression =
            isText
            ? .value(.text(pick(Self.texts)))
            : .value(chance(2) ? number() : .integer(pick([1, 4, 5, 12, 1970])))
        return .compare(
            .function(function, arguments), comparison(), chance(8) ? .value(.null) : other, [])
    }

    private mutating func aggregate() -> QueryCondition {
        let relation = PropertyPath(
            pick([
                ["friends"], ["owned"], ["playlist"], ["friendOf"], ["inPlaylists"], ["owner"],
            ]))
        let number = QueryExpression.value(
            .integer(Int128(Int.random(in: -2...4, using: &generator))))
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: return .compare(.aggregate(.count, relation, of: nil), comparison(), number, [])
        case 1:
            let of = PropertyPath([pick(["int8", "int32Optional", "uint64", "double"])])
            return .compare(
                .aggregate(pick(QueryAggregate.allCases), relation, of: of), comparison(), number,
                [])
        case 2:
            return .compare(
                .aggregate(pick([.count, .minimum, .maximum]), PropertyPath(["names"]), of: nil),
                pick([.equal, .notEqual]), .value(.null), [])
        case 3:
            return .compare(.entry(PropertyPath(["prices"]), key: "b"), comparison(), number, [])
        default:
            let path = PropertyPath([pick(["numbers", "prices"])])
            return .compare(
                .aggregate(pick(QueryAggregate.allCases), path, of: nil), comparison(), number, [])
        }
    }

    private mutating func elements() -> QueryCondition {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .elements(PropertyPath(["numbers"]), quantifier(), test(.element, .int32))
        case 1: return .elements(PropertyPath(["names"]), quantifier(), test(.element, .string))
        case 2: return .elements(PropertyPath(["tags"]), quantifier(), test(.element, .string))
        case 3: return .elements(PropertyPath(["prices"]), quantifier(), test(.element, .double))
        case 4: return .keys(PropertyPath(["prices"]), quantifier(), test(.element, .string))
        default:
            let path = PropertyPath([pick(["city", "street"])])
            return .elements(
                PropertyPath(["places"]), quantifier(),
                .or([
                    test(.property(path), .string),
                    test(.property(PropertyPath(["number"])), .int16),
                ]))
        }
    }

    /// Returns a comparison of a value with constants of its type.
    mutating func test(_ value: QueryExpression, _ type: FieldType) -> QueryCondition {
        switch Int.random(in: 0..<(type == .string ? 10 : 6), using: &generator) {
        case 0, 1:
            let constant = QueryExpression.value(chance(8) ? .null : operand(type))
            let options = type == .string ? options() : []
            return chance(4)
                ? .compare(constant, comparison(), value, options)
                : .compare(value, comparison(), constant, options)
        case 2:
            return .range(
                value, lower: chance(5) ? nil : bound(operand(type)),
                upper: chance(5) ? nil : bound(operand(type)))
        case 3:
            let values = (0..<pick([0, 1, 2, 5])).map { _ in
                chance(8) ? QueryValue.null : operand(type)
            }
            return .oneOf(value, values, type == .string ? options() : [])
        case 4: return .isNull(value)
        case 5:
            guard type == .float || type == .double else {
                return .compare(value, .notEqual, .value(operand(type)), [])
            }
            return .near(value, pick([0, 0.5, 1, .infinity]), tolerance: pick([0, 0.5, 1]))
        default:
            let pattern = pick(
                Self.texts + ["a*", "*b", "a?", "?", "*a*", "a*b", "\\*", "Str*e", "?*?", "**"])
            return .text(value, testOfText(), .value(.text(pattern)), options())
        }
    }

    /// Returns a constant that can be compared with a property of a type, including values that the
    /// property cannot represent.
    private mutating func operand(_ type: FieldType) -> QueryValue {
        let isNumber = ValueFamily(type) == .number
        if isNumber, chance(3) { return number() }
        if type == .date, chance(3) { return .moment(pick([-1_000_000, 0, 3_000_000])) }
        return value(type)
    }

    private mutating func number() -> QueryValue {
        pick([
            .integer(300), .integer(-1), .integer(1), .integer(2), .number(1.5), .number(-0.0),
            .number(.nan), .number(.infinity), .number(-.infinity), .number(1e300),
            .decimal("2.50"),
            .decimal("-1"), .integer(Int128(UInt64.max)), .integer(Int128(Int64.min)),
            .number(9_007_199_254_740_992), .number(0x1p64), .integer(1 << 70), .integer(3),
        ])
    }

    private mutating func bound(_ value: QueryValue) -> QueryBound {
        QueryBound(value, isInclusive: chance(2))
    }
    private mutating func options() -> StringOptions {
        pick([
            [], [], .caseInsensitive, .diacriticInsensitive,
            [.caseInsensitive, .diacriticInsensitive],
        ])
    }
    private mutating func testOfText() -> TextTest { pick(TextTest.allCases) }
    private mutating func comparison() -> QueryComparison { pick(QueryComparison.allCases) }
    private mutating func quantifier() -> QueryQuantifier { pick(QueryQuantifier.allCases) }
    mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &generator) == 0 }
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }
}
