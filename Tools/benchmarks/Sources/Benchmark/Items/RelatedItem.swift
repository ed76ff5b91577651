import Daybook

/// A customer with a backlink to its items.
final class RelatedCustomer: Entity {
    var id: Id = 0
    var items: ToMany<RelatedItem> = nil

    static let entityDescription = EntityDescription(
        "Customer", [.property("number", UInt64.self)],
        .backlink("items", \RelatedItem.customer, "customer"))

    static func decode(_ row: borrowing RowReader) throws -> RelatedCustomer {
        let customer = RelatedCustomer()
        customer.id = row.id
        customer.items = row.backlink(0)
        return customer
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(id, at: 0)
        try row.write(items, backlink: 0)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// An ``Item`` with a relation to its customer.
final class RelatedItem: Entity, ItemContents {
    var id: UInt64
    var text: String
    var i32: Int32
    var i64: Int64
    var f64: Double
    var flag: Bool
    var date: Int64
    var category: String
    var customer: ToOne<RelatedCustomer>

    init(
        id: UInt64, text: String, i32: Int32, i64: Int64, f64: Double, flag: Bool, date: Int64,
        category: String, customer: ToOne<RelatedCustomer>
    ) {
        self.id = id
        self.text = text
        self.i32 = i32
        self.i64 = i64
        self.f64 = f64
        self.flag = flag
        self.date = date
        self.category = category
        self.customer = customer
    }

    convenience init(_ item: Item) {
        self.init(
            id: item.id, text: item.text, i32: item.i32, i64: item.i64, f64: item.f64,
            flag: item.flag, date: item.date, category: item.category,
            customer: ToOne(targetId: EntityId(item.customerId)))
    }

    static let entityDescription = EntityDescription(
        "RelatedItem",
        [
            .property("text", String.self), .property("i32", Int32.self),
            .property("i64", Int64.self), .property("f64", Double.self),
            .property("flag", Bool.self), .property("date", Int64.self),
            .property("category", String.self),
            .property("customer", ToOne<RelatedCustomer>.self),
        ])

    static func decode(_ row: borrowing RowReader) throws -> RelatedItem {
        RelatedItem(
            id: row.id, text: try row.read(0), i32: try row.read(1), i64: try row.read(2),
            f64: try row.read(3), flag: try row.read(4), date: try row.read(5),
            category: try row.read(6), customer: try row.read(7))
    }

    func encode(into row: inout RowWriter) throws {
        try writeContents(into: &row)
        try row.write(customer, at: 7)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
