import Daybook
import DaybookQuery

/// The decoded objects that a closure tests.
struct DecodedObjects {
    var things: [Thing]
    /// The number of things of each owner.
    var thingCounts: [Id: Int64] = [:]

    init(_ things: [Thing]) throws {
        self.things = things
        for thing in things {
            if let id = thing.owner.targetId?.value { thingCounts[id, default: 0] += 1 }
        }
    }
}

extension RandomCondition {
    /// Whether the condition is true for an object, in plain Swift.
    func holds(of thing: Thing, among all: DecodedObjects) throws -> Bool {
        switch self {
        case .and(let one, let other):
            return try one.holds(of: thing, among: all) && other.holds(of: thing, among: all)
        case .or(let one, let other):
            return try one.holds(of: thing, among: all) || other.holds(of: thing, among: all)
        case .not(let inner): return try !inner.holds(of: thing, among: all)
        case .compare(let place, let comparison, let cell):
            return comparison.holds(thing.cells[place], cell)
        case .properties(let one, let comparison, let other):
            return comparison.holds(thing.cells[one], thing.cells[other])
        case .oneOf(let place, let cells):
            return cells.contains { QueryComparison.equal.holds(thing.cells[place], $0) }
        case .range(let place, let lower, let upper):
            guard let cell = thing.cells[place], !lower.isNaN, !upper.isNaN else { return false }
            let bounds = Cell.isLess(upper, lower) ? (upper, lower) : (lower, upper)
            return QueryComparison.greaterOrEqual.holds(cell, bounds.0)
                && QueryComparison.lessOrEqual.holds(cell, bounds.1)
        case .isNull(let place): return thing.cells[place] == nil
        case .text(let place, let test, let pattern, let ignoresCase):
            guard let text = thing.cells[place]?.text else { return false }
            return ignoresCase
                ? test.holds(text.plainlyFolded, pattern.plainlyFolded) : test.holds(text, pattern)
        case .equalIgnoringCase(let place, let other):
            guard let text = thing.cells[place]?.text else { return false }
            return text.plainlyFolded.scalars == other.plainlyFolded.scalars
        case .words(let place, let search, let test):
            guard let text = thing.cells[place]?.text else { return false }
            return text.hasWords(search, test)
        case .owner(let inner): return try inner.holds(of: try thing.owner.get(), among: all)
        case .noOwner: return try thing.owner.get() == nil
        case .friends(let quantifier, let inner):
            try thing.friends.get()
            let verdicts = try thing.friends.map { try inner.holds(of: $0, among: all) }
            return quantifier.holds(verdicts)
        case .friendCount(let comparison, let count):
            try thing.friends.get()
            return comparison.holds(.integer(Int64(thing.friends.count)), .integer(count))
        case .tags(let quantifier, let comparison, let value):
            return quantifier.holds(
                thing.tags.map { comparison.holds(.integer($0), .integer(value)) })
        case .tagCount(let comparison, let count):
            return comparison.holds(.integer(Int64(thing.tags.count)), .integer(count))
        case .ids(let ids): return ids.contains(thing.id)
        }
    }
}

extension OwnerCondition {
    func holds(of owner: Owner?, among all: DecodedObjects) throws -> Bool {
        switch self {
        case .name(let comparison, let name):
            return comparison.holds(owner.map { .text($0.name) }, .text(name))
        case .rank(let comparison, let rank):
            return comparison.holds(
                owner?.rank.map { .integer(Int64($0)) }, rank.map { .integer(Int64($0)) })
        case .hasThings(let count):
            guard let owner else { return false }
            return all.thingCounts[owner.id, default: 0] >= count
        }
    }
}

extension QueryQuantifier {
    func holds(_ verdicts: [Bool]) -> Bool {
        switch self {
        case .any: verdicts.contains(true)
        case .all: !verdicts.contains(false)
        case .none: !verdicts.contains(true)
        }
    }
}

extension TextTest {
    /// Evaluates the test on two strings, by their scalars.
    func holds(_ text: String, _ pattern: String) -> Bool {
        let (text, pattern) = (text.scalars, pattern.scalars)
        switch self {
        case .hasPrefix: return text.starts(with: pattern)
        case .hasSuffix: return text.reversed().starts(with: pattern.reversed())
        case .contains:
            guard pattern.count <= text.count else { return false }
            return (0...(text.count - pattern.count)).contains {
                text[$0...].starts(with: pattern)
            }
        case .like: return Self.isLike(text[...], pattern[...])
        }
    }

    private static func isLike(
        _ text: ArraySlice<UInt32>, _ pattern: ArraySlice<UInt32>
    ) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        switch first {
        case 0x2A:
            return isLike(text, pattern.dropFirst())
                || !text.isEmpty && isLike(text.dropFirst(), pattern)
        case 0x3F: return !text.isEmpty && isLike(text.dropFirst(), pattern.dropFirst())
        default: return text.first == first && isLike(text.dropFirst(), pattern.dropFirst())
        }
    }
}

extension String {
    /// Whether the string contains words of a search. Supports only ASCII.
    func hasWords(_ search: String, _ test: WordTest) -> Bool {
        let words = lowercased().split { !$0.isLetter && !$0.isNumber }
        let wanted = search.lowercased().split(separator: " ")
        func isEqual(_ wanted: Substring, _ word: Substring) -> Bool {
            wanted.last == "*" ? word.hasPrefix(wanted.dropLast()) : word == wanted
        }
        switch test {
        case .all: return wanted.allSatisfy { one in words.contains { isEqual(one, $0) } }
        case .any: return wanted.contains { one in words.contains { isEqual(one, $0) } }
        case .phrase:
            return words.indices.contains { start in
                words[start...].count >= wanted.count
                    && zip(wanted, words[start...]).allSatisfy(isEqual)
            }
        }
    }

    var scalars: [UInt32] { unicodeScalars.map(\.value) }

    /// The string in lower case, scalar by scalar. Supports only the strings of these tests.
    var plainlyFolded: String {
        var folded = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            let small = scalar.properties.lowercaseMapping.unicodeScalars
            let isKept = scalar == "İ" || scalar == "ı" || small.count != 1
            folded.append(isKept ? scalar : small.first ?? scalar)
        }
        return String(folded)
    }
}
