/// Stored as its number. The store does not check that the object exists, and removing the object
/// does not change the property: use a ``Reference`` or a ``ToOne`` for a link.
extension EntityId: PropertyValue {
    public static var propertyType: PropertyType { .uint64 }
    public static func read(_ value: borrowing ValueReader) -> EntityId {
        EntityId(value.load(UInt64.self))
    }
    public func write(to value: inout ValueWriter) { value.bytes.uint64(self.value) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> EntityId {
        guard let field = try row.field(index, .uint64) else { return 0 }
        return EntityId(row.view.uint64(field))
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .uint64)
        row.encoder.set(uint64: value, at: index)
    }
}
