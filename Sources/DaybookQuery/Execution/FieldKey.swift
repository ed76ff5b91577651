import DaybookBytes
import DaybookRecords

/// Encodes the sort key of a field directly from rows of one layout, with the same bytes as its
/// decoded value.
///
/// A class with precomputed properties, so that a row costs a single reference count.
final class FieldKey {
    private enum Kind {
        case integer(IntegerKind), date, double, float, text
    }

    private let kind: Kind
    private let field: Int
    private let place: Int
    private let isDescending: Bool
    private let isCaseSensitive: Bool
    /// The key of a row without a value.
    private let missing: [UInt8]
    /// The buffer in which strings are folded.
    private var memory: [UInt8] = []

    /// Returns nil for a type whose values must be decoded first.
    init?(_ property: QueryProperty, _ order: BoundOrder, in layout: RowLayout) {
        guard let place = FieldPlace(property, in: layout), place.conversion == .none else {
            return nil
        }
        switch place.stored {
        case .date: kind = .date
        case .double: kind = .double
        case .float: kind = .float
        case .string: kind = .text
        default:
            guard let integer = IntegerKind(place.stored), integer != .uint64 else { return nil }
            kind = .integer(integer)
        }
        field = place.field
        self.place = place.place
        isDescending = order.isDescending
        isCaseSensitive = order.isCaseSensitive
        var missing: [UInt8] = []
        order.append(property.missingValue, to: &missing)
        self.missing = missing
    }

    func append(
        _ row: borrowing RowParts, to key: inout [UInt8]
    ) throws(DaybookError) {
        guard !row.isNull(field) else { return key.append(contentsOf: missing) }
        key.append(BoundOrder.value)
        let start = key.count
        switch kind {
        case .integer(let kind): Self.append(kind.load(row, at: place), to: &key)
        case .date:
            let value = Int128(row.load(Int64.self, at: place)) * 1_000_000
            OrderedBytes.append(.moment(value), to: &key)
        case .double:
            let bits = row.load(UInt64.self, at: place)
            OrderedBytes.append(.number(Double(bitPattern: bits)), to: &key)
        case .float:
            let bits = row.load(UInt32.self, at: place)
            OrderedBytes.append(.number(Double(Float(bitPattern: bits))), to: &key)
        case .text: append(text: try row.variable(place), to: &key)
        }
        guard isDescending else { return }
        for index in start..<key.count { key[index] = ~key[index] }
    }

    private func append(text: Span<UInt8>, to key: inout [UInt8]) {
        guard !isCaseSensitive else { return OrderedBytes.append(escaping: text, to: &key) }
        var folded: [UInt8] = []
        swap(&folded, &memory)
        defer { swap(&folded, &memory) }
        folded.removeAll(keepingCapacity: true)
        StringOptions.caseInsensitive.fold(text, into: &folded)
        OrderedBytes.append(escaping: folded.span, to: &key)
    }

    /// Appends a 128-bit key; the upper half is the sign.
    private static func append(_ value: Int64, to key: inout [UInt8]) {
        OrderedBytes.append(value < 0 ? UInt64.max >> 1 : 1 << 63, to: &key)
        OrderedBytes.append(UInt64(bitPattern: value), to: &key)
    }
}
