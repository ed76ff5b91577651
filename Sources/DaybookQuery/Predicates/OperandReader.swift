import DaybookBytes
import DaybookRecords

/// An expression compiled for rows of one layout. The base class always returns null.
class OperandReader {
    func value(_ row: borrowing RowParts, _ id: UInt64) throws(DaybookError) -> QueryValue { .null }
}

final class ConstantReader: OperandReader {
    let constant: QueryValue

    init(_ constant: QueryValue) { self.constant = constant }

    override func value(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> QueryValue { constant }
}

final class IdReader: OperandReader {
    override func value(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> QueryValue { .integer(Int128(id)) }
}

/// The value of a property that the layout has.
final class FieldReader: OperandReader {
    private let place: FieldPlace
    private let missing: QueryValue

    /// - Parameter asStored: whether the elements of a collection keep their stored type, even if
    ///   it is narrower than the declared one.
    init(_ place: FieldPlace, asStored: Bool = false) {
        self.place = asStored ? place.asStored : place
        missing = place.property.missingValue
    }

    override func value(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> QueryValue {
        if row.isNull(place.field) { return missing }
        return try StoredValue.value(
            try place.bytes(row), place.stored, as: place.property.shape.type, place.conversion)
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
    private(set) var conversion: ShapeConversion

    /// The same place without conversion.
    var asStored: FieldPlace {
        var place = self
        place.conversion = .none
        return place
    }

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
        case .embedded, .json: .stored([])
        case .toOne, .toMany, .objects: .null
        }
    }

    /// A stored collection without elements.
    private var emptyCollection: [UInt8] {
        let element = element ?? ValueShape(.bytes)
        return ValueListWriter(of: element.type, isOptional: element.isOptional, count: 0)
            .span.array
    }
}
