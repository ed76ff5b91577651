package import DaybookBytes
package import DaybookEngine
package import DaybookRecords

/// Encodes values without types as the types of the schema.
package struct RowValueEncoder: Sendable {
    let schemas: SchemaTable

    package init(_ schemas: SchemaTable) { self.schemas = schemas }

    /// Appends the bytes of a value that is not null.
    ///
    /// Throws `.invalidValue` if the type cannot represent the value. `name` is the property's name
    /// for the message.
    package func append(
        _ value: RowValue, as shape: ValueShape, of name: String, to writer: inout ByteWriter
    ) throws(DaybookError) {
        switch (shape.type, value) {
        case (.bool, .bool(let value)): writer.uint8(value ? 1 : 0)
        case (.int8, .integer(let number)):
            writer.uint8(UInt8(bitPattern: try fit(number, shape, name)))
        case (.int16, .integer(let number)):
            writer.uint16(UInt16(bitPattern: try fit(number, shape, name)))
        case (.int32, .integer(let number)):
            writer.uint32(UInt32(bitPattern: try fit(number, shape, name)))
        case (.int64, .integer(let number)):
            writer.uint64(UInt64(bitPattern: try fit(number, shape, name)))
        case (.uint8, .integer(let number)): writer.uint8(try fit(number, shape, name))
        case (.uint16, .integer(let number)): writer.uint16(try fit(number, shape, name))
        case (.uint32, .integer(let number)): writer.uint32(try fit(number, shape, name))
        case (.uint64, .integer(let number)): writer.uint64(try fit(number, shape, name))
        case (.float, _):
            guard let number = value.float else { throw misfit(value, shape, name) }
            writer.uint32(number.bitPattern)
        case (.double, _):
            guard let number = value.double else { throw misfit(value, shape, name) }
            writer.uint64(number.bitPattern)
        case (.decimal, _):
            guard let digits = value.decimalDigits else { throw misfit(value, shape, name) }
            Self.append(digits, to: &writer)
        case (.date, .date(let nanoseconds)):
            writer.uint64(try date(nanoseconds, dividingBy: 1_000_000, shape, name))
        case (.dateNano, .date(let nanoseconds)):
            writer.uint64(try date(nanoseconds, dividingBy: 1, shape, name))
        case (.string, .text(let text)): Self.append(text, to: &writer)
        case (.json, .text(let text)):
            try JSONValue.check(text, of: name)
            Self.append(text, to: &writer)
        case (.bytes, .bytes(let bytes)): writer.append(bytes.span)
        case (.uuid, .uuid(let bytes)):
            guard bytes.count == 16 else { throw misfit(value, shape, name) }
            writer.append(bytes.span)
        case (.list, .list(let elements)), (.set, .list(let elements)):
            try append(elements, as: shape, of: name, to: &writer)
        case (.map, .map(let members)): try append(members, as: shape, of: name, to: &writer)
        case (.embedded, .map(let members)):
            try append(embedded: members, as: shape, of: name, to: &writer)
        default: throw misfit(value, shape, name)
        }
    }

    /// Sets a field. Fields of variable width must be set in ascending order. Throws
    /// `.invalidValue` as ``append(_:as:of:to:)``, and for null in a property that is not optional.
    package func set(
        _ value: RowValue, _ field: Field, at index: Int, in row: inout RowEncoder
    ) throws(DaybookError) {
        guard !value.isNull else {
            guard field.isOptional else { throw misfit(value, field.shape, field.name) }
            return try row.setNull(index)
        }
        var bytes = ByteWriter(capacity: 32)
        try append(value, as: field.shape, of: field.name, to: &bytes)
        try row.set(value: bytes.span, at: index)
    }

    /// Encodes a row of a layout without relations. Properties without a value are null, or zero if
    /// they are not optional. Throws `.invalidValue` as ``set(_:_:at:in:)``.
    package func row(
        _ values: [String: RowValue], _ layout: RowLayout
    ) throws(DaybookError) -> [UInt8] {
        var row = RowEncoder(layout)
        for (index, field) in layout.layout.fields.enumerated() where !field.type.isRelation {
            guard let value = values[field.name] ?? field.zero else { continue }
            try set(value, field, at: index, in: &row)
        }
        row.finish()
        return row.row.array
    }

    private func fit<Number: FixedWidthInteger>(
        _ number: Int128, _ shape: ValueShape, _ name: String
    ) throws(DaybookError) -> Number {
        guard let number = Number(exactly: number) else {
            throw misfit(.integer(number), shape, name)
        }
        return number
    }

    private func date(
        _ nanoseconds: Int128, dividingBy unit: Int128, _ shape: ValueShape, _ name: String
    ) throws(DaybookError) -> UInt64 {
        // Rounded to the nearest unit, as a `Date` is.
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit)
        let rounded = whole + (2 * rest >= unit ? 1 : 2 * rest <= -unit ? -1 : 0)
        guard let value = Int64(exactly: rounded) else {
            throw misfit(.date(nanoseconds: nanoseconds), shape, name)
        }
        return UInt64(bitPattern: value)
    }

    private static func append(_ text: String, to writer: inout ByteWriter) {
        text.withUTF8Span { writer.append($0) }
    }

    func misfit(_ value: RowValue, _ shape: ValueShape, _ name: String) -> DaybookError {
        DaybookError(
            .invalidValue,
            "'\(name)' is \(shape.description), and cannot store \(value.shown). Give a value of"
                + " that type\(shape.isOptional ? ", or null" : "").",
            details: ["property": name, "type": shape.description])
    }
}

// Collections and embedded values.
extension RowValueEncoder {
    private func append(
        _ elements: [RowValue], as shape: ValueShape, of name: String, to writer: inout ByteWriter
    ) throws(DaybookError) {
        let element = shape.element ?? ValueShape(.bytes)
        var encoded: [[UInt8]?] = []
        for value in elements {
            encoded.append(try self.element(value, as: element, of: name))
        }
        if shape.type == .set { encoded = Self.distinct(encoded) }
        Self.append(encoded, as: element, to: &writer)
    }

    private func append(
        _ members: [String: RowValue], as shape: ValueShape, of name: String,
        to writer: inout ByteWriter
    ) throws(DaybookError) {
        let element = shape.element ?? ValueShape(.bytes)
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        var encoded: [[UInt8]?] = []
        for (key, value) in sorted {
            encoded.append(try self.element(value, as: element, of: "\(name).\(key)"))
        }
        Self.append(encoded, as: element, keys: sorted.map(\.key), to: &writer)
    }

    private func element(
        _ value: RowValue, as shape: ValueShape, of name: String
    ) throws(DaybookError) -> [UInt8]? {
        guard !value.isNull else {
            guard shape.isOptional else { throw misfit(value, shape, name) }
            return nil
        }
        var bytes = ByteWriter(capacity: 16)
        try append(value, as: shape, of: name, to: &bytes)
        return bytes.bytes
    }

    private static func append(
        _ elements: [[UInt8]?], as shape: ValueShape, keys: [String] = [],
        to writer: inout ByteWriter
    ) {
        var list = ValueListWriter(
            of: shape.type, isOptional: shape.isOptional, count: elements.count, keys: keys)
        for element in elements {
            let bytes = element ?? []
            list.append(bytes.span, isNull: element == nil)
        }
        writer.append(list.span)
    }

    /// The elements of a set: each once, in the order of their bytes, null first.
    private static func distinct(_ elements: [[UInt8]?]) -> [[UInt8]?] {
        Set(elements).sorted { one, other in
            guard let one else { return other != nil }
            guard let other else { return false }
            return one.lexicographicallyPrecedes(other)
        }
    }

    private func append(
        embedded members: [String: RowValue], as shape: ValueShape, of name: String,
        to writer: inout ByteWriter
    ) throws(DaybookError) {
        let schema = schemas.schema
        let entity =
            schema.entity(named: shape.entityName) ?? schema.entity(onceNamed: shape.entityName)
        guard let entity, let number = entity.layoutIDs.last else {
            throw misfit(.map(members), shape, name)
        }
        let layout = try schemas.rowLayout(number)
        let fields = layout.layout.fields
        for key in members.keys.sorted() where !fields.contains(where: { $0.name == key }) {
            throw DaybookError(
                .invalidValue,
                "'\(name)' has no property '\(key)'."
                    + NearName.question(key, among: fields.map(\.name)),
                details: ["property": "\(name).\(key)"])
        }
        var row = RowEncoder(layout)
        for (index, field) in fields.enumerated() {
            guard let value = members[field.name] ?? field.zero else { continue }
            var named = field
            named.name = "\(name).\(field.name)"
            try set(value, named, at: index, in: &row)
        }
        row.finish()
        EmbeddedValue.write(row.row, layout: number, to: &writer)
    }
}

extension Field {
    /// The value of a property that is not given, if an unset field would not be a valid value of
    /// its type.
    var zero: RowValue? {
        guard !isOptional else { return nil }
        switch type {
        case .decimal: return .decimal("0")
        case .uuid: return .uuid([UInt8](repeating: 0, count: 16))
        case .list, .set: return .list([])
        case .map, .embedded: return .map([:])
        default: return nil
        }
    }
}

extension RowValue {
    /// The value as a property of type `double`; nil if it is no number.
    fileprivate var double: Double? {
        switch self {
        case .number(let number): number
        case .integer(let number): Double(number)
        case .decimal(let digits): Self.isDecimal(digits) ? Double(digits) : nil
        default: nil
        }
    }

    /// The value as a property of type `float`. Digits are rounded once, directly to a `Float`.
    fileprivate var float: Float? {
        if case .decimal(let digits) = self { return Self.isDecimal(digits) ? Float(digits) : nil }
        return double.map { Float($0) }
    }

    fileprivate var decimalDigits: String? {
        switch self {
        case .decimal(let digits): Self.isDecimal(digits) || digits == "NaN" ? digits : nil
        case .integer(let number): String(number)
        case .number(let number): number.isFinite ? number.description : nil
        default: nil
        }
    }

    private static func isDecimal(_ digits: String) -> Bool {
        digits.withUTF8Span { DecimalText($0) } != nil
    }

    /// The value for messages: short.
    var shown: String {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .decimal(let digits): "the number \(digits.prefix(50))"
        case .text(let text):
            "the string '\(text.prefix(50))\(text.utf8.count > 50 ? "…" : "")'"
        case .date: "a date that is out of range or of another type"
        default: kindName
        }
    }
}
