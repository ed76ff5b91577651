import DaybookBytes
import DaybookQuery
import DaybookTesting

/// A condition in three forms: as a query, as a Swift closure over objects, and as SQL if SQL can
/// express it.
indirect enum RandomCondition {
    case and(RandomCondition, RandomCondition)
    case or(RandomCondition, RandomCondition)
    case not(RandomCondition)
    case compare(Int, QueryComparison, Cell?)
    case properties(Int, QueryComparison, Int)
    case oneOf(Int, [Cell?])
    case range(Int, Cell, Cell)
    case isNull(Int)
    case text(Int, TextTest, String, ignoresCase: Bool)
    case equalIgnoringCase(Int, String)
    case words(Int, String, WordTest)
    case owner(OwnerCondition)
    case noOwner
    case friends(QueryQuantifier, OwnerCondition)
    case friendCount(QueryComparison, Int64)
    case tags(QueryQuantifier, QueryComparison, Int64)
    case tagCount(QueryComparison, Int64)
    case ids([UInt64])
}

/// A condition on an owner.
enum OwnerCondition {
    case name(QueryComparison, String)
    case rank(QueryComparison, Int32?)
    case hasThings(atLeast: Int64)
}

extension RandomCondition {
    init(_ schema: RandomSchema, depth: Int = 3, using random: inout SeededGenerator) {
        func inner() -> RandomCondition {
            RandomCondition(schema, depth: depth - 1, using: &random)
        }
        if depth > 0 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                self = .and(inner(), inner())
                return
            case 4, 5:
                self = .or(inner(), inner())
                return
            case 6:
                self = .not(inner())
                return
            default: break
            }
        }
        self = Self.leaf(schema, using: &random)
    }

    private static func leaf(
        _ schema: RandomSchema, using random: inout SeededGenerator
    ) -> RandomCondition {
        let place = Int.random(in: 0..<schema.properties.count, using: &random)
        let property = schema.properties[place]
        func cell() -> Cell { property.kind.cell(isASCII: schema.isASCII, using: &random) }
        func comparison() -> QueryComparison {
            QueryComparison.allCases.randomElement(using: &random) ?? .equal
        }
        func quantifier() -> QueryQuantifier {
            QueryQuantifier.allCases.randomElement(using: &random) ?? .any
        }
        func small() -> Int64 { Int64.random(in: 0...3, using: &random) }
        func text() -> String {
            let patterns =
                ["", "a", "A", "b", "ab", "z"] + (schema.isASCII ? [] : ["é", "Ä", "日"])
            return patterns.randomElement(using: &random) ?? ""
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0...4:
            let isNull = property.isOptional && Int.random(in: 0..<6, using: &random) == 0
            return .compare(place, comparison(), isNull ? nil : cell())
        case 5:
            let alike = schema.properties.indices.filter {
                schema.properties[$0].kind == property.kind
                    || schema.properties[$0].kind.isNumber && property.kind.isNumber
            }
            return .properties(place, comparison(), alike.randomElement(using: &random) ?? place)
        case 6, 7:
            let count = Int.random(in: 0...3, using: &random)
            return .oneOf(
                place,
                (0..<count).map { _ in cell() } + (property.isOptional && count == 2 ? [nil] : []))
        case 8, 9: return .range(place, cell(), cell())
        case 10: return .isNull(place)
        case 11...13:
            guard let place = schema.properties.firstIndex(where: { $0.kind == .text }) else {
                return .compare(place, comparison(), cell())
            }
            if schema.isASCII, Int.random(in: 0..<3, using: &random) == 0 {
                let searches = ["a", "A b", "ab", "a*", "z* a*", "10", "B A"]
                return .words(
                    place, searches.randomElement(using: &random) ?? "a",
                    WordTest.allCases.randomElement(using: &random) ?? .all)
            }
            let ignoresCase = Bool.random(using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                return .equalIgnoringCase(place, text())
            }
            let test = TextTest.allCases.randomElement(using: &random) ?? .hasPrefix
            let pattern =
                test == .like
                ? ["*", "a*", "?", "*b", "a?", "*A*", ""].randomElement(using: &random) ?? "*"
                : text()
            return .text(place, test, pattern, ignoresCase: ignoresCase)
        case 14: return .owner(OwnerCondition(using: &random))
        case 15: return .noOwner
        case 16: return .friends(quantifier(), OwnerCondition(using: &random))
        case 17: return .friendCount(comparison(), small())
        case 18:
            return Bool.random(using: &random)
                ? .tags(quantifier(), comparison(), small()) : .tagCount(comparison(), small())
        default: return .ids((0..<3).map { _ in UInt64.random(in: 1...60, using: &random) })
        }
    }
}

extension OwnerCondition {
    init(using random: inout SeededGenerator) {
        let comparison = QueryComparison.allCases.randomElement(using: &random) ?? .equal
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
            self = .name(comparison, ["Ada", "Bob", "Cy", ""].randomElement(using: &random) ?? "")
        case 2, 3: self = .rank(comparison, [nil, 1, 2, 3].randomElement(using: &random) ?? nil)
        default: self = .hasThings(atLeast: Int64.random(in: 0...5, using: &random))
        }
    }
}

extension QueryComparison {
    /// Compares two cells with the rule for null.
    func holds(_ one: Cell?, _ other: Cell?) -> Bool {
        if self == .notEqual { return !QueryComparison.equal.holds(one, other) }
        guard let one, let other else { return self == .equal && one == nil && other == nil }
        return switch self {
        case .equal: Cell.isEqual(one, other)
        case .notEqual: false
        case .less: Cell.isLess(one, other)
        case .lessOrEqual: Cell.isLess(one, other) || Cell.isEqual(one, other)
        case .greater: Cell.isLess(other, one)
        case .greaterOrEqual: Cell.isLess(other, one) || Cell.isEqual(one, other)
        }
    }
}
