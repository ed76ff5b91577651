import DaybookBytes
import DaybookRecords

extension QueryProperty {
    /// Reads the value for a key of a map.
    func reader(of key: String, in map: @escaping OperandReader) -> OperandReader {
        let key = Array(key.utf8)
        return { (row, id) throws(DaybookError) in
            guard case .stored(let bytes) = try map(row, id) else { return .null }
            let span = bytes.span
            var map = try ValueList(span, isMap: true)
            while let element = try map.next(in: span) {
                guard span.extracting(try map.nextKey(in: span)).isEqual(to: key) else { continue }
                return try value(element, of: map, in: span)
            }
            return .null
        }
    }

    /// Reads the aggregate of the elements of a collection; null if the collection is null.
    func reader(
        of aggregate: QueryAggregate, in collection: @escaping OperandReader
    ) -> OperandReader {
        let kind = ValueSum.Kind(shape.element?.type)
        return { (row, id) throws(DaybookError) in
            guard case .stored(let bytes) = try collection(row, id) else { return .null }
            let span = bytes.span
            var list = try ValueList(span, isMap: shape.type == .map)
            if aggregate == .count, !list.isOptional { return .integer(Int128(list.count)) }
            var sum = ValueSum(aggregate, kind)
            while let element = try list.next(in: span) {
                try sum.add(try value(element, of: list, in: span))
            }
            return try sum.result()
        }
    }

    /// The value of an element of a collection.
    private func value(
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
