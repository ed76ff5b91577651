import DaybookBytes
package import DaybookEngine
import DaybookRecords

extension QueryRunner {
    /// The rows of a page, and its place in the order.
    package struct Page: Sendable {
        package var rows: [StoredRow]
        /// The place of the last row; nil without rows.
        package var end: QueryPlace?
        /// Whether further rows follow.
        package var hasMore: Bool
    }

    /// The order of the query as text, with the types of its keys. A place belongs to one order.
    package var orderText: String {
        let text = ConditionText(model)
        let keys = orders.map { order in
            guard case .expression(let expression) = order.key else { return text.text(order) }
            return "\(text.text(order)): \(expression.type?.name ?? "number")"
        }
        return (keys + ["id"]).joined(separator: ", ")
    }

    /// The rows after a place, at most `limit`. Throws `.invalidArgument` for a query with a limit,
    /// an offset, distinct values, nearest neighbours or an order by relevance, whose places do not
    /// last.
    package func page(
        _ access: QueryAccess, after place: QueryPlace?, limit: Int
    ) throws -> Page {
        try Self.check(limit, "limit")
        try checkPages()
        let run = try after(place).with(offset: 0, limit: limit == .max ? limit : limit + 1)
        var rows = try run.rows(access)
        let hasMore = rows.count > limit
        if hasMore { rows.removeLast() }
        guard let last = rows.last else { return Page(rows: [], end: nil, hasMore: hasMore) }
        var key: [UInt8] = []
        try OrderKeys(orders, access).append(last.bytes, layout: last.layout, id: last.id, to: &key)
        return Page(rows: rows, end: QueryPlace(key: key, id: last.id), hasMore: hasMore)
    }

    /// The query for the objects after a place.
    package func after(_ place: QueryPlace?) -> QueryRunner {
        guard let place else { return self }
        var copy = self
        copy.condition = .conjunction([condition] + conditions(after: place))
        return copy
    }

    private func checkPages() throws(DaybookError) {
        let obstacle: String? =
            if definition.offset > 0 || definition.limit != nil {
                "an offset or a limit, and a page has its own limit"
            } else if nearest != nil {
                "a search for nearest neighbours, which depends on all objects"
            } else if !distinct.isEmpty {
                "distinct values, which depend on all objects"
            } else if orders.contains(where: { $0.key == .relevance }) {
                "an order by relevance, which depends on all objects"
            } else {
                nil
            }
        guard let obstacle else { return }
        throw DaybookError(
            .invalidArgument, "The query has \(obstacle). Make pages of a query without it.")
    }

    /// The conditions of the objects after a place. One of them decides; the others permit the use
    /// of an index.
    private func conditions(after place: QueryPlace) -> [BoundCondition] {
        guard let first = orders.first else {
            return place.id == .max ? [.always(false)] : [.idRange(place.id + 1...UInt64.max)]
        }
        let decision = BoundCondition.behind(place, orders)
        guard let column = first.column, column.isPlain, !first.areNullsZero,
            let value = first.value(of: column.type, in: place.key)
        else { return [decision] }
        let bound = QueryBound(value, isInclusive: false)
        let (lower, upper) = first.isDescending ? (bound, nil) : (nil, bound)
        // A negation, because NaN and nulls are in no range.
        let options: StringOptions =
            column.type == .string && !first.isCaseSensitive ? .caseInsensitive : []
        let before = ValueFit(column.type).range(lower, upper).condition(on: column, options)
        var conditions: [BoundCondition] = [decision, .negation(before)]
        if column.isOptional, !first.areNullsLast {
            conditions.append(.not(.column(column, .isNull)))
        }
        return conditions
    }
}

extension BoundOrder {
    /// The value at the beginning of a sort key; nil if it is null or NaN, or if its bytes are not
    /// those of a value. A string is folded if the order folds it.
    fileprivate func value(of type: FieldType, in key: [UInt8]) -> QueryValue? {
        guard key.first == Self.value else { return nil }
        let bytes = key.dropFirst().map { isDescending ? ~$0 : $0 }
        switch ValueFamily(type) {
        case .number where type.integerLimits != nil:
            return OrderedBytes.integer(bytes).map { .integer($0) }
        case .moment: return OrderedBytes.integer(bytes).map { .moment($0) }
        case .number where type == .double || type == .float:
            guard let number = OrderedBytes.number(bytes), !number.isNaN else { return nil }
            return .number(number)
        case .text: return OrderedBytes.text(bytes).map { .text($0) }
        default: return nil
        }
    }
}

extension OrderedBytes {
    fileprivate static func integer(_ bytes: [UInt8]) -> Int128? {
        guard bytes.count >= 16 else { return nil }
        let high = word(bytes[..<8]) ^ 1 << 63
        return Int128(Int64(bitPattern: high)) << 64 | Int128(word(bytes[8..<16]))
    }

    fileprivate static func number(_ bytes: [UInt8]) -> Double? {
        guard bytes.count >= 8 else { return nil }
        let bits = word(bytes[..<8])
        return Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
    }

    fileprivate static func text(_ bytes: [UInt8]) -> String? {
        var text: [UInt8] = []
        var place = 0
        while place + 1 < bytes.count {
            if bytes[place] != 0 {
                text.append(bytes[place])
                place += 1
                continue
            }
            guard bytes[place + 1] == 0xFF else { return String(validating: text, as: UTF8.self) }
            text.append(0)
            place += 2
        }
        return nil
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
