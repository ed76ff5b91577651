import DaybookQuery

extension RandomCondition {
    /// Returns the condition as a query condition.
    func query(_ schema: RandomSchema) -> QueryCondition {
        func path(_ place: Int) -> QueryExpression {
            .property(PropertyPath([schema.properties[place].name]))
        }
        switch self {
        case .and(let one, let other): return .and([one.query(schema), other.query(schema)])
        case .or(let one, let other): return .or([one.query(schema), other.query(schema)])
        case .not(let inner): return .not(inner.query(schema))
        case .compare(let place, let comparison, let cell):
            return .compare(path(place), comparison, .value(QueryValue(cell)), [])
        case .properties(let one, let comparison, let other):
            return .compare(path(one), comparison, path(other), [])
        case .oneOf(let place, let cells):
            return .oneOf(path(place), cells.map { QueryValue($0) }, [])
        case .range(let place, let lower, let upper):
            return .range(
                path(place), lower: QueryBound(QueryValue(lower), isInclusive: true),
                upper: QueryBound(QueryValue(upper), isInclusive: true))
        case .isNull(let place): return .isNull(path(place))
        case .text(let place, let test, let pattern, let ignoresCase):
            return .text(
                path(place), test, .value(.text(pattern)), ignoresCase ? .caseInsensitive : [])
        case .equalIgnoringCase(let place, let text):
            return .compare(path(place), .equal, .value(.text(text)), .caseInsensitive)
        case .words(let place, let words, let test):
            return .matches(PropertyPath([schema.properties[place].name]), words, test)
        case .owner(let inner): return inner.query(["owner"])
        case .noOwner: return .not(.linked(PropertyPath(["owner"]), .any, .always(true)))
        case .friends(let quantifier, let inner):
            return .linked(PropertyPath(["friends"]), quantifier, inner.query([]))
        case .friendCount(let comparison, let count):
            return .compare(
                .aggregate(.count, PropertyPath(["friends"]), of: nil), comparison,
                .value(.integer(Int128(count))), [])
        case .tags(let quantifier, let comparison, let value):
            return .elements(
                PropertyPath(["tags"]), quantifier,
                .compare(.element, comparison, .value(.integer(Int128(value))), []))
        case .tagCount(let comparison, let count):
            return .compare(
                .aggregate(.count, PropertyPath(["tags"]), of: nil), comparison,
                .value(.integer(Int128(count))), [])
        case .ids(let ids):
            return .oneOf(.property(.ownId), ids.map { .integer(Int128($0)) }, [])
        }
    }
}

extension OwnerCondition {
    /// Returns the condition on the owner at the end of a path.
    func query(_ steps: [String]) -> QueryCondition {
        switch self {
        case .name(let comparison, let name):
            .compare(.property(PropertyPath(steps + ["name"])), comparison, .value(.text(name)), [])
        case .rank(let comparison, let rank):
            .compare(
                .property(PropertyPath(steps + ["rank"])), comparison,
                .value(rank.map { .integer(Int128($0)) } ?? .null), [])
        case .hasThings(let count):
            .compare(
                .aggregate(.count, PropertyPath(steps + ["things"]), of: nil), .greaterOrEqual,
                .value(.integer(Int128(count))), [])
        }
    }
}

extension QueryValue {
    init(_ cell: Cell?) {
        switch cell {
        case nil: self = .null
        case .bool(let value)?: self = .bool(value)
        case .integer(let value)?: self = .integer(Int128(value))
        case .number(let value)?: self = .number(value)
        case .text(let value)?: self = .text(value)
        case .bytes(let value)?: self = .bytes(value)
        case .uuid(let value)?: self = .uuid(value.octets)
        case .decimal(let value)?: self = .decimal("\(value)")
        case .date(let value)?: self = .moment(Int128(value) * 1_000_000)
        }
    }
}
