import DaybookBytes
import DaybookIndex

/// Writes the key of a field as it stands in rows of one layout: the same bytes as of its value.
struct FieldKey {
    private enum Kind {
        case integer(IntegerKind), date, double, float, text
    }

    private let place: FieldPlace
    private let kind: Kind
    private let missing: QueryValue

    /// Nil for a type whose value has to be read first.
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
        self.place = place
        missing = property.missingValue
    }

    func append(
        _ row: borrowing RowParts, _ order: BoundOrder, to key: inout [UInt8]
    ) throws(DaybookError) {
        guard !row.isNull(place.field) else { return order.append(missing, to: &key) }
        key.append(BoundOrder.value)
        let start = key.count
        switch kind {
        case .integer(let kind): Self.append(kind.load(row, at: place.place), to: &key)
        case .date:
            let value = Int128(row.load(Int64.self, at: place.place)) * 1_000_000
            OrderedBytes.append(.moment(value), to: &key)
        case .double:
            let bits = row.load(UInt64.self, at: place.place)
            OrderedBytes.append(.number(Double(bitPattern: bits)), to: &key)
        case .float:
            let bits = row.load(UInt32.self, at: place.place)
            OrderedBytes.append(.number(Double(Float(bitPattern: bits))), to: &key)
        case .text:
            let text = try row.variable(place.place)
            guard !order.isCaseSensitive else {
                OrderedBytes.append(escaping: text, to: &key)
                break
            }
            var folded: [UInt8] = []
            TextOptions.caseInsensitive.fold(text, into: &folded)
            OrderedBytes.append(escaping: folded.span, to: &key)
        }
        guard order.isDescending else { return }
        for index in start..<key.count { key[index] = ~key[index] }
    }

    /// The upper half of a longer integer is nothing but its sign.
    private static func append(_ value: Int64, to key: inout [UInt8]) {
        OrderedBytes.append(value < 0 ? UInt64.max >> 1 : 1 << 63, to: &key)
        OrderedBytes.append(UInt64(bitPattern: value), to: &key)
    }
}
