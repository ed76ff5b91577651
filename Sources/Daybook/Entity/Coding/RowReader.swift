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

    /// The property at `index` of the entity's description; nil or zero where the row was written
    /// before the property was declared.
    ///
    /// Throws `.schemaMismatch` when the description gives the property another type, and
    /// `.corruption` for damaged bytes.
    @inlinable
    public func read<Value: PropertyValue>(
        _ index: Int, as type: Value.Type = Value.self
    ) throws -> Value {
        // Inlined with the entity's own code: what is called is the reading of that type.
        try Value.read(index, of: self)
    }

    /// Whether the row has a value for the property, null being none. Throws as ``read(_:as:)``
    /// does.
    @usableFromInline
    func hasValue(_ index: Int, as type: PropertyType) throws -> Bool {
        try field(index, type.field) != nil
    }

    /// The property's bytes, whatever its width. Throws as ``read(_:as:)`` does.
    @_lifetime(copy self)
    @usableFromInline
    func value(_ index: Int, as type: PropertyType) throws -> ValueReader {
        guard let field = try field(index, type.field) else {
            return ValueReader(Span(), isNull: true, types: types)
        }
        return ValueReader(try view.value(field), types: types)
    }

    /// The field that holds the property; nil where it is null, or younger than the row.
    @inline(__always)
    func field(_ index: Int, _ type: FieldType) throws(DaybookError) -> Int? {
        guard view.has(index, of: type) else { throw Self.mismatch(index, type) }
        return view.isNull(index) ? nil : index
    }

    @inline(never)
    private static func mismatch(_ index: Int, _ type: FieldType) -> DaybookError {
        DaybookError(
            .schemaMismatch,
            "The property at index \(index) is read as \(type.name), which is not what the entity's"
                + " description says. Read properties in its order and with its types.",
            details: ["index": String(index)])
    }
}

extension RowView {
    /// Whether there is a field at `index`, of that type.
    @inline(__always)
    func has(_ index: Int, of type: FieldType) -> Bool {
        index >= 0 && index < slots.count && slots[index].type == type
    }
}
