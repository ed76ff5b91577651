import Daybook
import Foundation

// The models of the query tests, with handwritten conformances and descriptors instead of generated
// ones.

enum Level: Int, CaseIterable { case low, middle, high }
enum Temper: String, CaseIterable, PropertyValue { case glad, sad, calm }
enum Shade: String, CaseIterable { case dark, light }

/// Stored as a number by a converter.
struct Color: Equatable {
    var red: UInt8
    var green: UInt8
}

struct Site: Embedded, Equatable {
    var city: String
    var zip: Int?

    static let entityDescription = EntityDescription(
        "Site", [.property("city", String.self), .property("zip", Int?.self)])
    static func decode(_ row: borrowing RowReader) throws -> Site {
        Site(city: try row.read(0), zip: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(city, at: 0)
        try row.write(zip, at: 1)
    }

    static var city: Property<Site, String> { Property("city") }
    static var zip: Property<Site, Int?> { Property("zip") }
}

struct Item: Entity, Equatable {
    var id: Id = 0
    var name = ""
    var nick: String?
    var size: Int32 = 0
    var weight: Double?
    var level = Level.low
    var temper: Temper?
    var shades: [Shade] = []
    var color = Color(red: 0, green: 0)
    var made = Date(timeIntervalSince1970: 0)
    var seen: Date?
    var tags: [String] = []
    var marks: Set<Int> = []
    var points: [String: Int]?
    var site: Site?
    var home = Site(city: "", zip: nil)
    var sites: [Site] = []
    var note: [String]?
    var key = UUID(uuidString: "00000000-0000-0000-0000-000000000001") ?? UUID()
    var price: Decimal = 0
    var data: Data?
    var isOpen = false
    var url: URL?

    static let entityDescription = EntityDescription(
        "Item",
        [
            .property("title", String.self, .declared("name"), .index(.value)),
            .property("nick", String?.self), .property("size", Int32.self, .index),
            .property("weight", Double?.self, .index), .property("level", Level.self),
            .property("temper", Temper?.self), .property("shades", [Shade].self),
            .converted("color", to: Int.self), .property("made", Date.self, .index),
            .nanoseconds("seen"), .property("tags", [String].self),
            .property("marks", Set<Int>.self), .property("points", [String: Int]?.self),
            .property("site", Site?.self), .property("home", Site.self),
            .property("sites", [Site].self), .encoded("note"), .property("key", UUID.self),
            .property("price", Decimal.self), .property("data", Data?.self),
            .property("isOpen", Bool.self), .property("url", URL?.self),
        ])

    static func decode(_ row: borrowing RowReader) throws -> Item {
        var item = Item(id: row.id)
        item.name = try row.read(0)
        item.nick = try row.read(1)
        item.size = try row.read(2)
        item.weight = try row.read(3)
        item.level = try row.read(4)
        item.temper = try row.read(5)
        item.shades = try row.read(6)
        item.color = try row.read(7, converting: Int.self, with: Self.color)
        item.made = try row.read(8)
        item.seen = try row.readNanoseconds(9)
        item.tags = try row.read(10)
        item.marks = try row.read(11)
        item.points = try row.read(12)
        item.site = try row.read(13)
        item.home = try row.read(14)
        item.sites = try row.read(15)
        item.note = try row.readEncoded(16)
        item.key = try row.read(17)
        item.price = try row.read(18)
        item.data = try row.read(19)
        item.isOpen = try row.read(20)
        item.url = try row.read(21)
        return item
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(nick, at: 1)
        try row.write(size, at: 2)
        try row.write(weight, at: 3)
        try row.write(level, at: 4)
        try row.write(temper, at: 5)
        try row.write(shades, at: 6)
        try row.write(color, at: 7, converting: Int.self, with: Self.number)
        try row.write(made, at: 8)
        try row.writeNanoseconds(seen, at: 9)
        try row.write(tags, at: 10)
        try row.write(marks, at: 11)
        try row.write(points, at: 12)
        try row.write(site, at: 13)
        try row.write(home, at: 14)
        try row.write(sites, at: 15)
        try row.writeEncoded(note, at: 16)
        try row.write(key, at: 17)
        try row.write(price, at: 18)
        try row.write(data, at: 19)
        try row.write(isOpen, at: 20)
        try row.write(url, at: 21)
    }

    @Sendable static func number(_ color: Color) -> Int { Int(color.red) * 256 + Int(color.green) }
    @Sendable static func color(_ number: Int) -> Color {
        Color(red: UInt8(number / 256), green: UInt8(number % 256))
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

extension Item {
    static var id: Property<Item, Id> { Property(identity: "id") }
    static var name: Property<Item, String> { Property("name") }
    static var nick: Property<Item, String?> { Property("nick") }
    static var size: Property<Item, Int32> { Property(\Item.size, "size") }
    static var weight: Property<Item, Double?> { Property("weight") }
    static var level: Property<Item, Level> { Property("level") }
    static var temper: Property<Item, Temper?> { Property("temper") }
    static var shades: Property<Item, [Shade]> { Property(\Item.shades, "shades") }
    static var color: Property<Item, Color> {
        Property("color", converting: Int.self, with: Item.number)
    }
    static var made: Property<Item, Date> { Property("made") }
    static var seen: Property<Item, Date?> { Property(nanoseconds: "seen") }
    static var tags: Property<Item, [String]> { Property("tags") }
    static var marks: Property<Item, Set<Int>> { Property("marks") }
    static var points: Property<Item, [String: Int]?> { Property("points") }
    static var site: Property<Item, Site?> { Property("site") }
    static var home: Property<Item, Site> { Property("home") }
    static var sites: Property<Item, [Site]> { Property("sites") }
    static var note: Property<Item, [String]?> { Property(encoded: "note") }
    static var key: Property<Item, UUID> { Property("key") }
    static var price: Property<Item, Decimal> { Property("price") }
    static var data: Property<Item, Data?> { Property("data") }
    static var isOpen: Property<Item, Bool> { Property("isOpen") }
    static var url: Property<Item, URL?> { Property("url") }
}

extension Item {
    /// Returns items with all kinds of values, including nil and extreme values.
    static func samples() -> [Item] {
        let names = ["Ada", "ada", "Bob", "", "Émile", "Zoë", "adam", "BOB", "a*b", "ß"]
        return (0..<60).map { number in
            var item = Item()
            item.name = names[number % names.count]
            item.nick = number % 3 == 0 ? nil : names[(number / 2) % names.count]
            item.size = Int32(number % 12) - 5
            item.weight =
                number % 4 == 0 ? nil : number % 7 == 1 ? Double.nan : Double(number % 9) / 2
            item.level = Level.allCases[number % 3]
            item.temper = number % 5 == 0 ? nil : Temper.allCases[number % 3]
            item.shades = number % 2 == 0 ? [] : [.dark, .light].suffix(number % 3)
            item.color = Color(red: UInt8(number % 3), green: 7)
            item.made = Date(timeIntervalSince1970: Double(number) * 1000.5)
            item.seen =
                number % 3 == 1
                ? nil : Date(timeIntervalSinceReferenceDate: Double(number % 6) + 0.25)
            item.tags = (0..<(number % 4)).map { "tag\($0)" }
            item.marks = Set((0..<(number % 5)).map { $0 * 2 })
            item.points =
                number % 4 == 3 ? nil : number % 4 == 0 ? [:] : ["a": number % 5, "b": 3]
            item.site =
                number % 3 == 0
                ? nil : Site(city: names[number % 4], zip: number % 2 == 0 ? nil : number)
            item.home = Site(city: names[number % 5], zip: number % 6)
            item.sites = (0..<(number % 3)).map { Site(city: names[$0], zip: $0) }
            item.note = number % 3 == 0 ? nil : ["note \(number % 2)"]
            item.price = Decimal(number % 7) / 4
            item.data = number % 6 == 0 ? nil : Data([UInt8(number % 5), 1])
            item.isOpen = number % 2 == 0
            item.url = number % 3 == 0 ? nil : URL(string: "https://example.org/\(number % 4)")
            return item
        }
    }
}
