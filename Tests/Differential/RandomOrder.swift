import DaybookBytes
import DaybookQuery
import DaybookTesting

/// An order of random objects, in Swift and in SQL.
struct RandomOrder {
    var place: Int
    var isDescending: Bool
    var isCaseSensitive: Bool
    var areNullsLast: Bool

    init(_ schema: RandomSchema, using random: inout SeededGenerator) {
        place = Int.random(in: 0..<schema.properties.count, using: &random)
        isDescending = Bool.random(using: &random)
        isCaseSensitive = Bool.random(using: &random)
        areNullsLast = Bool.random(using: &random)
    }

    func query(_ schema: RandomSchema) -> QueryOrder {
        var order = QueryOrder(
            .expression(.property(PropertyPath([schema.properties[place].name]))))
        order.isDescending = isDescending
        order.isCaseSensitive = isCaseSensitive
        order.areNullsLast = areNullsLast
        return order
    }

    /// Whether `one` sorts before `other`; nil if they are equal in the order.
    func isBefore(_ one: Thing, _ other: Thing) -> Bool? {
        switch (one.cells[place], other.cells[place]) {
        case (nil, nil): return nil
        case (nil, _?): return !areNullsLast
        case (_?, nil): return areNullsLast
        case (let one?, let other?):
            let (one, other) = (folded(one), folded(other))
            if Self.isLess(one, other) { return !isDescending }
            if Self.isLess(other, one) { return isDescending }
            return nil
        }
    }

    private func folded(_ cell: Cell) -> Cell {
        guard !isCaseSensitive, let text = cell.text else { return cell }
        return .text(text.plainlyFolded)
    }

    /// NaN sorts after all numbers.
    private static func isLess(_ one: Cell, _ other: Cell) -> Bool {
        if one.isNaN || other.isNaN { return !one.isNaN && other.isNaN }
        return Cell.isLess(one, other)
    }

    /// Returns the order as SQL; nil if SQL cannot express it.
    func sql(_ schema: RandomSchema) -> String? {
        let property = schema.properties[place]
        guard property.kind.isKnownToSQLite else { return nil }
        var column = "t.\(property.name)"
        if property.kind.isText, !isCaseSensitive {
            guard schema.isASCII else { return nil }
            column = "lower(\(column))"
        }
        return "\(column) \(isDescending ? "DESC" : "ASC") NULLS \(areNullsLast ? "LAST" : "FIRST")"
    }
}
