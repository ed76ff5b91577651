#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import DaybookBytes
import DaybookRecords
import DaybookQuery

// Conversion between Swift values and the values that conditions compare. It uses the row encoding,
// so that each type has a single stored form.

extension QueryValue {
    /// Throws `.invalidValue` for a value that cannot be stored, and `.invalidArgument` for a type
    /// that cannot be compared as a whole.
    init<Value: PropertyValue>(_ value: Value) throws {
        // A date outside the range of a property can be compared, although it cannot be stored.
        if let date = value as? Date {
            self = .moment(try date.moment(inNanoseconds: false))
            return
        }
        if let date = value as? NanosecondDate {
            self = .moment(try date.date.moment(inNanoseconds: true))
            return
        }
        if Value.propertyType.target != nil {
            self = try Self.target(of: value)
            return
        }
        guard Value.propertyType.embeddedTypes.isEmpty || !Value.isThere(value) else {
            throw DaybookError(
                .invalidArgument,
                "A collection cannot be searched for a whole \(Value.self). Compare it with ==, or"
                    + " compare its members.",
                details: ["type": "\(Value.self)"])
        }
        var writer = ValueWriter(.none)
        try value.write(to: &writer)
        let type = Value.propertyType.field
        self = writer.isNull ? .null : try StoredValue.value(writer.bytes.span, type, as: type)
    }

    /// The value of a to-one relation.
    private static func target<Value>(of value: Value) throws(DaybookError) -> QueryValue {
        if let relation = value as? any ToOneRelation { return relation.storedTarget }
        throw DaybookError(
            .invalidArgument,
            "A \(Value.self) cannot be compared as a whole. Use any, all, none or count.",
            details: ["type": "\(Value.self)"])
    }

    /// Returns the value as a property type; null becomes nil or zero. Throws `.overflow` for a
    /// number that does not fit, `.invalidArgument` for a value that is stored as another type, and
    /// the errors of reading a property.
    func made<Value: PropertyValue>(_ types: StoreTypes) throws -> Value {
        // A property that an old row does not have has no bytes.
        if self == .null || self == .stored([]) || self == .json(OrderedJSON([])) {
            return try Value.read(ValueReader(Span(), isNull: true, types: types))
        }
        let bytes = try bytes(as: Value.propertyType.field)
        // A value that this program version does not know is read as in an object.
        return try Value.read(ValueReader(bytes.span, types: types))
    }

    /// Returns the stored bytes of the value, which is not null. Throws `.overflow` for a number
    /// that does not fit, and `.invalidArgument` for another kind of value.
    func bytes(as type: FieldType) throws -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        switch (self, type) {
        case (.bool(let value), .bool): writer.uint8(value ? 1 : 0)
        case (.integer(let number), .float), (.integer(let number), .double):
            return try QueryValue.number(Double(number)).bytes(as: type)
        case (.integer(let number), .decimal): return Array(String(number).utf8)
        case (.integer(let number), _): try write(number, as: type, to: &writer)
        case (.number(let number), .float): writer.uint32(Float(number).bitPattern)
        case (.number(let number), .double): writer.uint64(number.bitPattern)
        case (.number(let number), _):
            try write(Int128(exactly: number), as: type, to: &writer)
        case (.decimal(let text), .float), (.decimal(let text), .double):
            guard let number = Double(text) else { throw overflow(type) }
            return try QueryValue.number(number).bytes(as: type)
        case (.moment(let nanoseconds), .date), (.moment(let nanoseconds), .dateNano):
            let scale: Int128 = type == .date ? 1_000_000 : 1
            let rest = nanoseconds % scale
            let whole = nanoseconds / scale - (rest < 0 ? 1 : 0)
            try write(whole, as: .int64, to: &writer)
        case (.text(let text), .string), (.decimal(let text), .decimal): return Array(text.utf8)
        case (.bytes(let bytes), .bytes), (.uuid(let bytes), .uuid),
            (.stored(let bytes), .list), (.stored(let bytes), .set), (.stored(let bytes), .map),
            (.stored(let bytes), .embedded):
            return bytes
        case (.json(let value), .json): return value.text
        default: throw misfit(type)
        }
        return writer.bytes
    }

    private func write(
        _ number: Int128?, as type: FieldType, to writer: inout ByteWriter
    ) throws(DaybookError) {
        guard type != .date, type != .dateNano, let limits = type.integerLimits,
            let width = type.fixedWidthBytes
        else { throw misfit(type) }
        guard let number, limits.contains(number) else { throw overflow(type) }
        for byte in 0..<width {
            writer.uint8(UInt8(truncatingIfNeeded: number >> (byte * 8)))
        }
    }

    private func overflow(_ type: FieldType) -> DaybookError {
        DaybookError(
            .overflow,
            "\(self) does not fit into \(type.name). Use a wider type.",
            details: ["type": type.name])
    }

    private func misfit(_ type: FieldType) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "The stored value has another type than \(type.name). Use the stored type; for a"
                + " relation use its targetId.",
            details: ["type": type.name])
    }
}

extension PropertyValue {
    /// Whether a value is not nil.
    fileprivate static func isThere(_ value: Self) -> Bool {
        guard let value = value as? any OptionalValue else { return true }
        return !value.isNil
    }
}

extension OptionalValue {
    fileprivate var isNil: Bool { (self as? Wrapped?).flatMap { $0 } == nil }
}

extension Date {
    /// The nanoseconds since 1970, rounded to the precision of the property. A date outside the
    /// range of every property is clamped. Throws `.invalidValue` for a date that is not a number.
    func moment(inNanoseconds: Bool) throws(DaybookError) -> Int128 {
        let interval = timeIntervalSince1970
        guard !interval.isNaN else {
            throw DaybookError(.invalidValue, "A date that is not a number cannot be compared.")
        }
        guard abs(interval) < Self.intervalMax else {
            return (interval < 0 ? -1 : 1) * Int128(Self.intervalMax) * 1_000_000_000
        }
        guard inNanoseconds else {
            return Int128((interval * 1000).rounded()) * 1_000_000
        }
        let sinceReference = timeIntervalSinceReferenceDate
        let whole = sinceReference.rounded(.down)
        let fraction = ((sinceReference - whole) * 1_000_000_000).rounded()
        return (Int128(whole) + 978_307_200) * 1_000_000_000 + Int128(fraction)
    }

    /// In seconds. 64 bits of milliseconds have a smaller range.
    private static let intervalMax = 1e20
}
