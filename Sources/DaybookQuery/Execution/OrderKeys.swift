package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// Encodes the sort keys of rows as order-preserving bytes. For one thread and one version, as
/// ``RowEvaluator``.
package final class OrderKeys {
    private let orders: [BoundOrder]
    private let access: QueryAccess
    private let readers: [ExpressionReader?]
    /// The fields of the newest layout whose keys are encoded without decoding a value first; nil
    /// for the other keys.
    private let fields: [FieldKey?]
    private let fixedLength: Int
    private let variableCount: Int
    private let newestLayout: UInt32

    /// Relevance has no key in a row, so nothing is written for it.
    package init(_ orders: [BoundOrder], _ access: QueryAccess) {
        self.orders = orders
        self.access = access
        readers = orders.map { order in
            if case .expression(let expression) = order.key {
                ExpressionReader(expression, access)
            } else {
                nil
            }
        }
        let entity = orders.lazy.compactMap(\.column).first?.path[0].entity
        newestLayout =
            entity.flatMap { access.schemas.schema.currentLayout(ofEntity: $0) }?.layoutID ?? 0
        let layout = (try? access.schemas.rowLayout(newestLayout)) ?? .nothing
        fields = orders.map { order in
            order.column.flatMap { column in
                column.isPlain && column.path[0].entity == entity
                    ? FieldKey(column.property, order, in: layout) : nil
            }
        }
        fixedLength = layout.fixedLength
        variableCount = layout.variableCount
    }

    /// Appends the key of a row, without its id. Throws the errors of ``ExpressionReader``.
    package func append(
        _ row: Span<UInt8>, layout: UInt32, id: UInt64, to key: inout [UInt8]
    ) throws(DaybookError) {
        for index in orders.indices {
            if layout == newestLayout, let field = fields[index] {
                let parts = try RowParts(
                    row, fixedLength: fixedLength, variableCount: variableCount)
                try field.append(parts, to: &key)
            } else if let reader = readers[index] {
                let value = try reader.value(in: row, layout: layout, id: id)
                orders[index].append(value, to: &key)
            }
        }
    }
}

/// A ``QueryOrder`` whose names are resolved.
package struct BoundOrder: Sendable, Hashable {
    package enum Key: Sendable, Hashable {
        case expression(BoundExpression)
        case relevance
    }

    package var key: Key
    package var isDescending = false
    package var isCaseSensitive = false
    package var areNullsLast = false
    package var areNullsZero = false

    /// An order by the exact values of an expression: ties have equal values, and strings compare
    /// by their bytes.
    init(exactly expression: BoundExpression) {
        key = .expression(expression)
        isCaseSensitive = true
    }

    package init(_ key: Key, _ order: QueryOrder) {
        self.key = key
        isDescending = order.isDescending
        isCaseSensitive = order.isCaseSensitive
        areNullsLast = order.areNullsLast
        areNullsZero = order.areNullsZero
    }
}

extension BoundOrder {
    static let value: UInt8 = 1

    /// The column of the order; nil for any other expression.
    var column: QueryColumn? {
        if case .expression(.column(let column)) = key { column } else { nil }
    }

    /// Appends the encoded value. No encoded value is a prefix of another.
    package func append(_ value: QueryValue, to key: inout [UInt8]) {
        var value = value
        if value.isNull, areNullsZero, case .expression(let expression) = self.key {
            value = expression.type.map { ValueShape($0).zero } ?? .integer(0)
        }
        guard !value.isNull else {
            // Independent of the direction.
            return key.append(areNullsLast ? Self.value + 1 : Self.value - 1)
        }
        key.append(Self.value)
        let start = key.count
        if case .text = value, !isCaseSensitive { value = value.folded(.caseInsensitive) }
        OrderedBytes.append(value, to: &key)
        guard isDescending else { return }
        for index in start..<key.count { key[index] = ~key[index] }
    }
}

/// Encodes values of one kind as order-preserving bytes. NaN sorts after all other numbers.
enum OrderedBytes {
    static func append(_ value: QueryValue, to key: inout [UInt8]) {
        switch value {
        case .null: break
        case .bool(let value): key.append(value ? 1 : 0)
        case .integer(let value), .moment(let value):
            append(UInt64(truncatingIfNeeded: value >> 64) ^ 1 << 63, to: &key)
            append(UInt64(truncatingIfNeeded: value), to: &key)
        case .number(let value):
            let bits =
                value.isNaN ? Double.nan.bitPattern : value == 0 ? 0 : value.bitPattern
            append(bits >> 63 == 0 ? bits | 1 << 63 : ~bits, to: &key)
        case .text(let value): value.withUTF8Span { append(escaping: $0, to: &key) }
        case .bytes(let value), .stored(let value): append(escaping: value.span, to: &key)
        case .uuid(let value): key += value
        case .json(let value): key += value.key
        case .decimal: append(value.exactNumber, to: &key)
        }
    }

    static func append(_ value: UInt64, to key: inout [UInt8]) {
        var shift: UInt64 = 64
        while shift > 0 {
            shift -= 8
            key.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    static func append(escaping bytes: Span<UInt8>, to key: inout [UInt8]) {
        for index in 0..<bytes.count {
            key.append(bytes[index])
            if bytes[index] == 0 { key.append(0xFF) }
        }
        key.append(0)
        key.append(0)
    }

    private static func append(_ number: ExactNumber?, to key: inout [UInt8]) {
        guard let number else { return key.append(4) }
        guard !number.digits.isEmpty else { return key.append(2) }
        key.append(number.isNegative ? 1 : 3)
        let mask: UInt8 = number.isNegative ? 0xFF : 0
        let exponent = UInt64(bitPattern: number.exponent) ^ 1 << 63
        append(number.isNegative ? ~exponent : exponent, to: &key)
        for digit in number.digits { key.append((digit + 1) ^ mask) }
        key.append(mask)
    }
}
