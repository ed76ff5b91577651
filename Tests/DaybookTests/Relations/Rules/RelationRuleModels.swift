import Daybook

/// A shop with every deletion rule: its shelves are removed with it, its staff prevents its
/// removal, and its goods are removed when no shop has them.
final class Shop: Entity {
    var id: Id = 0
    var shelves: ToMany<Shelf> = nil
    var staff: ToMany<Clerk> = nil
    var goods: ToMany<Article> = nil

    static let entityDescription = EntityDescription(
        "Shop",
        [
            .property("staff", ToMany<Clerk>.self, .relation(onDelete: .deny)),
            .property("goods", ToMany<Article>.self, .relation(removesOrphans: true)),
        ], .backlink("shelves", \Shelf.shop, "shop", onDelete: .cascade))
    static func decode(_ row: borrowing RowReader) throws -> Shop {
        let object = Shop()
        object.id = row.id
        object.staff = try row.read(0)
        object.goods = try row.read(1)
        object.shelves = row.backlink(0)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(staff, at: 0)
        try row.write(goods, at: 1)
        try row.write(shelves, backlink: 0)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

final class Shelf: Entity {
    var id: Id = 0
    var shop: ToOne<Shop> = nil

    static let entityDescription = EntityDescription(
        "Shelf", [.property("shop", ToOne<Shop>.self)])
    static func decode(_ row: borrowing RowReader) throws -> Shelf {
        let object = Shelf()
        object.id = row.id
        object.shop = try row.read(0)
        return object
    }
    func encode(into row: inout RowWriter) throws { try row.write(shop, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// A struct whose relations are values. The removal of its badge also removes the clerk.
struct Clerk: Entity, Sendable, Equatable {
    var id: Id = 0
    var badge: Reference<Article> = nil
    var tools: References<Article> = nil

    static let entityDescription = EntityDescription(
        "Clerk",
        [
            .property("badge", Reference<Article>.self, .relation(onTargetDelete: .cascade)),
            .property("tools", References<Article>.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Clerk {
        Clerk(id: row.id, badge: try row.read(0), tools: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(badge, at: 0)
        try row.write(tools, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

struct Article: Entity, Sendable, Equatable {
    var id: Id = 0
    var name = ""

    static let entityDescription = EntityDescription("Article", [.property("name", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> Article {
        Article(id: row.id, name: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(name, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
