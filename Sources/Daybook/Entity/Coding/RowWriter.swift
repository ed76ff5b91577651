import DaybookBytes
import DaybookRecords

/// Writes the properties of one object.
public struct RowWriter: ~Copyable {
    var encoder: RowEncoder
    let layout: RowLayout
    let types: StoreTypes
    /// The stored row of the object, for values that this version of the program does not know.
    var previous: PreviousRow?
    /// The written relations, which are not part of the row.
    var relations: [WrittenRelation] = []
    /// Whether the encoder is at the start of its first row.
    private var isFresh = true

    init(_ layout: RowLayout, _ types: StoreTypes) {
        self.layout = layout
        self.types = types
        encoder = RowEncoder(layout)
    }

    /// Starts the row of an object.
    @inline(__always)
    mutating func begin(replacing previous: PreviousRow?) {
        if isFresh { isFresh = false } else { encoder.begin() }
        self.previous = previous
        if !relations.isEmpty { relations = [] }
    }

    /// Writes the property at `index` of the entity's description. Strings and bytes must be
    /// written in the order of their indexes.
    ///
    /// Throws `.schemaMismatch` if the description has another type for the property, and
    /// `.invalidValue` for a value that cannot be stored.
    @inlinable
    public mutating func write<Value: PropertyValue>(_ value: Value, at index: Int) throws {
        if Value.mayHoldUnknownValues, try keepUnknown(value, at: index) { return }
        try value.write(to: &self, at: index)
    }

    /// Keeps the stored value if this version of the program does not know it, but reads it as
    /// `value`. Returns false otherwise.
    @usableFromInline
    mutating func keepUnknown<Value: PropertyValue>(_ value: Value, at index: Int) throws -> Bool {
        guard let bytes = try previous?.unknownBytes(index, readAs: value, types) else {
            return false
        }
        try check(index, Value.propertyType.field)
        try encoder.set(value: bytes.span, at: index)
        return true
    }

    @usableFromInline
    mutating func writeNull(at index: Int) throws {
        guard index >= 0, index < layout.slots.count else {
            throw Self.mismatch(layout.layout, index, "nil")
        }
        try encoder.setNull(index)
    }

    /// Writes a value of variable width.
    @usableFromInline
    mutating func writeValue<Value: PropertyValue>(_ value: Value, at index: Int) throws {
        try check(index, Value.propertyType.field)
        var writer = ValueWriter(types)
        try value.write(to: &writer)
        if writer.isNull { return try writeNull(at: index) }
        try encoder.set(bytes: writer.bytes.span, at: index)
    }

    @inline(__always)
    func check(_ index: Int, _ type: FieldType) throws(DaybookError) {
        guard index >= 0, index < layout.slots.count, layout.slots[index].type == type else {
            throw Self.mismatch(layout.layout, index, type.name)
        }
    }

    /// Writes a map after `checkKeys` accepted its keys. `checkKeys` takes the property's name.
    package mutating func writeMap<Value: PropertyValue>(
        _ members: [String: Value], at index: Int, checkKeys: (String) throws -> Void
    ) throws {
        try check(index, .map)
        try checkKeys(name(of: index))
        try writeValue(members, at: index)
    }

    func name(of index: Int) -> String { layout.layout.fields[index].name }

    // Not a method: a call would copy the whole writer before each check.
    @inline(never)
    private static func mismatch(
        _ layout: EntityLayout, _ index: Int, _ type: String
    ) -> DaybookError {
        DaybookError(
            .schemaMismatch,
            "The property at index \(index) of '\(layout.entityName)' is written as \(type), but"
                + " the entity's description declares another type. Write properties in the order"
                + " and with the types of the description.",
            details: ["entity": layout.entityName, "index": String(index)])
    }
}
