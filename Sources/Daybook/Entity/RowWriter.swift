import DaybookBytes
import DaybookIndex

/// Takes the properties of one object to be stored.
public struct RowWriter: ~Copyable {
    var encoder: RowEncoder
    private let layout: RowLayout

    init(_ layout: RowLayout) {
        self.layout = layout
        encoder = RowEncoder(layout)
    }

    /// Writes the property at `index` of the entity's description. Strings and bytes are written in
    /// the order of their indexes.
    ///
    /// Throws `.schemaMismatch` when the description gives the property another type, and
    /// `.invalidValue` for one that cannot be stored.
    @inlinable
    public mutating func write<Value: PropertyValue>(_ value: Value, at index: Int) throws {
        try value.write(to: &self, at: index)
    }

    @usableFromInline
    mutating func writeNull(at index: Int) throws {
        guard index >= 0, index < layout.slots.count else { throw mismatch(index, "nil") }
        try encoder.setNull(index)
    }

    @inline(__always)
    func check(_ index: Int, _ type: FieldType) throws(DaybookError) {
        guard index >= 0, index < layout.slots.count, layout.slots[index].type == type else {
            throw mismatch(index, type.name)
        }
    }

    func name(of index: Int) -> String { layout.layout.fields[index].name }

    @inline(never)
    private func mismatch(_ index: Int, _ type: String) -> DaybookError {
        DaybookError(
            .schemaMismatch,
            "The property at index \(index) of '\(layout.layout.entityName)' is written as \(type),"
                + " which is not what the entity's description says. Write properties in its order"
                + " and with its types.",
            details: ["entity": layout.layout.entityName, "index": String(index)])
    }
}
