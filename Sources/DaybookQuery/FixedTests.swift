import DaybookBytes
import DaybookIndex

// Tests of fields of a fixed width, which are loaded where they stand.
//
// A null field is all zeros there. So a required property, which is read as zero where it is null,
// needs no look at the bitmap.

/// Where a field stands, and whether it has to be asked whether it is null.
struct FixedField {
    let offset: Int
    /// The index of an optional field; nil for a required one.
    private let nullByte: Int
    private let nullBit: UInt8

    init(_ place: FieldPlace) {
        offset = place.place
        nullByte = 1 + place.field / 8
        nullBit = place.property.shape.isOptional ? 1 << UInt8(place.field % 8) : 0
    }

    @inline(__always)
    func isNull(_ row: borrowing RowParts) -> Bool {
        nullBit != 0 && row.bytes[nullByte] & nullBit != 0
    }
}

/// An integer, or a date in the unit in which it is kept, between two others.
final class IntegerTest<Stored: FixedWidthInteger & BitwiseCopyable>: RowTest {
    private let field: FixedField
    private let lower: Stored
    private let upper: Stored

    init(_ place: FieldPlace, _ lower: Stored, _ upper: Stored) {
        field = FixedField(place)
        self.lower = lower
        self.upper = upper
    }

    override var cost: Int { 2 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        let value = row.load(Stored.self, at: field.offset)
        return value >= lower && value <= upper && !field.isNull(row)
    }
}

/// An integer, or a date, that is one of several.
final class IntegerSetTest<Stored: FixedWidthInteger & BitwiseCopyable>: RowTest {
    private let field: FixedField
    private let values: Set<Stored>

    init(_ place: FieldPlace, _ values: [Stored]) {
        field = FixedField(place)
        self.values = Set(values)
    }

    override var cost: Int { 15 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        values.contains(row.load(Stored.self, at: field.offset)) && !field.isNull(row)
    }
}

/// A number between two others, bounds included: one that is none lies nowhere.
final class DoubleTest: RowTest {
    private let field: FixedField
    private let lower: Double
    private let upper: Double

    init(_ place: FieldPlace, _ lower: Double, _ upper: Double) {
        field = FixedField(place)
        self.lower = lower
        self.upper = upper
    }

    override var cost: Int { 2 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        let value = Double(bitPattern: row.load(UInt64.self, at: field.offset))
        return value >= lower && value <= upper && !field.isNull(row)
    }
}

/// The same of numbers that are kept with half as many bits.
final class FloatTest: RowTest {
    private let field: FixedField
    private let lower: Double
    private let upper: Double

    init(_ place: FieldPlace, _ lower: Double, _ upper: Double) {
        field = FixedField(place)
        self.lower = lower
        self.upper = upper
    }

    override var cost: Int { 2 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        let value = Double(Float(bitPattern: row.load(UInt32.self, at: field.offset)))
        return value >= lower && value <= upper && !field.isNull(row)
    }
}

/// A truth value.
final class BoolTest: RowTest {
    private let field: FixedField
    private let wanted: Bool

    init(_ place: FieldPlace, _ wanted: Bool) {
        field = FixedField(place)
        self.wanted = wanted
    }

    override var cost: Int { 2 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        (row.bytes[field.offset] != 0) == wanted && !field.isNull(row)
    }
}

/// Whether an optional field of any width is null.
final class NullTest: RowTest {
    private let field: Int

    init(_ place: FieldPlace) { field = place.field }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool { row.isNull(field) }
}
