import DaybookBytes
import DaybookRecords

/// An expression compiled for rows of one layout.
typealias OperandReader = (borrowing RowParts, _ id: UInt64) throws(DaybookError) -> QueryValue

extension FieldPlace {
    /// Reads the value of the property.
    ///
    /// - Parameter asStored: whether the elements of a collection keep their stored type, even if
    ///   it is narrower than the declared one.
    func reader(asStored: Bool = false) -> OperandReader {
        let missing = property.missingValue
        let conversion = asStored ? ShapeConversion.none : conversion
        return { (row, _) throws(DaybookError) in
            if row.isNull(field) { return missing }
            return try StoredValue.value(
                try bytes(row), stored, as: property.shape.type, conversion)
        }
    }
}

/// The position of a property in rows of a layout.
struct FieldPlace: Sendable {
    let property: QueryProperty
    let field: Int
    /// The offset in the row of a fixed-width field; else the index among the variable-width
    /// fields.
    let place: Int
    /// The stored type: that of the property, or one that converts to it.
    let stored: FieldType
    let conversion: ShapeConversion

    /// Returns nil if rows of the layout do not have the property, or have an incompatible type
    /// under its id. The property is then missing, as it is for objects.
    init?(_ property: QueryProperty, in layout: RowLayout) {
        let fields = layout.layout.fields
        guard let field = fields.firstIndex(where: { $0.propertyID == property.propertyID }),
            let conversion = fields[field].shape.conversion(to: property.shape)
        else { return nil }
        self.property = property
        self.field = field
        self.conversion = conversion
        place = Int(layout.slots[field].place)
        stored = layout.slots[field].type
    }

    /// The bytes of the field, without copying.
    @inline(__always)
    @_lifetime(copy row)
    func bytes(_ row: borrowing RowParts) throws(DaybookError) -> Span<UInt8> {
        guard let width = stored.fixedWidthBytes else { return try row.variable(place) }
        return row.bytes.extracting(place..<(place &+ width))
    }
}

extension QueryProperty {
    /// The value if a row does not have the property: null, or the zero value of the type.
    var missingValue: QueryValue { shape.isOptional ? .null : shape.zero }
}

extension ValueShape {
    /// The zero value of the type.
    var zero: QueryValue {
        switch type {
        case .bool: .bool(false)
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64: .integer(0)
        case .float, .double: .number(0)
        case .date, .dateNano: .moment(0)
        case .string: .text("")
        case .bytes: .bytes([])
        case .uuid: .uuid([UInt8](repeating: 0, count: 16))
        case .decimal: .decimal("0")
        case .list, .set, .map: .stored(emptyCollection)
        case .embedded: .stored([])
        case .json: .json(OrderedJSON([]))
        case .toOne, .toMany, .objects, .keyedObjects: .null
        }
    }

    /// A stored collection without elements.
    private var emptyCollection: [UInt8] {
        let element = element ?? ValueShape(.bytes)
        return ValueListWriter(of: element.type, isOptional: element.isOptional, count: 0)
            .span.array
    }
}
