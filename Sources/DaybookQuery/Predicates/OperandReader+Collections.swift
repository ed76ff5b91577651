import DaybookBytes
import DaybookRecords

/// The value for a key of a map.
final class EntryReader: OperandReader {
    private let reader: OperandReader
    private let property: QueryProperty
    private let key: [UInt8]

    init(_ reader: OperandReader, _ property: QueryProperty, _ key: String) {
        self.reader = reader
        self.property = property
        self.key = Array(key.utf8)
    }

    override func value(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> QueryValue {
        guard case .stored(let bytes) = try reader.value(row, id) else { return .null }
        let span = bytes.span
        var map = try ValueList(span, isMap: true)
        while let element = try map.next(in: span) {
            guard span.extracting(try map.nextKey(in: span)).isEqual(to: key) else { continue }
            return try property.value(element, of: map, in: span)
        }
        return .null
    }
}

/// The aggregate of the elements of a collection; null if the collection is null.
final class CollectionReader: OperandReader {
    private let reader: OperandReader
    private let property: QueryProperty
    private let aggregate: QueryAggregate
    private let kind: ValueSum.Kind

    init(_ reader: OperandReader, _ property: QueryProperty, _ aggregate: QueryAggregate) {
        self.reader = reader
        self.property = property
        self.aggregate = aggregate
        kind = ValueSum.Kind(property.shape.element?.type)
    }

    override func value(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> QueryValue {
        guard case .stored(let bytes) = try reader.value(row, id) else { return .null }
        let span = bytes.span
        var list = try ValueList(span, isMap: property.shape.type == .map)
        if aggregate == .count, !list.isOptional { return .integer(Int128(list.count)) }
        var sum = ValueSum(aggregate, kind)
        while let element = try list.next(in: span) {
            try sum.add(try property.value(element, of: list, in: span))
        }
        return try sum.result()
    }
}

extension QueryProperty {
    /// The value of an element of a collection.
    fileprivate func value(
        _ element: ValueList.Element, of list: ValueList, in bytes: Span<UInt8>
    ) throws(DaybookError) -> QueryValue {
        let declared = shape.element ?? ValueShape(.bytes)
        guard case .value(let range) = element else {
            return declared.isOptional ? .null : declared.zero
        }
        let stored = try elementShape(list.elementType)
        return try StoredValue.value(
            bytes.extracting(range), stored.type, as: declared.type)
    }
}
