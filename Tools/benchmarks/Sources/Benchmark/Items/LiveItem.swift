import Daybook

/// An object of an owner. Each commit that changes the object increments its number.
final class LiveItem: Entity {
    var id: UInt64 = 0
    let owner: Int64
    var number: Int64

    static let owner = Property<LiveItem, Int64>("owner")
    static let number = Property<LiveItem, Int64>("number")

    init(owner: Int64, number: Int64) {
        self.owner = owner
        self.number = number
    }

    static let entityDescription = EntityDescription(
        "LiveItem",
        [.property("owner", Int64.self, .index), .property("number", Int64.self)])

    static func decode(_ row: borrowing RowReader) throws -> LiveItem {
        let item = LiveItem(owner: try row.read(0), number: try row.read(1))
        item.id = row.id
        return item
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(owner, at: 0)
        try row.write(number, at: 1)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
