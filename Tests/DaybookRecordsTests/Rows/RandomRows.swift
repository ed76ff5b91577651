import DaybookBytes
import DaybookRecords
import DaybookTesting
import Testing

/// Reproducible random numbers.
struct SeededNumbers: RandomNumberGenerator {
    let seed: UInt64
    private var generator: SeededGenerator

    init(seed: UInt64 = .random(in: 0 ... .max)) {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> UInt64 { generator.next() }
}

/// The model of a field's value.
enum Value: Equatable {
    case null
    /// A bool, an integer, a date, or the bits of a float or double.
    case number(UInt64)
    case blob([UInt8])
}

extension SeededNumbers {
    /// A layout of up to `fieldCountMax` fields of any type.
    mutating func layout(
        layoutID: UInt32 = 1, entityID: UInt32 = 1, fieldCountMax: Int = 20
    ) -> EntityLayout {
        let count = Int.random(in: 0...fieldCountMax, using: &self)
        var fields = (0..<count).map { index in
            Field(
                propertyID: UInt32(index + 1), name: "field\(index)",
                type: FieldType.allCases.randomElement(using: &self)!,
                isOptional: Bool.random(using: &self))
        }
        var relationCount: UInt32 = 0
        for index in fields.indices where fields[index].type.isRelation {
            relationCount += 1
            fields[index].isOptional = true
            fields[index].relation = FieldRelation(relationID: relationCount, targetEntityID: 1)
        }
        return EntityLayout(
            layoutID: layoutID, entityID: entityID, entityName: "Entity\(entityID)", version: 1,
            fields: fields)
    }

    /// A value for each field: extremes, small numbers and random ones.
    mutating func values(for layout: EntityLayout, lengthMax: Int = 30) -> [Value] {
        layout.fields.map { field in
            if field.type.isRelation { return .null }
            if field.isOptional, Int.random(in: 0..<4, using: &self) == 0 { return .null }
            guard let width = field.type.fixedWidthBytes else {
                let length = Int.random(in: 0...lengthMax, using: &self)
                return .blob((0..<length).map { _ in .random(in: 32...126, using: &self) })
            }
            let bits = field.type == .bool ? 1 : UInt64(width * 8)
            let mask = bits == 64 ? UInt64.max : (1 << bits) - 1
            switch Int.random(in: 0..<6, using: &self) {
            case 0: return .number(0)
            case 1: return .number(mask)
            case 2: return .number((mask >> 1) &+ 1)
            case 3: return .number(UInt64.random(in: 0...200, using: &self) & mask)
            default: return .number(next() & mask)
            }
        }
    }
}

extension RowEncoder {
    /// Sets one field from the model; nil leaves it unset.
    mutating func set(_ value: Value?, at field: Int, type: FieldType) throws {
        switch value {
        case nil: break
        case .null: try setNull(field)
        case .blob(let bytes):
            if type == .string {
                try set(text: String(decoding: bytes, as: UTF8.self), at: field)
            } else {
                try set(bytes: bytes.span, at: field)
            }
        case .number(let bits):
            switch type {
            case .bool: set(bool: bits != 0, at: field)
            case .int8: set(int8: Int8(truncatingIfNeeded: bits), at: field)
            case .int16: set(int16: Int16(truncatingIfNeeded: bits), at: field)
            case .int32: set(int32: Int32(truncatingIfNeeded: bits), at: field)
            case .int64: set(int64: Int64(truncatingIfNeeded: bits), at: field)
            case .uint8: set(uint8: UInt8(bits), at: field)
            case .uint16: set(uint16: UInt16(bits), at: field)
            case .uint32: set(uint32: UInt32(bits), at: field)
            case .uint64: set(uint64: bits, at: field)
            case .float: set(float: Float(bitPattern: UInt32(bits)), at: field)
            case .double: set(double: Double(bitPattern: bits), at: field)
            case .date: set(date: Int64(bitPattern: bits), at: field)
            case .dateNano: set(dateNano: Int64(bitPattern: bits), at: field)
            case .string, .bytes, .uuid, .decimal, .list, .set, .map, .embedded, .json, .toOne,
                .toMany, .objects, .keyedObjects:
                Issue.record("a number for a \(type.name)")
            }
        }
    }

    /// The encoded row of `values`.
    mutating func encode(_ values: [Value], _ layout: EntityLayout) throws -> [UInt8] {
        begin()
        for (index, value) in values.enumerated() {
            try set(value, at: index, type: layout.fields[index].type)
        }
        finish()
        return row.array
    }
}

extension RowView {
    /// Reads one field as a model value.
    func value(_ field: Int, _ type: FieldType) throws -> Value {
        if isNull(field) { return .null }
        switch type {
        case .bool: return .number(bool(field) ? 1 : 0)
        case .int8: return .number(UInt64(UInt8(bitPattern: int8(field))))
        case .int16: return .number(UInt64(UInt16(bitPattern: int16(field))))
        case .int32: return .number(UInt64(UInt32(bitPattern: int32(field))))
        case .int64: return .number(UInt64(bitPattern: int64(field)))
        case .uint8: return .number(UInt64(uint8(field)))
        case .uint16: return .number(UInt64(uint16(field)))
        case .uint32: return .number(UInt64(uint32(field)))
        case .uint64: return .number(uint64(field))
        case .float: return .number(UInt64(float(field).bitPattern))
        case .double: return .number(double(field).bitPattern)
        case .date: return .number(UInt64(bitPattern: date(field)))
        case .dateNano: return .number(UInt64(bitPattern: dateNano(field)))
        case .string: return .blob(Array(try text(field).utf8))
        case .bytes, .uuid, .decimal, .list, .set, .map, .embedded, .json:
            return .blob(try bytes(field).array)
        case .toOne, .toMany, .objects, .keyedObjects: return .null
        }
    }

    /// Reads all fields as model values.
    func values(_ layout: EntityLayout) throws -> [Value] {
        var values: [Value] = []
        for (index, field) in layout.fields.enumerated() {
            values.append(try value(index, field.type))
        }
        return values
    }
}

/// The code of the error that `body` throws; records a failure if it throws none.
func code(_ body: () throws -> Void) -> DaybookError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? DaybookError)?.code
    }
}
