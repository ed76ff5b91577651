import DaybookQuery

/// A condition as SQL, with the values of its placeholders.
struct SQLCondition {
    var text: String
    var values: [Cell?] = []

    static func + (one: SQLCondition, other: SQLCondition) -> SQLCondition {
        SQLCondition(text: one.text + other.text, values: one.values + other.values)
    }

    static func + (one: SQLCondition, text: String) -> SQLCondition {
        SQLCondition(text: one.text + text, values: one.values)
    }

    static func + (text: String, other: SQLCondition) -> SQLCondition {
        SQLCondition(text: text + other.text, values: other.values)
    }
}

extension RandomCondition {
    /// Returns the condition as SQL; nil if SQL cannot express it.
    func sql(_ schema: RandomSchema) -> SQLCondition? {
        func column(_ place: Int) -> String? {
            schema.properties[place].kind.isKnownToSQLite
                ? "t.\(schema.properties[place].name)" : nil
        }
        switch self {
        case .and(let one, let other):
            guard let one = one.sql(schema), let other = other.sql(schema) else { return nil }
            return "(" + one + " AND " + other + ")"
        case .or(let one, let other):
            guard let one = one.sql(schema), let other = other.sql(schema) else { return nil }
            return "(" + one + " OR " + other + ")"
        case .not(let inner): return inner.sql(schema).map { "NOT " + $0 }
        case .compare(let place, let comparison, let cell):
            guard let column = column(place), cell?.isNaN != true else { return nil }
            return SQLCondition(text: comparison.sql(column, "?"), values: [cell, cell])
        case .properties(let one, let comparison, let other):
            guard let one = column(one), let other = column(other) else { return nil }
            return SQLCondition(text: comparison.sql(one, other, valueCount: 0))
        case .oneOf(let place, let cells):
            guard let column = column(place), !cells.contains(where: { $0?.isNaN == true })
            else { return nil }
            let tests = cells.map { _ in "\(column) IS ?" }
            return SQLCondition(
                text: tests.isEmpty ? "0" : "(\(tests.joined(separator: " OR ")))", values: cells)
        case .range(let place, let lower, let upper):
            guard let column = column(place), !lower.isNaN, !upper.isNaN else { return nil }
            let (low, high) = Cell.isLess(upper, lower) ? (upper, lower) : (lower, upper)
            return SQLCondition(
                text: "COALESCE(\(column) BETWEEN ? AND ?, 0)", values: [low, high])
        case .isNull(let place): return column(place).map { SQLCondition(text: "\($0) IS NULL") }
        case .text(let place, let test, let pattern, let ignoresCase):
            guard let column = column(place), schema.isASCII || !ignoresCase,
                !schema.mayHaveZeroBytes
            else { return nil }
            let (left, right) = ignoresCase ? ("lower(\(column))", "lower(?)") : (column, "?")
            return test.sql(left, right, pattern)
        case .equalIgnoringCase(let place, let text):
            guard let column = column(place), schema.isASCII else { return nil }
            return SQLCondition(
                text: "COALESCE(lower(\(column)) = lower(?), 0)", values: [.text(text)])
        case .words: return nil
        default: return linkedSQL()
        }
    }

    /// Returns conditions on linked objects, and on the id, as SQL.
    private func linkedSQL() -> SQLCondition? {
        switch self {
        case .owner(let inner):
            return inner.sql("(SELECT %@ FROM owner o WHERE o.id = t.owner)")
        case .noOwner: return SQLCondition(text: "t.owner IS NULL")
        case .friends(let quantifier, let inner):
            guard let inner = inner.sql("o.%@") else { return nil }
            let head =
                "EXISTS (SELECT 1 FROM friend f JOIN owner o ON o.id = f.owner"
                + " WHERE f.thing = t.id AND "
            return switch quantifier {
            case .any: head + inner + ")"
            case .none: "NOT " + (head + inner + ")")
            case .all: "NOT " + (head + "NOT " + inner + ")")
            }
        case .friendCount(let comparison, let count):
            return SQLCondition(
                text: comparison.sql("(SELECT count(*) FROM friend f WHERE f.thing = t.id)", "?"),
                values: [.integer(count), .integer(count)])
        case .tags(let quantifier, let comparison, let value):
            let inner = SQLCondition(
                text: comparison.sql("g.value", "?"), values: [.integer(value), .integer(value)])
            let head = "EXISTS (SELECT 1 FROM tag g WHERE g.thing = t.id AND "
            return switch quantifier {
            case .any: head + inner + ")"
            case .none: "NOT " + (head + inner + ")")
            case .all: "NOT " + (head + "NOT " + inner + ")")
            }
        case .tagCount(let comparison, let count):
            return SQLCondition(
                text: comparison.sql("(SELECT count(*) FROM tag g WHERE g.thing = t.id)", "?"),
                values: [.integer(count), .integer(count)])
        case .ids(let ids):
            return SQLCondition(
                text: "t.id IN (\(ids.map(String.init).joined(separator: ",")))")
        default: return nil
        }
    }
}

extension OwnerCondition {
    /// `place` is the expression for a column of the owner, with `%@` in place of the column's
    /// name.
    func sql(_ place: String) -> SQLCondition? {
        func reached(_ column: String) -> String {
            place.replacing("%@", with: column)
        }
        switch self {
        case .name(let comparison, let name):
            return SQLCondition(
                text: comparison.sql(reached("name"), "?"), values: [.text(name), .text(name)])
        case .rank(let comparison, let rank):
            let cell = rank.map { Cell.integer(Int64($0)) }
            return SQLCondition(text: comparison.sql(reached("rank"), "?"), values: [cell, cell])
        case .hasThings(let count):
            let number = "(SELECT count(*) FROM thing u WHERE u.owner = \(reached("id")))"
            return SQLCondition(
                text: "(\(reached("id")) IS NOT NULL AND \(number) >= ?)",
                values: [.integer(count)])
        }
    }
}

extension QueryComparison {
    /// Returns the comparison with the rule for null. Both forms have two placeholders if the right
    /// side is one.
    func sql(_ left: String, _ right: String, valueCount: Int = 1) -> String {
        switch self {
        // The second placeholder keeps the number of values equal for all forms.
        case .equal:
            valueCount == 0 ? "(\(left) IS \(right))" : "(\(left) IS ? AND (1 OR ? IS NULL))"
        case .notEqual:
            valueCount == 0
                ? "(\(left) IS NOT \(right))" : "(\(left) IS NOT ? AND (1 OR ? IS NULL))"
        default:
            valueCount == 0
                ? "COALESCE(\(left) \(rawValue) \(right), 0)"
                : "(COALESCE(\(left) \(rawValue) ?, 0) AND (1 OR ? IS NULL))"
        }
    }
}

extension TextTest {
    func sql(_ left: String, _ right: String, _ pattern: String) -> SQLCondition? {
        let value = Cell.text(pattern)
        switch self {
        case .hasPrefix:
            return SQLCondition(
                text: "COALESCE(substr(\(left), 1, length(?)) = \(right), 0)",
                values: [value, value])
        case .hasSuffix:
            guard !pattern.isEmpty else { return SQLCondition(text: "\(left) IS NOT NULL") }
            return SQLCondition(
                text: "COALESCE(substr(\(left), -length(?)) = \(right)"
                    + " AND length(\(left)) >= length(?), 0)", values: [value, value, value])
        case .contains:
            return SQLCondition(text: "COALESCE(instr(\(left), \(right)) > 0, 0)", values: [value])
        case .like:
            return SQLCondition(text: "COALESCE(\(left) GLOB \(right), 0)", values: [value])
        }
    }
}
