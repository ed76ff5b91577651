#if Macros
import Daybook
import Foundation
import Observation

enum Status: Int {
    case unknown = 0
    case open = 1
    case done = 2
}

/// A value that contains another value.
@Embedded struct Address: Equatable {
    var street: String
    var city = ""
    var place: Place?
}

@Embedded struct Place: Equatable {
    var latitude: Double
    var longitude: Double
}

struct Settings: Codable, Equatable {
    var level = 1
    var names: [String] = []
}

struct Color: Equatable {
    var red: Int
    var green: Int
}

enum ColorConverter {
    static func convert(_ color: Color) -> String { "\(color.red)/\(color.green)" }
    static func convert(_ text: String?) -> Color {
        let parts = text?.split(separator: "/").compactMap { Int($0) } ?? []
        return parts.count == 2 ? Color(red: parts[0], green: parts[1]) : Color(red: 0, green: 0)
    }
}

/// Every attribute for the stored form of a value.
@Entity(name: "TASK") struct Task: Equatable {
    @Id var key: UInt64 = 0
    @Name("TITLE") @Index(.hash) var title: String
    @Convert(default: .unknown) var status: Status
    @Convert(default: Status.open) var next: Status?
    @Convert(ColorConverter.self, as: String.self) var color: Color
    var plain = Status.done
    var all: [Status] = []
    @Encoded var settings = Settings()
    @Encoded var more: Settings?
    @Nanoseconds var made: Date
    @Nanoseconds var ended: Date?
    var home: Address?
    var other: [Address] = []
    @Renamed(from: "tags") var labels: Set<String> = []
}

/// Types that are visible only to the declaration because they are nested next to it.
enum Nesting {
    enum Mood: String {
        case calm, wild
    }
    struct Shade: Equatable {
        var level: Int
    }
    enum ShadeConverter {
        static func convert(_ shade: Shade) -> Int { shade.level }
        static func convert(_ level: Int?) -> Shade { Shade(level: level ?? -1) }
    }
    struct Extra: Codable, Equatable {
        var words: [String] = []
    }
    @Entity struct Sheet: Equatable {
        var id: EntityId<Sheet> = 0
        @Convert(default: Mood.calm) var mood: Mood
        @Convert(ShadeConverter.self, as: Int.self) var shade: Shade
        @Encoded var extra: Extra = Extra()
        var moods: Set<Mood> = []
    }
    @Entity final class Page {
        var id: Id = 0
        @Convert(default: Mood.calm) var mood = Mood.wild
        @Convert(ShadeConverter.self, as: Int.self) var shade = Shade(level: 0)
    }
}

/// A class that other classes may inherit from.
@Entity class Animal {
    var id: Id = 0
    var name = ""
}

/// A class that SwiftUI can observe.
@Entity @Observable final class Watched {
    var id: Id = 0
    var name = ""
    var count: Int
    @Transient @ObservationIgnored var draft = ""

    init(count: Int) { self.count = count }
}

/// The same by comments.
// objectbox: name = "COMMENTED"
@Entity final class Commented {
    // objectbox: id
    var number: Int64 = 0
    // objectbox: name = "AGE", index
    var age = 0
    // objectbox: convert = {"default": ".unknown"}
    var status = Status.open
    var scratch = ""  // objectbox: transient
}

/// Relations and a backlink.
@Entity final class Customer {
    var id: EntityId<Customer> = 0
    @Unique var email = ""
    @Backlink(\Order.customer) var orders: ToMany<Order> = nil
    @Backlink("customer") var again: ToMany<Order> = nil
}

@Index("placed", "number", kind: .value)
@Unique("number", onConflict: .replace)
@Renamed(from: "Purchase")
@Entity final class Order: Entity {
    var id: Id = 0
    @Index var number = 0
    @Index(.value) var placed = Date(timeIntervalSince1970: 0)
    var customer: ToOne<Customer> = nil
}

/// An entity with a primary key of two properties and no visible id.
@PrimaryKey("tenant", "number")
@Entity struct Account: Equatable {
    var tenant: String
    var number: Int
    var name = ""
}

@Entity final class Device {
    @PrimaryKey var serial = UUID()
}

/// Types that are visible only inside the enclosing type.
enum Garden {
    enum Color: String { case red, green }
    @Embedded final class Leaf { var veins = 0 }
    @Embedded class Stem { var length = 0.5 }
    @Entity struct Plant {
        @Id(assignable: true) var id: Id = 0
        var color: Color
        var colors: [Color] = []
        var leaf: Leaf?
        var stem = Stem()
    }
}

/// An event.
@Event struct Reading {
    var device: String
    var celsius: Double
}
#endif
