import Daybook

/// An ``Item`` with indexes on its customer and its date.
final class IndexedItem: Entity, CustomerItemContents {
    var id: UInt64 = 0
    let text: String
    let i32: Int32
    let i64: Int64
    let f64: Double
    let flag: Bool
    let date: Int64
    let category: String
    let customerId: UInt64

    static let text = Property<IndexedItem, String>("text")
    static let i32 = Property<IndexedItem, Int32>("i32")
    static let date = Property<IndexedItem, Int64>("date")
    static let customerId = Property<IndexedItem, UInt64>("customerId")

    init(_ item: Item) {
        text = item.text
        i32 = item.i32
        i64 = item.i64
        f64 = item.f64
        flag = item.flag
        date = item.date
        category = item.category
        customerId = item.customerId
    }

    private init(row: borrowing RowReader) throws {
        id = row.id
        text = try row.read(0)
        i32 = try row.read(1)
        i64 = try row.read(2)
        f64 = try row.read(3)
        flag = try row.read(4)
        date = try row.read(5)
        category = try row.read(6)
        customerId = try row.read(7)
    }

    static let entityDescription = EntityDescription(
        "IndexedItem",
        [
            .property("text", String.self), .property("i32", Int32.self),
            .property("i64", Int64.self), .property("f64", Double.self),
            .property("flag", Bool.self), .property("date", Int64.self, .index),
            .property("category", String.self), .property("customerId", UInt64.self, .index),
        ])

    static func decode(_ row: borrowing RowReader) throws -> IndexedItem {
        try IndexedItem(row: row)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
