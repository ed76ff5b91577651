import DaybookBytes
import DaybookRecords

/// Reads the properties of one stored object.
public struct RowReader: ~Escapable {
    /// The object's id.
    public let id: Id
    let view: RowView
    let types: StoreTypes

    @_lifetime(copy view)
    init(_ view: consuming RowView, id: Id, types: StoreTypes) {
        self.view = view
        self.id = id
        self.types = types
    }

    /// Returns the property at `index` of the entity's description; nil or zero if the row was
    /// written before the property was declared.
    ///
    /// Throws `.schemaMismatch` if the description has another type for the property, and
    /// `.corruption` for damaged bytes.
    @inlinable
    public func read<Value: PropertyValue>(
        _ index: Int, as type: Value.Type = Value.self
    ) throws -> Value {
        // Inlined into the entity's own code, so this calls the type's own reading directly.
        try Value.read(index, of: self)
    }

    /// Whether the row has a value for the property; null is not a value. Throws as
    /// ``read(_:as:)``.
    @usableFromInline
    func hasValue(_ index: Int, as type: PropertyType) throws -> Bool {
        try field(index, type.field) != nil
    }

    /// Returns the property's bytes, whatever its width. Throws as ``read(_:as:)``.
    @_lifetime(copy self)
    @usableFromInline
    func value(_ index: Int, as type: PropertyType) throws -> ValueReader {
        guard let field = try field(index, type.field) else {
            return ValueReader(Span(), isNull: true, types: types)
        }
        return ValueReader(try view.value(field), types: types)
    }

    /// Returns the field of the property; nil if it is null, or was declared after the row was
    /// written.
    @inline(__always)
    func field(_ index: Int, _ type: FieldType) throws(DaybookError) -> Int? {
        guard view.has(index, of: type) else { throw Self.mismatch(index, type) }
        return view.isNull(index) ? nil : index
    }

    @inline(never)
    private static func mismatch(_ index: Int, _ type: FieldType) -> DaybookError {
        DaybookError(
            .schemaMismatch,
            "The property at index \(index) is read as \(type.name), but the entity's description"
                + " declares another type. Read properties in the order and with the types of the"
                + " description.",
            details: ["index": String(index)])
    }
}

extension RowView {
    /// Whether there is a field of the type at `index`.
    @inline(__always)
    func has(_ index: Int, of type: FieldType) -> Bool {
        index >= 0 && index < slots.count && slots[index].type == type
    }
}
