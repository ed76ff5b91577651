package import DaybookBytes

/// Vectors as the keys of rows.
extension IndexKey {
    /// The key of a row in a vector index: the vector as the index contains it, as little-endian
    /// numbers; empty for a row without a vector, or with one that cannot be in the index.
    init(
        _ form: VectorForm, _ column: Int?, of row: Span<UInt8>, _ layout: borrowing RowLayout
    ) throws(DaybookError) {
        guard let numbers = try Self.numbers(column, of: row, layout),
            let stored = form.stored(numbers)
        else {
            self.init([], hasNull: true)
            return
        }
        self.init(stored.littleEndianBytes, hasNull: false)
    }

    /// The numbers of a row's vector; nil for null and for an empty list. A null element is NaN.
    ///
    /// Throws `.corruption` if the bytes do not match the layout.
    package static func numbers(
        _ column: Int?, of row: Span<UInt8>, _ layout: borrowing RowLayout
    ) throws(DaybookError) -> [Float]? {
        let view = try RowView(row, layout)
        guard let column, !view.isNull(column) else { return nil }
        return try numbers(of: try view.bytes(column))
    }

    /// The numbers of a list; nil for an empty one. Throws `.corruption` for damaged bytes.
    package static func numbers(of bytes: Span<UInt8>) throws(DaybookError) -> [Float]? {
        // A required list that is missing in an older row has no bytes.
        guard bytes.count > 0 else { return nil }
        var list = try ValueList(bytes, isMap: false)
        guard list.count > 0 else { return nil }
        guard list.elementType == .float else { return [] }
        var numbers: [Float] = []
        numbers.reserveCapacity(list.count)
        while let element = try list.next(in: bytes) {
            switch element {
            case .null: numbers.append(.nan)
            case .value(let range):
                let bits = bytes.loadLittleEndian(UInt32.self, at: range.lowerBound) ?? 0
                numbers.append(Float(bitPattern: bits))
            }
        }
        return numbers
    }
}

extension [Float] {
    /// The numbers as bytes.
    var littleEndianBytes: [UInt8] {
        var writer = ByteWriter(capacity: 4 * count)
        for number in self { writer.uint32(number.bitPattern) }
        return writer.bytes
    }
}
