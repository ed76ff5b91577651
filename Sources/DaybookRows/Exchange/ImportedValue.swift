package import DaybookBytes
package import DaybookEngine
package import DaybookRecords
import DaybookQuery

/// Converts the values of a text to values of the schema's types.
package struct ImportedValue {
    private let schemas: SchemaTable
    private let encoder: RowValueEncoder

    package init(_ schemas: SchemaTable) {
        self.schemas = schemas
        encoder = RowValueEncoder(schemas)
    }

    /// Converts a field of a CSV text. An empty field is null; in a property of strings or bytes it
    /// is empty if it is quoted, or if the property cannot be null. Throws `.invalidValue` or
    /// `.dumpInvalid`.
    package func value(
        _ text: String, isQuoted: Bool, _ shape: ValueShape, of name: String
    ) throws(DaybookError) -> RowValue {
        if text.isEmpty {
            guard isQuoted || !shape.isOptional else { return .null }
            return shape.type == .string ? .text("") : shape.type == .bytes ? .bytes([]) : .null
        }
        switch shape.type {
        case .string, .json: return .text(text)
        case .list, .set, .map, .embedded:
            return try value(try JSONValue.read(text), shape, of: name)
        case .bool:
            switch text.lowercased() {
            case "true", "1": return .bool(true)
            case "false", "0": return .bool(false)
            default: throw encoder.misfit(.text(text), shape, name)
            }
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
            guard let number = Int128(text) else {
                throw encoder.misfit(.text(text), shape, name)
            }
            return .integer(number)
        default: break
        }
        guard let value = try scalar(text, shape.type) ?? Self.number(text, shape.type) else {
            throw encoder.misfit(.text(text), shape, name)
        }
        return value
    }

    /// Converts a value of a JSON text. Throws `.invalidValue`.
    package func value(
        _ value: RowValue, _ shape: ValueShape, of name: String
    ) throws(DaybookError) -> RowValue {
        switch (shape.type, value) {
        case (.string, .text), (.json, .text), (_, .null): return value
        case (.json, _): return .text(JSONValue.text(ofRead: value))
        case (_, .text(let text)):
            guard let value = try scalar(text, shape.type) else {
                throw encoder.misfit(value, shape, name)
            }
            return value
        case (.list, .list(let elements)), (.set, .list(let elements)):
            let element = shape.element ?? ValueShape(.bytes)
            var converted: [RowValue] = []
            for value in elements { converted.append(try self.value(value, element, of: name)) }
            return .list(converted)
        case (.map, .map(let members)):
            let element = shape.element ?? ValueShape(.bytes)
            var converted: [String: RowValue] = [:]
            for (key, value) in members {
                converted[key] = try self.value(value, element, of: "\(name).\(key)")
            }
            return .map(converted)
        case (.embedded, .map(let members)):
            let fields = embeddedFields(shape)
            var converted: [String: RowValue] = [:]
            for (key, value) in members {
                // The encoder rejects unknown names.
                guard let field = fields.first(where: { $0.name == key }) else {
                    return .map(members)
                }
                converted[key] = try self.value(value, field.shape, of: "\(name).\(key)")
            }
            return .map(converted)
        case (.date, .map(let members)), (.dateNano, .map(let members)):
            return Self.date(members) ?? value
        default: return value
        }
    }

    private func embeddedFields(_ shape: ValueShape) -> [Field] {
        let schema = schemas.schema
        let entity =
            schema.entity(named: shape.entityName) ?? schema.entity(onceNamed: shape.entityName)
        return entity.flatMap { schema.currentLayout(ofEntity: $0.id) }?.fields ?? []
    }

    /// A date that is not in the range of RFC 3339: `{"ms":n}` or `{"ns":n}`.
    private static func date(_ members: [String: RowValue]) -> RowValue? {
        guard members.count == 1, let member = members.first,
            case .integer(let number) = member.value
        else { return nil }
        switch member.key {
        case "ms":
            let (nanoseconds, isOver) = number.multipliedReportingOverflow(by: 1_000_000)
            return isOver ? nil : .date(nanoseconds: nanoseconds)
        case "ns": return .date(nanoseconds: number)
        default: return nil
        }
    }

    /// The value of a string in both formats; nil if the type has no strings, or the string is
    /// malformed.
    private func scalar(_ text: String, _ type: FieldType) throws(DaybookError) -> RowValue? {
        var bytes = ByteWriter(capacity: 32)
        switch type {
        case .date, .dateNano:
            if text.hasPrefix("{"), case .map(let members)? = try? JSONValue.read(text) {
                return Self.date(members)
            }
            return MomentReader.read(text).map { .date(nanoseconds: $0.lowerBound) }
        case .uuid:
            let isValid = text.withUTF8Span { UUIDText.decode($0, to: &bytes) }
            return isValid ? .uuid(bytes.bytes) : nil
        case .bytes:
            let isValid = text.withUTF8Span { Base64.decode($0, to: &bytes) }
            return isValid ? .bytes(bytes.bytes) : nil
        case .decimal: return .decimal(text)
        case .float, .double:
            switch text {
            case "NaN": return .number(.nan)
            case "Infinity": return .number(.infinity)
            case "-Infinity": return .number(-.infinity)
            default: return nil
            }
        default: return nil
        }
    }

    /// A number in a CSV text. Its digits are rounded once, when they are stored.
    private static func number(_ text: String, _ type: FieldType) -> RowValue? {
        type == .float || type == .double ? .decimal(text) : nil
    }
}
