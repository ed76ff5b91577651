import Daybook

/// A handwritten conformance, identical to the macro's.
extension Item: Entity {
    static let entityDescription = EntityDescription(
        "Item",
        [
            .property("text", String.self), .property("i32", Int32.self),
            .property("i64", Int64.self), .property("f64", Double.self),
            .property("flag", Bool.self), .property("date", Int64.self),
            .property("category", String.self), .property("customerId", UInt64.self),
        ])

    static func decode(_ row: borrowing RowReader) throws -> Item {
        Item(
            id: row.id, text: try row.read(0), i32: try row.read(1), i64: try row.read(2),
            f64: try row.read(3), flag: try row.read(4), date: try row.read(5),
            category: try row.read(6), customerId: try row.read(7))
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

extension ItemContents {
    /// Writes all properties except the customer, which is the last one.
    @inline(__always)
    func writeContents(into row: inout RowWriter) throws {
        try row.write(text, at: 0)
        try row.write(i32, at: 1)
        try row.write(i64, at: 2)
        try row.write(f64, at: 3)
        try row.write(flag, at: 4)
        try row.write(date, at: 5)
        try row.write(category, at: 6)
    }
}

extension CustomerItemContents {
    @inline(__always)
    func encode(into row: inout RowWriter) throws {
        try writeContents(into: &row)
        try row.write(customerId, at: 7)
    }
}
